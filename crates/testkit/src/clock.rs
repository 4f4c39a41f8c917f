//! A clock that stands still until a test advances it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grantor_domain::{Clock, Timestamp};

/// A mock clock, starting at 2026-01-01T00:00:00Z.
#[derive(Debug)]
pub struct MockClock(Mutex<Times>);

#[derive(Clone, Copy, Debug)]
struct Times {
    wall: Timestamp,
    monotonic: Duration,
}

impl MockClock {
    /// The time at which every mock clock starts.
    pub const START: Timestamp = Timestamp::from_secs(1_767_225_600);

    /// Advances both the wall clock and the monotonic clock.
    pub fn advance(&self, duration: Duration) {
        let mut times = self.times();
        times.wall = times.wall.plus(duration);
        times.monotonic += duration;
    }

    /// Sets the wall clock, as an operator or a time server would; the monotonic clock does not
    /// change.
    pub fn set_wall(&self, wall: Timestamp) {
        self.times().wall = wall;
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MockClock {
    /// The monotonic clock does not start at zero, so that code cannot mistake zero for "never".
    fn default() -> Self {
        Self(Mutex::new(Times { wall: Self::START, monotonic: Duration::from_hours(1) }))
    }
}

impl Clock for MockClock {
    fn now(&self) -> Timestamp {
        self.times().wall
    }

    fn monotonic(&self) -> Duration {
        self.times().monotonic
    }
}
