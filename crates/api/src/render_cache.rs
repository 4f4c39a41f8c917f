//! A cache of licenses rendered as JSON.

use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseStatus, effective};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::license::{Entry, LicenseView};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::Serialize;

/// The capacity of the cache in bytes, and the expected number of entries.
const CAPACITY: u64 = 16 * 1024 * 1024;
const EXPECTED: usize = 20_000;
/// The overhead of an entry in bytes.
const OVERHEAD: u64 = 128;

/// Everything that the JSON of a license depends on. Every change increments the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) id: LicenseId,
    pub(crate) version: u32,
    pub(crate) role: PermissionRole,
    pub(crate) status: LicenseStatus,
}

impl Key {
    /// Returns the key of a license in a list, at the given time.
    pub(crate) fn of(entry: &Entry, now: Timestamp) -> Self {
        let Entry { id, version, role, .. } = *entry;
        Self { id, version, role, status: effective(entry.status, entry.expires_at, now) }
    }

    /// Returns the key of a fully loaded license.
    pub(crate) fn of_view(view: &LicenseView) -> Self {
        let license = &view.shown.license;
        Self { id: license.id, version: license.version, role: view.role, status: view.status }
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
    pub(crate) fn get(&self, key: &Key) -> Option<Arc<[u8]>> {
        self.0.get(key)
    }

    /// Renders a license and caches the JSON.
    pub(crate) fn insert(&self, key: Key, license: &impl Serialize) -> Result<Arc<[u8]>> {
        let text =
            serde_json::to_vec(license).map_err(|error| Error::internal(error.to_string()))?;
        let text: Arc<[u8]> = text.into();
        self.0.insert(key, Arc::clone(&text));
        Ok(text)
    }
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
