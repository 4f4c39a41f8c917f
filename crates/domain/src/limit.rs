//! Rate limits: windows, counters and the limits defined in the API documents. A request passes if
//! no window of its limit is exhausted. It is then counted in all windows, otherwise in none.

mod settings;

use std::cmp::Reverse;
use std::time::Duration;

pub use self::settings::{InvalidLimits, LimitName, Limits};
use crate::Timestamp;

/// A fixed window, opened by its first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The maximum number of requests.
    pub limit: u32,
    /// The length of the window.
    pub length: Duration,
}

/// The state of a window as shown in the rate-limit headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitState {
    /// The maximum number of requests in the window.
    pub limit: u32,
    /// The remaining requests.
    pub remaining: u32,
    /// When the window resets.
    pub resets_at: Timestamp,
    /// The time until the window resets.
    pub resets_in: Duration,
}

/// The counter of one window. If `used` is 0, the window is closed regardless of `opened_at`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// When the window was opened, on the counter's own clock.
    pub opened_at: Duration,
    /// Requests counted since.
    pub used: u32,
}

/// The current time on both clocks: windows use the monotonic clock, headers show the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// The monotonic clock.
    pub monotonic: Duration,
    /// The wall clock.
    pub wall: Timestamp,
}

/// An operation on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Counts a request if it passes.
    Hit,
    /// Checks whether a request would pass without counting it.
    Peek,
    /// Reverts one counted request.
    Refund,
}

/// The result of an operation on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No window is exhausted. Contains the state of the window with the fewest remaining requests.
    Passed(LimitState),
    /// A window is exhausted. Contains the state of the exhausted window that resets last.
    Refused(LimitState),
}

impl Count {
    /// Whether the window is open. It closes when its full length has passed.
    #[must_use]
    pub fn is_open(self, window: Window, now: Duration) -> bool {
        self.used > 0 && now.saturating_sub(self.opened_at) < window.length
    }

    fn state(self, window: Window, now: ClockReading) -> LimitState {
        let age = now.monotonic.saturating_sub(self.opened_at);
        let resets_in = window.length.saturating_sub(age);
        LimitState {
            limit: window.limit,
            remaining: window.limit.saturating_sub(self.used),
            resets_at: now.wall.plus(resets_in),
            resets_in,
        }
    }
}

impl Step {
    /// Applies the operation to the counts of a limit's windows, given in the same order.
    pub fn take(self, windows: &[Window], counts: &mut [Count], now: ClockReading) -> Outcome {
        for (window, count) in windows.iter().zip(&mut *counts) {
            if !count.is_open(*window, now.monotonic) {
                *count = Count { opened_at: now.monotonic, used: 0 };
            }
            if self == Self::Refund {
                count.used = count.used.saturating_sub(1);
            }
        }
        let passed = windows.iter().zip(&*counts).all(|(window, count)| count.used < window.limit);
        if passed && self == Self::Hit {
            for count in &mut *counts {
                count.used += 1;
            }
        }
        Outcome::of(passed, windows, counts, now)
    }
}

impl Outcome {
    /// Selects the window whose state the caller sees.
    #[must_use]
    pub fn of(passed: bool, windows: &[Window], counts: &[Count], now: ClockReading) -> Self {
        let states = windows.iter().zip(counts).map(|(window, count)| count.state(*window, now));
        // On a refusal this selects an exhausted window, because only those have nothing remaining.
        let shown = states.min_by_key(|it| (it.remaining, Reverse(it.resets_in)));
        let state = shown.unwrap_or(LimitState {
            limit: u32::MAX,
            remaining: u32::MAX,
            resets_at: now.wall,
            resets_in: Duration::ZERO,
        });
        if passed { Self::Passed(state) } else { Self::Refused(state) }
    }
}

#[cfg(test)]
mod tests {
    use super::settings::per;
    use super::*;

    fn at(seconds: u64) -> ClockReading {
        let monotonic = Duration::from_secs(seconds);
        ClockReading { monotonic, wall: Timestamp::from_secs(1_000_000).plus(monotonic) }
    }

    fn state(limit: u32, remaining: u32, now: u64, resets_in: u64) -> LimitState {
        let resets_in = Duration::from_secs(resets_in);
        LimitState { limit, remaining, resets_at: at(now).wall.plus(resets_in), resets_in }
    }

    #[test]
    fn the_first_request_opens_the_window_and_its_length_closes_it() {
        let (windows, mut counts) = ([per(2, 60)], [Count::default()]);
        let mut hit = |now| Step::Hit.take(&windows, &mut counts, at(now));
        assert_eq!(hit(7), Outcome::Passed(state(2, 1, 7, 60)));
        assert_eq!(hit(66), Outcome::Passed(state(2, 0, 66, 1)));
        assert_eq!(hit(66), Outcome::Refused(state(2, 0, 66, 1)));
        assert_eq!(hit(67), Outcome::Passed(state(2, 1, 67, 60)), "closed at exactly 60 s");
    }

    #[test]
    fn one_full_window_refuses_and_the_other_does_not_count() {
        let (windows, mut counts) = ([per(2, 10), per(3, 100)], [Count::default(); 2]);
        let mut hit = |now| Step::Hit.take(&windows, &mut counts, at(now));
        assert_eq!(hit(0), Outcome::Passed(state(2, 1, 0, 10)));
        assert_eq!(hit(0), Outcome::Passed(state(2, 0, 0, 10)));
        assert_eq!(hit(1), Outcome::Refused(state(2, 0, 1, 9)));
        assert_eq!(hit(10), Outcome::Passed(state(3, 0, 10, 90)), "the refused did not count");
        assert_eq!(hit(11), Outcome::Refused(state(3, 0, 11, 89)));
    }

    #[test]
    fn the_later_reset_is_shown_when_as_many_are_left() {
        let (windows, mut counts) = ([per(1, 10), per(1, 100), per(1, 20)], [Count::default(); 3]);
        let mut hit = |now| Step::Hit.take(&windows, &mut counts, at(now));
        assert_eq!(hit(0), Outcome::Passed(state(1, 0, 0, 100)));
        assert_eq!(hit(5), Outcome::Refused(state(1, 0, 5, 95)));
    }

    #[test]
    fn peeking_counts_nothing_and_giving_back_stops_at_zero() {
        let (windows, mut counts) = ([per(1, 60)], [Count::default()]);
        let mut take = |step: Step, now| step.take(&windows, &mut counts, at(now));
        assert_eq!(take(Step::Peek, 0), Outcome::Passed(state(1, 1, 0, 60)));
        assert_eq!(take(Step::Refund, 0), Outcome::Passed(state(1, 1, 0, 60)));
        assert_eq!(take(Step::Hit, 1), Outcome::Passed(state(1, 0, 1, 60)));
        assert_eq!(take(Step::Peek, 2), Outcome::Refused(state(1, 0, 2, 59)));
        take(Step::Refund, 3);
        assert_eq!(take(Step::Hit, 4), Outcome::Passed(state(1, 0, 4, 60)), "reopened");
    }
}
