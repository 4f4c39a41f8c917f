//! How long a unit of work waits for a thread: measured, and bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram};

const WAITS: u8 = 0;
const STARTED: u8 = 1;
const GIVEN_UP: u8 = 2;

/// The wait of one unit. Clones share it: the thread starts the unit or its caller gives up, never
/// both.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    state: Arc<AtomicU8>,
    since: Instant,
    limit: Duration,
    waits: Histogram,
    timeouts: Counter,
}

impl Wait {
    /// Begins a wait.
    pub(super) fn new(limit: Duration, waits: Histogram, timeouts: Counter) -> Self {
        Self { state: Arc::default(), since: now(), limit, waits, timeouts }
    }

    /// How long it may last.
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// Ends the wait because a thread is ready. Returns false if the caller gave up.
    pub(super) fn start(&self) -> bool {
        let started = self.change(STARTED);
        if started {
            self.waits.record(self.since.elapsed().as_secs_f64());
        }
        started
    }

    /// Ends the wait because it takes too long. Returns false if the unit has started.
    pub(super) fn give_up(&self) -> bool {
        let given_up = self.change(GIVEN_UP);
        if given_up {
            self.timeouts.increment(1);
        }
        given_up
    }

    fn change(&self, to: u8) -> bool {
        self.state.compare_exchange(WAITS, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// The time, for measuring how long the database takes. No result depends on it.
#[expect(clippy::disallowed_methods, reason = "how long a database takes is real time")]
pub(super) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait() -> Wait {
        Wait::new(Duration::from_secs(1), Histogram::noop(), Counter::noop())
    }

    #[test]
    fn a_unit_starts_or_is_given_up() {
        let (started, given_up) = (wait(), wait());
        assert!(started.start() && !started.give_up());
        assert!(given_up.give_up() && !given_up.clone().start());
    }
}
