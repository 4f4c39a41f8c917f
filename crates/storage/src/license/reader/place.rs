//! Where late pages begin. Walking there costs with every license passed over; whoever reads a list
//! to its end would walk further each time.

use grantor_domain::id::LicenseId;
use grantor_domain::page::Order;
use quick_cache::sync::Cache;
use uuid::Uuid;

/// How many are kept; a few dozen bytes each.
const KEPT: usize = 100_000;

/// The licenses that pages of lists begin with, as long as nothing joins or leaves those lists.
#[derive(Debug)]
pub struct Places(Cache<Place, LicenseId>);

/// A place in a list, in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) reader: Uuid,
    /// What the list's own count of changes was.
    pub(super) changes: i64,
    pub(super) descending: bool,
    pub(super) offset: i64,
}

impl Default for Places {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Places {
    pub(super) fn get(&self, place: &Place) -> Option<LicenseId> {
        self.0.get(place)
    }

    pub(super) fn keep(&self, place: Place, id: LicenseId) {
        self.0.insert(place, id);
    }
}

impl Place {
    pub(super) fn new(reader: Uuid, changes: i64, order: Order, offset: i64) -> Self {
        Self { reader, changes, descending: order == Order::Desc, offset }
    }
}
