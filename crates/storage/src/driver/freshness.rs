//! Whether a replica is recent enough to be read.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::wait::now;

/// How far a replica may be behind.
pub(super) const MAX_LAG: Duration = Duration::from_secs(2);
/// How many positions are remembered.
const POSITIONS: usize = 64;

/// How far a replica is behind the primary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicaLag {
    /// It has everything that was stored until this long ago.
    Time(Duration),
    /// After two seconds, it still lacks this many bytes of the primary's log, so it is not read.
    Bytes(u64),
    /// It is on another timeline, so it is not read.
    OtherTimeline,
}

/// Until when a replica may be read. This ends by itself, also if nobody can ask the replica.
#[derive(Debug)]
pub(super) struct Freshness {
    start: Instant,
    /// Milliseconds since the start.
    until: AtomicU64,
}

impl Freshness {
    /// A replica that nobody has asked yet.
    pub(super) fn new() -> Self {
        Self { start: now(), until: AtomicU64::new(0) }
    }

    /// Whether the replica may be read now.
    pub(super) fn is_fresh(&self) -> bool {
        self.start.elapsed() < Duration::from_millis(self.until.load(Ordering::Relaxed))
    }

    /// Records that the replica has everything that was stored until this time.
    pub(super) fn confirm(&self, at: Instant) {
        let until = (at + MAX_LAG).saturating_duration_since(self.start).as_millis();
        self.until.store(u64::try_from(until).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// A place in a log. Two servers have the same log up to a place only if its timeline is the same:
/// every server that is promoted begins a timeline, and the others may go on with the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogPlace {
    pub(super) timeline: u64,
    pub(super) position: u64,
}

/// Positions in the primary's log, with the times at which they were its end.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// The timeline of all of them.
    timeline: u64,
    ends: VecDeque<(Instant, u64)>,
}

impl Positions {
    /// Remembers the end of the log. Those of another timeline are forgotten.
    pub(super) fn note(&mut self, at: Instant, LogPlace { timeline, position }: LogPlace) {
        if timeline != self.timeline {
            (self.timeline, self.ends) = (timeline, VecDeque::new());
        }
        if self.ends.len() == POSITIONS {
            self.ends.pop_front();
        }
        self.ends.push_back((at, position));
    }

    /// Until when a replica has everything that has come this far. `None` if it is behind all
    /// positions that are remembered, or is on another timeline.
    pub(super) fn reached(&self, LogPlace { timeline, position }: LogPlace) -> Option<Instant> {
        let mut ends = self.ends.iter().rev().filter(|_| timeline == self.timeline);
        ends.find(|(_, end)| *end <= position).map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(position: u64) -> LogPlace {
        LogPlace { timeline: 1, position }
    }

    #[test]
    fn a_replica_has_what_was_stored_until_the_last_position_that_it_reached() {
        let (mut positions, start) = (Positions::default(), now());
        let at = |seconds| start + Duration::from_secs(seconds);
        for (seconds, position) in [(1, 100), (2, 200), (3, 200), (4, 300)] {
            positions.note(at(seconds), place(position));
        }
        assert_eq!(positions.reached(place(99)), None);
        assert_eq!(positions.reached(place(100)), Some(at(1)));
        assert_eq!(positions.reached(place(299)), Some(at(3)), "an idle primary has nothing new");
        assert_eq!(positions.reached(place(500)), Some(at(4)));
    }

    #[test]
    fn only_the_last_positions_are_remembered() {
        let (mut positions, start) = (Positions::default(), now());
        for position in 0..100 {
            positions.note(start, place(position));
        }
        assert_eq!((positions.ends.len(), positions.reached(place(35))), (64, None));
    }

    #[test]
    fn a_replica_on_another_timeline_has_nothing() {
        let (mut positions, start) = (Positions::default(), now());
        positions.note(start, place(100));
        let next = |position| LogPlace { timeline: 2, position };
        assert_eq!(positions.reached(next(200)), None, "it was promoted");
        positions.note(start, next(150));
        assert_eq!(positions.reached(place(200)), None, "the primary was promoted");
        assert_eq!(positions.reached(next(149)), None);
        assert_eq!(positions.reached(next(150)), Some(start));
    }

    #[test]
    fn nobody_reads_a_replica_that_was_not_asked_for_two_seconds() {
        let freshness = Freshness::new();
        assert!(!freshness.is_fresh(), "nobody has asked it yet");
        freshness.confirm(now());
        assert!(freshness.is_fresh());
        let Some(long_ago) = now().checked_sub(MAX_LAG) else { return };
        freshness.confirm(long_ago);
        assert!(!freshness.is_fresh());
    }
}
