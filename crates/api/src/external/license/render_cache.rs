//! Renders lists of licenses. Only licenses missing in the render cache are read from the database.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::license::effective;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::license::{self, Entry};

use super::body::LicenseBody;
use crate::frame::state::ApiState;
use crate::render_cache::Key;

/// Returns the JSON of a page's licenses, in order, without image URLs. Licenses that were deleted
/// in the meantime are left out.
pub(super) async fn render(
    state: &ApiState,
    entries: &[Entry],
    now: Timestamp,
) -> Result<Vec<(LicenseId, Arc<[u8]>)>> {
    let cached = |it: &Entry| state.caches.licenses.get(&Key::of(it, now));
    let mut texts: Vec<_> = entries.iter().map(|it| (*it, cached(it))).collect();
    let missing: Vec<_> = texts.iter().filter(|it| it.1.is_none()).map(|it| it.0.id).collect();
    if !missing.is_empty() {
        let mut loaded = load(state, missing, entries, now).await?;
        for (entry, text) in texts.iter_mut().filter(|it| it.1.is_none()) {
            *text = loaded.remove(&entry.id);
        }
    }
    Ok(texts.into_iter().filter_map(|(entry, text)| Some((entry.id, text?))).collect())
}

/// Loads and renders licenses that are not cached.
async fn load(
    state: &ApiState,
    ids: Vec<LicenseId>,
    entries: &[Entry],
    now: Timestamp,
) -> Result<HashMap<LicenseId, Arc<[u8]>>> {
    let mut loaded = HashMap::new();
    for shown in license::load(&state.app, ids).await? {
        let Some(entry) = entries.iter().find(|it| it.id == shown.license.id) else { continue };
        let status = effective(shown.license.status, shown.license.expires_at, now);
        let body = LicenseBody::listed(&shown, entry.role, status);
        // The license may have changed since the page was read, so it is cached under its new
        // version.
        let Entry { id, role, .. } = *entry;
        let key = Key { id, version: shown.license.version, role, status };
        loaded.insert(id, state.caches.licenses.insert(key, &body)?);
    }
    Ok(loaded)
}
