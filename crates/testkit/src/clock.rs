//! A clock that stands still until a test moves it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grantor_domain::{Clock, Timestamp};

/// A clock of the test's own, starting at 2026-01-01T00:00:00Z.
#[derive(Debug)]
pub struct MockClock(Mutex<Hands>);

#[derive(Clone, Copy, Debug)]
struct Hands {
    wall: Timestamp,
    monotonic: Duration,
}

impl MockClock {
    /// The instant every mock clock starts at.
    pub const START: Timestamp = Timestamp::from_secs(1_767_225_600);

    /// Lets time pass, on both hands.
    pub fn advance(&self, duration: Duration) {
        let mut hands = self.hands();
        hands.wall = hands.wall.plus(duration);
        hands.monotonic += duration;
    }

    /// Sets the wall clock, as an operator or a time server would: durations do not change.
    pub fn set_wall(&self, wall: Timestamp) {
        self.hands().wall = wall;
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MockClock {
    /// Not at zero of the monotonic hand: code must not take that for "never".
    fn default() -> Self {
        Self(Mutex::new(Hands { wall: Self::START, monotonic: Duration::from_hours(1) }))
    }
}

impl Clock for MockClock {
    fn now(&self) -> Timestamp {
        self.hands().wall
    }

    fn monotonic(&self) -> Duration {
        self.hands().monotonic
    }
}
