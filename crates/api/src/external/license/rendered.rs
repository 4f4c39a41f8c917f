//! Licenses written once and kept: a page is put together from what memory holds, and only what it
//! does not hold is read from the database.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseStatus, effective};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Result, Timestamp};
use grantor_service::license::{self, Entry};
use quick_cache::sync::Cache;

use super::body::LicenseBody;
use super::unwritten;
use crate::frame::settings::ApiState;

/// How many are kept; at about 800 bytes each.
const KEPT: usize = 20_000;

/// Everything the text of a license depends on: each change is another version.
type Key = (LicenseId, u32, PermissionRole, LicenseStatus);

/// Texts of licenses.
#[derive(Debug)]
pub(crate) struct Rendered(Cache<Key, Arc<[u8]>>);

impl Default for Rendered {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

/// The texts of a page, in its order, without addresses: those are never kept. One that was deleted a moment ago is left out.
pub(super) async fn render(
    state: &ApiState,
    entries: &[Entry],
    now: Timestamp,
) -> Result<Vec<(LicenseId, Arc<[u8]>)>> {
    let key = |entry: &Entry| {
        let status = effective(entry.status, entry.expires_at, now);
        (entry.id, entry.version, entry.role, status)
    };
    let cache = &state.rendered.0;
    let mut known: HashMap<LicenseId, Arc<[u8]>> =
        entries.iter().filter_map(|it| Some((it.id, cache.get(&key(it))?))).collect();
    let missing: Vec<_> = entries.iter().filter(|it| !known.contains_key(&it.id)).collect();
    if !missing.is_empty() {
        let ids = missing.iter().map(|it| it.id).collect();
        for shown in license::load(&state.app, ids).await? {
            let Some(entry) = missing.iter().find(|it| it.id == shown.license.id) else { continue };
            let status = effective(shown.license.status, shown.license.expires_at, now);
            let body = LicenseBody::listed(&shown, entry.role, status);
            let text = serde_json::to_vec(&body).map_err(|error| unwritten(&error))?;
            let text: Arc<[u8]> = text.into();
            // It may have changed since the page was read: kept under what it is now.
            let version = shown.license.version;
            cache.insert((entry.id, version, entry.role, status), Arc::clone(&text));
            known.insert(entry.id, text);
        }
    }
    Ok(entries.iter().filter_map(|it| Some((it.id, known.remove(&it.id)?))).collect())
}
