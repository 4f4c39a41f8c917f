//! Deliveries: an event sent to one webhook and retried until it succeeds or is given up (contract
//! section 6).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;

/// How long a sender may hold a claimed delivery before others may take it over. Well above the
/// maximum duration of an attempt.
pub const LEASE: Duration = Duration::from_secs(30);
/// How many bytes of a response are stored for the webhook's owner.
pub const MAX_STORED_RESPONSE: usize = 1_024;

enum_names!(DeliveryStatus);
enum_names!(DropReason);

/// The status of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum DeliveryStatus {
    /// Waiting for an attempt, or being attempted.
    Pending,
    /// The receiver accepted it.
    Delivered,
    /// All attempts failed.
    Failed,
    /// Not sent, or not retried.
    Dropped,
}

/// Why a delivery was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum DropReason {
    /// The tenant may no longer view the license.
    NotVisible,
    /// The webhook was disabled for longer than events are kept.
    Expired,
}

impl DeliveryStatus {
    /// The final statuses.
    pub const ENDED: [Self; 3] = [Self::Delivered, Self::Failed, Self::Dropped];
}

/// One attempt to send a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// When the attempt started.
    pub at: Timestamp,
    /// The duration in milliseconds.
    pub duration_ms: u64,
    /// The HTTP status code of the response, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status_code: Option<u16>,
    /// Why the attempt failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// The beginning of the response body.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer: Option<String>,
    /// The `webhook-signature` header that was sent. Attempts of older versions have none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<String>,
}

impl Attempt {
    /// Whether the receiver accepted the delivery with a 2xx status.
    #[must_use]
    pub fn arrived(&self) -> bool {
        self.status_code.is_some_and(|it| (200..300).contains(&it))
    }

    /// Whether the receiver answered 410 Gone and must not be called again.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.status_code == Some(410)
    }
}

/// The retry schedule: the wait before each attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule(Vec<Duration>);

impl Schedule {
    /// Creates a schedule from the waits before each attempt, including the first.
    #[must_use]
    pub fn new(waits: Vec<Duration>) -> Self {
        Self(waits)
    }

    /// The wait before the first attempt.
    #[must_use]
    pub fn first(&self) -> Duration {
        self.0.first().copied().unwrap_or_default()
    }

    /// The wait after the given number of failed attempts, or `None` to give up. `chance` (0 to
    /// 255) adds up to 10 percent of jitter. A longer `Retry-After` is honored, up to the longest
    /// wait of the schedule.
    #[must_use]
    pub fn wait(&self, failed: u32, chance: u8, retry_after: Option<Duration>) -> Option<Duration> {
        let wait = *self.0.get(usize::try_from(failed).ok()?)?;
        let spread = wait.mul_f64(f64::from(chance) / 2_560.0);
        let longest = self.0.iter().max().copied().unwrap_or_default();
        Some((wait + spread).max(retry_after.unwrap_or_default().min(longest)))
    }
}

impl Default for Schedule {
    /// The schedule given in the contract.
    fn default() -> Self {
        let hours = |hours| Duration::from_hours(hours);
        let (soon, minutes) = (Duration::from_secs(5), Duration::from_mins);
        Self(vec![
            Duration::ZERO,
            soon,
            minutes(5),
            minutes(30),
            hours(2),
            hours(5),
            hours(10),
            hours(14),
            hours(20),
            hours(24),
        ])
    }
}

/// Parses a `Retry-After` header: a number of seconds or a date.
#[must_use]
pub fn parse_retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit()) {
        // A number that overflows means a very long wait.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(Timestamp::from_secs(date.timestamp().as_second()).since(now))
}

/// Consecutive failures after which a receiver is paused.
const TRIPS: u32 = 5;
/// The longest pause.
const LONGEST_REST: Duration = Duration::from_secs(15);
/// Concurrent attempts allowed to a fast receiver at first. This many may be sent twice when a
/// sender is killed.
const NARROW: usize = 4;
/// The maximum number of concurrent attempts per receiver.
const WIDEST: usize = 16;
/// Consecutive successes after which a fast receiver gets one more concurrent attempt. A sender
/// that is killed repeatedly never gets far above [`NARROW`].
const EARNS: u32 = 32;
/// How far ahead deliveries are claimed for a trusted receiver, so that it does not wait for the
/// sender's next run.
const AHEAD: Duration = Duration::from_millis(50);
/// The maximum number of claimed deliveries per concurrent attempt.
const MOST_AHEAD: u128 = 8;
/// Responses within this time are fast; more concurrency would gain little.
const QUICK: Duration = Duration::from_millis(20);
/// Responses over this time are slow and reduce the concurrency.
const SLOW: Duration = Duration::from_secs(1);

