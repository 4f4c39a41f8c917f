//! Scans: the runs of a pod and its progress in each feed (contract section 7).

use std::time::Duration;

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{PodId, RunId};

/// How long a scanner may be silent before another may take over the pod.
pub const LEASE: Duration = Duration::from_mins(1);
/// Runs stored per pod.
pub const KEPT_RUNS: u32 = 50;
/// Runs shown per pod.
pub const SHOWN_RUNS: u32 = 10;
/// The maximum length of a stored reason, in characters.
pub const MAX_REASON: usize = 1_000;
/// How often a feed is read in full, even if it reports no changes.
pub const WHOLE_EVERY: Duration = Duration::from_hours(30 * 24);
/// Tolerance for changes that became visible after they were made.
pub const OVERLAP: Duration = Duration::from_mins(1);
/// How long content that no feed lists any more is remembered.
pub const FORGOTTEN_AFTER: Duration = Duration::from_hours(90 * 24);

enum_names!(RunOutcome);

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum RunOutcome {
    /// All feeds were read.
    Ok,
    /// Some feeds were read.
    Partial,
    /// No feed was read.
    Failed,
    /// The run was interrupted.
    Interrupted,
    /// The run was not started.
    Blocked,
}

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Requests sent.
    pub requests: u32,
    /// Requests that failed or returned unreadable content.
    pub errors: u32,
    /// Content items checked.
    pub items: u32,
    /// Content items that were new or changed.
    pub new_items: u32,
    /// New mentions found.
    pub mentions: u32,
}

/// A run of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodRun {
    /// The unique ID.
    pub id: RunId,
    /// The pod.
    pub pod: PodId,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended, if it has.
    pub ended_at: Option<Timestamp>,
    /// The outcome; `None` while in progress.
    pub outcome: Option<RunOutcome>,
    /// The reason for the outcome, if any.
    pub reason: Option<String>,
    /// The counters.
    pub counts: RunCounts,
}

/// The state of a platform feed when it was last read in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedCursor {
    /// The `ETag` of the response.
    pub etag: Option<String>,
    /// The `Last-Modified` header of the response.
    pub last_modified: Option<String>,
    /// The SHA-256 of the body.
    pub digest: Vec<u8>,
    /// When it was requested.
    pub read_at: Timestamp,
}

impl FeedCursor {
    /// Whether the feed can be skipped if it has not changed: nothing we look for changed since the
    /// last read, and that read is recent enough.
    #[must_use]
    pub fn holds(&self, last_change: Option<Timestamp>, now: Timestamp) -> bool {
        last_change.is_none_or(|it| it.plus(OVERLAP) < self.read_at)
            && now.since(self.read_at) < WHOLE_EVERY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_holds_until_something_could_be_seen_anew() {
        let at = |minutes: u64| Timestamp::from_secs(0).plus(Duration::from_mins(minutes));
        let cursor =
            FeedCursor { etag: None, last_modified: None, digest: vec![], read_at: at(100) };
        for (changed, now, holds) in [
            (None, 101, true),
            (Some(98), 101, true),
            (Some(99), 101, false),
            (Some(101), 102, false),
            (None, 100 + 30 * 24 * 60, false),
        ] {
            assert_eq!(cursor.holds(changed.map(at), at(now)), holds, "{changed:?} {now}");
        }
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for outcome in RunOutcome::ALL {
            assert_eq!(outcome.name().parse(), Ok(outcome));
        }
    }
}
