//! What is in the store, page by page: for whoever looks for what nobody refers to.

use grantor_domain::Timestamp;

use super::ObjectKey;

/// An object that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub key: ObjectKey,
    /// When it was written, by the clock of whoever keeps it.
    pub written_at: Timestamp,
}

/// Where a page ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub(super) String);

/// A page of the objects of one kind, in the order of their names. What bears no name of ours is
/// left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The objects.
    pub found: Vec<Found>,
    /// Where to go on; nothing at the end.
    pub next: Option<Cursor>,
}