/// The maximum concurrency for a given response time: slower receivers need more concurrent
/// attempts for the same throughput.
fn widest(taken: Duration) -> usize {
    let times = taken.as_millis().div_ceil(QUICK.as_millis());
    usize::try_from(times).unwrap_or(WIDEST).saturating_mul(NARROW).clamp(NARROW, WIDEST)
}

/// The concurrency and pauses of one receiver, learned from its responses. Failing or slow
/// receivers get few attempts, fast ones get as many as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    width: usize,
    failures: u32,
    proven: bool,
    /// Consecutive successes.
    answers: u32,
    /// The duration of the last attempt.
    taken: Duration,
}

impl Default for Trust {
    fn default() -> Self {
        Self { width: 2, failures: 0, proven: false, answers: 0, taken: SLOW }
    }
}

impl Trust {
    /// The maximum number of concurrent attempts.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The maximum number of claimed deliveries, including those in progress. Claimed deliveries
    /// are blocked until the lease ends if the sender is killed, so this stays close to what the
    /// receiver can take at once.
    #[must_use]
    pub fn held(&self) -> usize {
        if self.answers < EARNS {
            return self.width;
        }
        let times = (AHEAD.as_millis() / self.taken.as_millis().max(1)).clamp(1, MOST_AHEAD);
        self.width * usize::try_from(times).unwrap_or(1)
    }

    /// Whether the last response was successful and fast enough.
    #[must_use]
    pub const fn is_proven(&self) -> bool {
        self.proven
    }

    /// Records the result of an attempt. Returns how long to pause the receiver, if at all.
    pub fn learn(&mut self, arrived: bool, taken: Duration) -> Option<Duration> {
        self.proven = arrived && taken <= SLOW;
        self.answers = if self.proven { self.answers.saturating_add(1) } else { 0 };
        self.taken = taken;
        if !arrived {
            self.width = 1;
            self.failures = self.failures.saturating_add(1);
            let beyond = self.failures.checked_sub(TRIPS)?;
            return Some(Duration::from_secs(1 << beyond.min(6)).min(LONGEST_REST));
        }
        self.failures = 0;
        self.width = match self.width {
            width if taken > SLOW => (width / 2).max(1),
            width if width < NARROW => width * 2,
            // Grow slowly and do not shrink for one late response of a fast receiver.
            width => (width + 1).min(widest(taken).max(self.earned())),
        };
        None
    }

