//! A cache of licenses rendered as JSON. Only licenses missing in the cache are read from the
//! database.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseStatus, effective};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::license::{self, Entry, LicenseView};
use headers::ETag;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::body::LicenseBody;
use super::serialization_error;
use crate::frame::settings::ApiState;
use crate::license::tag;

/// The capacity of the cache in bytes, and the expected number of entries.
const CAPACITY: u64 = 16 * 1024 * 1024;
const EXPECTED: usize = 20_000;
/// The overhead of an entry in bytes.
const OVERHEAD: u64 = 128;

/// Everything that the JSON of a license depends on. Every change increments the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    id: LicenseId,
    version: u32,
    role: PermissionRole,
    status: LicenseStatus,
}

impl Key {
    /// Returns the key of a license in a list, at the given time.
    pub(super) fn of(entry: &Entry, now: Timestamp) -> Self {
        let Entry { id, version, role, .. } = *entry;
        Self { id, version, role, status: effective(entry.status, entry.expires_at, now) }
    }

    /// Returns the key of a fully loaded license.
    pub(super) fn of_view(view: &LicenseView) -> Self {
        let license = &view.shown.license;
        Self { id: license.id, version: license.version, role: view.role, status: view.status }
    }

    /// Returns the entity tag of a representation of the license.
    pub(super) fn tag(&self, included: &str) -> Option<ETag> {
        tag(self.version, self.status, self.role, included)
    }
}

/// Rendered licenses, limited by total size because their sizes vary widely.
#[derive(Debug)]
pub(crate) struct RenderCache(Cache<Key, Arc<[u8]>, Bytes>);

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Key, Arc<[u8]>> for Bytes {
    fn weight(&self, _: &Key, text: &Arc<[u8]>) -> u64 {
        OVERHEAD + text.len() as u64
    }
}

impl Default for RenderCache {
    fn default() -> Self {
        Self::of(CAPACITY)
    }
}

impl RenderCache {
    fn of(bytes: u64) -> Self {
        Self(Cache::with_weighter(EXPECTED, bytes, Bytes))
    }

    /// Returns the cached JSON of a license.
    pub(super) fn get(&self, key: &Key) -> Option<Arc<[u8]>> {
        self.0.get(key)
    }

    /// Renders a license and caches the JSON.
    pub(super) fn insert(&self, key: Key, body: &LicenseBody) -> Result<Arc<[u8]>> {
        let text = serde_json::to_vec(body).map_err(|error| serialization_error(&error))?;
        let text: Arc<[u8]> = text.into();
        self.0.insert(key, Arc::clone(&text));
        Ok(text)
    }
}

/// Returns the JSON of a page's licenses, in order, without image URLs. Licenses that were deleted
/// in the meantime are left out.
pub(super) async fn render(
    state: &ApiState,
    entries: &[Entry],
    now: Timestamp,
) -> Result<Vec<(LicenseId, Arc<[u8]>)>> {
    let cached = |it: &Entry| state.render_cache.get(&Key::of(it, now));
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
        loaded.insert(id, state.render_cache.insert(key, &body)?);
    }
    Ok(loaded)
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
        let cache = RenderCache::of(bound);
        for number in 0..2_000 {
            cache.0.insert(key(number), vec![b'x'; 50_000].into());
            assert!(cache.0.weight() <= bound);
        }
        assert!(cache.0.len() > 150, "most of the capacity is used: {}", cache.0.len());
        assert!(cache.get(&key(1_999)).is_some());
    }
}
