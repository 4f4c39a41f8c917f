//! Paged lists of stored objects, used to find orphans.

use grantor_domain::Timestamp;

use super::ObjectKey;

/// A stored object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectInfo {
    /// The object's key.
    pub key: ObjectKey,
    /// When the object was written, by the clock of the object store.
    pub written_at: Timestamp,
}

/// The position after a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub(super) String);

/// A page of the objects of one kind, ordered by name. Names that are not object keys are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectPage {
    /// The objects.
    pub objects: Vec<ObjectInfo>,
    /// The position after this page; `None` at the end.
    pub next: Option<Cursor>,
}
