//! What is scanned: a platform, by its pod, or a feed, for its sources.

use grantor_domain::id::{FeedId, PlatformId};
use uuid::Uuid;

use crate::value::{Param, Value};

/// The platform or the feed that scanned content belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetId(Uuid);

impl From<PlatformId> for TargetId {
    fn from(id: PlatformId) -> Self {
        Self(id.as_uuid())
    }
}

impl From<FeedId> for TargetId {
    fn from(id: FeedId) -> Self {
        Self(id.as_uuid())
    }
}

impl Param for TargetId {
    fn value(&self) -> Value<'_> {
        Value::Uuid(self.0)
    }
}
