//! Rate limits: windows, what is left of them, and the rules both documents name.
//! A request passes when every window of its limit has room; then it counts in all, else in none.

mod names;

use std::cmp::Reverse;
use std::time::Duration;

pub use self::names::{InvalidLimits, LimitName, Limits};
use crate::Timestamp;

/// At most so many requests in a window that its first request opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Requests that pass.
    pub limit: u32,
    /// How long the window stays open.
    pub length: Duration,
}

/// What the rate-limit headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Requests that pass in the window.
    pub limit: u32,
    /// Requests left in it.
    pub remaining: u32,
    /// When the window closes.
    pub resets_at: Timestamp,
    /// How long until then.
    pub resets_in: Duration,
}

/// What a counter keeps of one window. Nothing used means closed, whatever the instant says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// When the first request came, on the counter's own clock.
    pub opened_at: Duration,
    /// Requests that passed since.
    pub used: u32,
}

/// One instant on both clocks: windows follow the first, headers show the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The clock that never goes back.
    pub monotonic: Duration,
    /// The clock that callers know.
    pub wall: Timestamp,
}

/// What can be done to a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Counts one request if it passes.
    Hit,
    /// Tells whether a request would pass, and counts nothing.
    Peek,
    /// Takes one counted request back.
    GiveBack,
}

/// The answer of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every window has room; the standing is that of the one with the fewest left.
    Passed(Standing),
    /// A window is exhausted; the standing is that of the last such to close.
    Refused(Standing),
}

impl Count {
    /// Whether the window is open: at its full length it is closed.
    #[must_use]
    pub fn is_open(self, window: Window, now: Duration) -> bool {
        self.used > 0 && now.saturating_sub(self.opened_at) < window.length
    }

    fn standing(self, window: Window, now: Moment) -> Standing {
        let age = now.monotonic.saturating_sub(self.opened_at);
        let resets_in = window.length.saturating_sub(age);
        Standing {
            limit: window.limit,
            remaining: window.limit.saturating_sub(self.used),
            resets_at: now.wall.plus(resets_in),
            resets_in,
        }
    }
}

impl Step {
    /// Does this to the counts of a limit's windows, given in the same order.
    pub fn take(self, windows: &[Window], counts: &mut [Count], now: Moment) -> Outcome {
        for (window, count) in windows.iter().zip(&mut *counts) {
            if !count.is_open(*window, now.monotonic) {
                *count = Count { opened_at: now.monotonic, used: 0 };
            }
            if self == Self::GiveBack {
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
    /// Chooses which window's standing a caller sees.
    #[must_use]
    pub fn of(passed: bool, windows: &[Window], counts: &[Count], now: Moment) -> Self {
        let standings =
            windows.iter().zip(counts).map(|(window, count)| count.standing(*window, now));
        // Of a refusal this is an exhausted one: only such have nothing left.
        let shown = standings.min_by_key(|it| (it.remaining, Reverse(it.resets_in)));
        let standing = shown.unwrap_or(Standing {
            limit: u32::MAX,
            remaining: u32::MAX,
            resets_at: now.wall,
            resets_in: Duration::ZERO,
        });
        if passed { Self::Passed(standing) } else { Self::Refused(standing) }
    }
}

#[cfg(test)]
mod tests {
    use super::names::per;
    use super::*;

    fn at(seconds: u64) -> Moment {
        let monotonic = Duration::from_secs(seconds);
        Moment { monotonic, wall: Timestamp::from_secs(1_000_000).plus(monotonic) }
    }

    fn standing(limit: u32, remaining: u32, now: u64, resets_in: u64) -> Standing {
        let resets_in = Duration::from_secs(resets_in);
        Standing { limit, remaining, resets_at: at(now).wall.plus(resets_in), resets_in }
    }

    #[test]
    fn the_first_request_opens_the_window_and_its_length_closes_it() {
        let (windows, mut counts) = ([per(2, 60)], [Count::default()]);
        let mut hit = |now| Step::Hit.take(&windows, &mut counts, at(now));
        assert_eq!(hit(7), Outcome::Passed(standing(2, 1, 7, 60)));
        assert_eq!(hit(66), Outcome::Passed(standing(2, 0, 66, 1)));
        assert_eq!(hit(66), Outcome::Refused(standing(2, 0, 66, 1)));
        assert_eq!(hit(67), Outcome::Passed(standing(2, 1, 67, 60)), "closed at exactly 60 s");
    }

    #[test]
    fn one_full_window_refuses_and_the_other_does_not_count() {
        let (windows, mut counts) = ([per(2, 10), per(3, 100)], [Count::default(); 2]);
        let mut hit = |now| Step::Hit.take(&windows, &mut counts, at(now));
        assert_eq!(hit(0), Outcome::Passed(standing(2, 1, 0, 10)));
        assert_eq!(hit(0), Outcome::Passed(standing(2, 0, 0, 10)));
        assert_eq!(hit(1), Outcome::Refused(standing(2, 0, 1, 9)));
        assert_eq!(hit(10), Outcome::Passed(standing(3, 0, 10, 90)), "the refused did not count");
        assert_eq!(hit(11), Outcome::Refused(standing(3, 0, 11, 89)));
    }

    #[test]
    fn the_later_reset_is_shown_when_as_many_are_left() {
        let (windows, mut counts) = ([per(1, 10), per(1, 100), per(1, 20)], [Count::default(); 3]);
        let mut hit = |now| Step::Hit.take(&windows, &mut counts, at(now));
        assert_eq!(hit(0), Outcome::Passed(standing(1, 0, 0, 100)));
        assert_eq!(hit(5), Outcome::Refused(standing(1, 0, 5, 95)));
    }

    #[test]
    fn peeking_counts_nothing_and_giving_back_stops_at_zero() {
        let (windows, mut counts) = ([per(1, 60)], [Count::default()]);
        let mut take = |step: Step, now| step.take(&windows, &mut counts, at(now));
        assert_eq!(take(Step::Peek, 0), Outcome::Passed(standing(1, 1, 0, 60)));
        assert_eq!(take(Step::GiveBack, 0), Outcome::Passed(standing(1, 1, 0, 60)));
        assert_eq!(take(Step::Hit, 1), Outcome::Passed(standing(1, 0, 1, 60)));
        assert_eq!(take(Step::Peek, 2), Outcome::Refused(standing(1, 0, 2, 59)));
        take(Step::GiveBack, 3);
        assert_eq!(take(Step::Hit, 4), Outcome::Passed(standing(1, 0, 4, 60)), "opened anew");
    }
}
