//! Scans: what one run of a pod did, and where it stands with a feed (contract section 7).

use std::time::Duration;

use crate::Timestamp;
use crate::id::{PodId, RunId};
use crate::named::named;

/// How long whoever scans may be silent before another takes the pod over.
pub const LEASE: Duration = Duration::from_mins(1);
/// Runs that are kept of a pod.
pub const KEPT_RUNS: u32 = 50;
/// Runs that are shown of a pod.
pub const SHOWN_RUNS: u32 = 10;
/// The longest reason that is kept, in characters.
pub const MAX_REASON: usize = 1_000;
/// A feed is read whole at least so often, whatever it says of not having changed.
pub const WHOLE_EVERY: Duration = Duration::from_hours(30 * 24);
/// A change may have been made a little before it could be seen.
pub const OVERLAP: Duration = Duration::from_mins(1);
/// Content that no feed has shown for so long is forgotten.
pub const FORGOTTEN_AFTER: Duration = Duration::from_hours(90 * 24);

named!(RunOutcome);

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunOutcome {
    /// Every feed was read.
    Ok,
    /// Some were.
    Partial,
    /// None was.
    Failed,
    /// It was ended before its end.
    Interrupted,
    /// It was not begun.
    Blocked,
}

impl RunOutcome {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Ok, Self::Partial, Self::Failed, Self::Interrupted, Self::Blocked];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Blocked => "blocked",
        }
    }
}

/// What a run counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Requests that were sent.
    pub requests: u32,
    /// Those that failed, or brought what could not be read.
    pub errors: u32,
    /// Pieces of content that were looked at.
    pub items: u32,
    /// Those among them that were new or had changed.
    pub new_items: u32,
    /// Sightings among them that were new.
    pub mentions: u32,
}

/// A run of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodRun {
    /// Its id.
    pub id: RunId,
    /// Whose.
    pub pod: PodId,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended, if it has.
    pub ended_at: Option<Timestamp>,
    /// What came of it; nothing while it is under way.
    pub outcome: Option<RunOutcome>,
    /// Why, where that is to be said.
    pub reason: Option<String>,
    /// What it counted.
    pub counts: RunCounts,
}

/// Where a platform's feed stands: what came when it was read whole the last time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedCursor {
    /// The `ETag` of that answer.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
    /// The SHA-256 of its body.
    pub digest: Vec<u8>,
    /// When it was asked for.
    pub read_at: Timestamp,
}

impl FeedCursor {
    /// Whether the feed need not be looked at as long as it says the same: nothing that could be
    /// seen in it changed since, and it was read not too long ago.
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
