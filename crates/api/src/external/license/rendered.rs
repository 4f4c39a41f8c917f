//! Licenses written once and kept: a page is put together from what memory holds, and only what it
//! does not hold is read from the database.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseStatus, effective};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Result, Timestamp};
use grantor_service::license::{self, Entry, Seen};
use headers::ETag;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::body::LicenseBody;
use super::unwritten;
use crate::frame::settings::ApiState;
use crate::license::tag;

/// How many bytes of texts are kept, and about how many texts that are.
const KEPT_BYTES: u64 = 16 * 1024 * 1024;
const EXPECTED: usize = 20_000;
/// What an entry takes beside its text.
const ENTRY: u64 = 128;

/// Everything the text of a license depends on: each change is another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    id: LicenseId,
    version: u32,
    role: PermissionRole,
    status: LicenseStatus,
}

impl Key {
    /// Of a license in a list, at this moment.
    pub(super) fn of(entry: &Entry, now: Timestamp) -> Self {
        let Entry { id, version, role, .. } = *entry;
        Self { id, version, role, status: effective(entry.status, entry.expires_at, now) }
    }

    /// Of a license that was read whole.
    pub(super) fn seen(seen: &Seen) -> Self {
        let license = &seen.shown.license;
        Self { id: license.id, version: license.version, role: seen.role, status: seen.status }
    }

    /// The entity tag of what is shown of it.
    pub(super) fn tag(&self, with: &str) -> Option<ETag> {
        tag(self.version, self.status, self.role, with)
    }
}

/// Texts of licenses, which may differ in size a hundredfold: as many as fit in so many bytes.
#[derive(Debug)]
pub(crate) struct Rendered(Cache<Key, Arc<[u8]>, Bytes>);

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Key, Arc<[u8]>> for Bytes {
    fn weight(&self, _: &Key, text: &Arc<[u8]>) -> u64 {
        ENTRY + text.len() as u64
    }
}

impl Default for Rendered {
    fn default() -> Self {
        Self::of(KEPT_BYTES)
    }
}

impl Rendered {
    fn of(bytes: u64) -> Self {
        Self(Cache::with_weighter(EXPECTED, bytes, Bytes))
    }

    /// The text of the license as it is, if it was written before.
    pub(super) fn get(&self, key: &Key) -> Option<Arc<[u8]>> {
        self.0.get(key)
    }

    /// Writes it and keeps the text.
    pub(super) fn keep(&self, key: Key, body: &LicenseBody) -> Result<Arc<[u8]>> {
        let text = serde_json::to_vec(body).map_err(|error| unwritten(&error))?;
        let text: Arc<[u8]> = text.into();
        self.0.insert(key, Arc::clone(&text));
        Ok(text)
    }
}

/// The texts of a page, in its order, without addresses: those are never kept. One that was
/// deleted a moment ago is left out.
pub(super) async fn render(
    state: &ApiState,
    entries: &[Entry],
    now: Timestamp,
) -> Result<Vec<(LicenseId, Arc<[u8]>)>> {
    let known = |it: &Entry| state.rendered.get(&Key::of(it, now));
    let mut texts: Vec<_> = entries.iter().map(|it| (*it, known(it))).collect();
    let missing: Vec<_> = texts.iter().filter(|it| it.1.is_none()).map(|it| it.0.id).collect();
    if !missing.is_empty() {
        let mut written = write(state, missing, entries, now).await?;
        for (entry, text) in texts.iter_mut().filter(|it| it.1.is_none()) {
            *text = written.remove(&entry.id);
        }
    }
    Ok(texts.into_iter().filter_map(|(entry, text)| Some((entry.id, text?))).collect())
}

/// Reads these of a page and keeps their texts.
async fn write(
    state: &ApiState,
    ids: Vec<LicenseId>,
    entries: &[Entry],
    now: Timestamp,
) -> Result<HashMap<LicenseId, Arc<[u8]>>> {
    let mut written = HashMap::new();
    for shown in license::load(&state.app, ids).await? {
        let Some(entry) = entries.iter().find(|it| it.id == shown.license.id) else { continue };
        let status = effective(shown.license.status, shown.license.expires_at, now);
        let body = LicenseBody::listed(&shown, entry.role, status);
        // It may have changed since the page was read: kept under what it is now.
        let Entry { id, role, .. } = *entry;
        let key = Key { id, version: shown.license.version, role, status };
        written.insert(id, state.rendered.keep(key, &body)?);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u128) -> Key {
        let (role, status) = (PermissionRole::Viewer, LicenseStatus::Public);
        Key { id: uuid::Uuid::from_u128(number).into(), version: 1, role, status }
    }

    #[test]
    fn texts_are_kept_by_their_bytes_and_not_by_their_number() {
        let bound = 10 * 1024 * 1024;
        let rendered = Rendered::of(bound);
        for number in 0..2_000 {
            rendered.0.insert(key(number), vec![b'x'; 50_000].into());
            assert!(rendered.0.weight() <= bound);
        }
        assert!(rendered.0.len() > 150, "most of the room is used: {}", rendered.0.len());
        assert!(rendered.get(&key(1_999)).is_some());
    }
}