    fn earned(&self) -> usize {
        let steps = usize::try_from(self.answers / EARNS).unwrap_or(WIDEST);
        NARROW.saturating_add(steps).min(WIDEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_never_shrink_by_chance_and_end() {
        let schedule = Schedule::default();
        let seconds = |failed, chance, retry_after: Option<u64>| {
            schedule
                .wait(failed, chance, retry_after.map(Duration::from_secs))
                .map(|it| it.as_secs())
        };
        assert_eq!(schedule.first(), Duration::ZERO);
        let waits: Vec<_> = (1..=10).map(|failed| seconds(failed, 0, None)).collect();
        let hours = |hours: u64| Some(hours * 3_600);
        assert_eq!(waits[..3], [Some(5), Some(300), Some(1_800)]);
        assert_eq!(waits[3..7], [hours(2), hours(5), hours(10), hours(14)]);
        assert_eq!(waits[7..], [hours(20), hours(24), None]);
        assert_eq!(seconds(2, 255, None), Some(329), "a tenth more at most");
        assert_eq!(seconds(1, 0, Some(60)), Some(60), "a longer Retry-After");
        assert_eq!(seconds(2, 0, Some(60)), Some(300), "a shorter Retry-After");
        assert_eq!(seconds(1, 0, Some(u64::MAX)), hours(24), "no longer than the longest");
        let short = Schedule::new([0, 1, 7, 3].map(Duration::from_secs).to_vec());
        let retry_after = |seconds| short.wait(1, 0, Some(Duration::from_secs(seconds)));
        assert_eq!([2, 7, 8, u64::MAX].map(|it| retry_after(it).unwrap().as_secs()), [2, 7, 7, 7]);
    }

    #[test]
    fn a_receiver_asks_for_time_in_seconds_or_until_a_date() {
        let now = Timestamp::from_secs(784_111_777);
        let wait = |text| parse_retry_after(text, now).map(|it| it.as_secs());
        assert_eq!((wait("120"), wait(" 0 ")), (Some(120), Some(0)));
        assert_eq!(wait("Sun, 06 Nov 1994 08:50:37 GMT"), Some(60));
        assert_eq!(wait("Sat, 06 Nov 1993 08:49:37 GMT"), Some(0), "past");
        assert_eq!((wait("soon"), wait("-1"), wait("1.5"), wait("")), (None, None, None, None));
        assert_eq!(wait("99999999999999999999999"), Some(u64::MAX), "beyond counting");
    }

    #[test]
    fn trust_is_gained_by_answers_and_lost_by_failures() {
        let mut trust = Trust::default();
        let quick = Duration::from_millis(5);
        let widths = |trust: &mut Trust, arrived, taken, times: usize| -> Vec<usize> {
            let learn = |_| {
                trust.learn(arrived, taken);
                trust.width()
            };
            (0..times).map(learn).collect()
        };
        assert_eq!((trust.width(), trust.is_proven()), (2, false));
        assert_eq!(widths(&mut trust, true, quick, 3), [4, 4, 4]);
        assert!(trust.is_proven());
        assert_eq!(widths(&mut trust, true, Duration::from_secs(2), 3), [2, 1, 1]);
        assert!(!trust.is_proven(), "slow answers prove nothing");
        assert_eq!(widths(&mut trust, true, quick, 2), [2, 4]);
        assert_eq!(widths(&mut trust, false, quick, 2), [1, 1]);
    }

    #[test]
    fn the_longer_an_answer_takes_the_more_run_at_a_time() {
        let milliseconds = Duration::from_millis;
        let after = |answers: &[u64]| {
            let mut trust = Trust::default();
            for taken in answers {
                trust.learn(true, milliseconds(*taken));
            }
            trust.width()
        };
        let settled = [0, 5, 20, 21, 40, 41, 60, 61, 100, 1_000].map(|it| after(&[it; 20]));
        assert_eq!(settled, [4, 4, 4, 8, 8, 12, 12, 16, 16, 16]);
        assert_eq!(after(&[5, 5, 100, 100, 100]), 7, "one more for each");
        assert_eq!(after(&[100, 100, 100, 100, 5]), 4, "a quick one is enough to be quick");
        assert_eq!(after(&[[100; 20].as_slice(), &[1_001]].concat()), 8, "half for a slow one");
        let under_way = |taken| after(&[taken; 20]) as u64 * 1_000 / taken;
        assert_eq!([20, 50, 80, 100].map(under_way), [200, 240, 200, 160], "as many a second");
    }

    #[test]
    fn a_quick_receiver_earns_more_and_is_held_deliveries_ready() {
        let (quick, mut trust) = (Duration::from_millis(5), Trust::default());
        let mut after = |answers: usize, arrived, taken| {
            for _ in 0..answers {
                trust.learn(arrived, taken);
            }
            (trust.width(), trust.held())
        };
        assert_eq!(after(31, true, quick), (4, 4), "not yet");
        assert_eq!(after(1, true, quick), (5, 40), "eight for each: 40 ms at 5 ms an answer");
        assert_eq!(after(32, true, quick), (6, 48));
        assert_eq!(after(1_000, true, quick), (16, 128), "no more than that");
        assert_eq!(after(1, true, Duration::from_millis(30)), (16, 16), "none that waits long");
        assert_eq!(after(1, false, quick), (1, 1), "all is lost by a failure");
        assert_eq!(after(31, true, quick), (4, 4), "and to be earned again");
    }

    #[test]
    fn one_that_keeps_failing_is_left_alone_longer_each_time() {
        let mut trust = Trust::default();
        let quick = Duration::from_millis(5);
        let mut rests = |arrived| trust.learn(arrived, quick).map(|it| it.as_secs());
        let first: Vec<_> = (0..10).map(|_| rests(false)).collect();
        assert_eq!(first[..4], [None; 4]);
        assert_eq!(first[4..], [1, 2, 4, 8, 15, 15].map(Some));
        assert_eq!((rests(true), rests(false)), (None, None), "an answer ends it");
    }
}
