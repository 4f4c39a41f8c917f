//! The monthly request quota of a tenant (contract section 3): calendar months, and how much of the
//! quota a node reserves at once.

use std::time::Duration;

use crate::Timestamp;

/// The maximum a node reserves at once, and so the maximum lost in a crash.
const LARGEST: u64 = 1_000;

/// A calendar month in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    /// Year and month as one number, such as 202601.
    pub number: i64,
    /// The start of the next month.
    pub ends_at: Timestamp,
}

impl Month {
    /// The month that contains a time.
    #[must_use]
    pub fn of(now: Timestamp) -> Self {
        let begun = jiff::Timestamp::from_microsecond(now.as_micros())
            .map_or(jiff::civil::Date::MAX, |it| {
                it.to_zoned(jiff::tz::TimeZone::UTC).date().first_of_month()
            });
        let next = begun.checked_add(jiff::Span::new().months(1)).ok();
        let next = next.and_then(|it| it.to_zoned(jiff::tz::TimeZone::UTC).ok());
        Self {
            number: i64::from(begun.year()) * 100 + i64::from(begun.month()),
            ends_at: next.map_or(Timestamp::from_micros(i64::MAX), |it| {
                Timestamp::from_micros(it.timestamp().as_microsecond())
            }),
        }
    }

    /// The time until the month ends.
    #[must_use]
    pub fn left(self, now: Timestamp) -> Duration {
        self.ends_at.since(now)
    }
}

/// The number of requests a node reserves at once: one percent of the remaining quota, and single
/// requests near the end, so that nodes do not hold back quota from each other. 0 if none remains.
#[must_use]
pub fn block(limit: Option<u64>, taken: u64) -> u64 {
    let Some(limit) = limit else { return LARGEST };
    let left = limit.saturating_sub(taken);
    (left / 100).clamp(1, LARGEST).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_those_of_the_calendar() {
        for (now, number, ends) in [
            ("2026-01-01T00:00:00Z", 202_601, "2026-02-01T00:00:00.000000Z"),
            ("2026-01-31T23:59:59.999999Z", 202_601, "2026-02-01T00:00:00.000000Z"),
            ("2028-02-29T12:00:00Z", 202_802, "2028-03-01T00:00:00.000000Z"),
            ("2026-12-31T23:00:00-03:00", 202_701, "2027-02-01T00:00:00.000000Z"),
        ] {
            let month = Month::of(Timestamp::parse(now).unwrap());
            assert_eq!((month.number, month.ends_at.to_string()), (number, ends.to_owned()));
        }
    }

    #[test]
    fn blocks_shrink_to_one_and_never_reach_beyond_the_limit() {
        for limit in [0, 1, 99, 10_000, 100_000, 1_000_000] {
            let mut taken = 0;
            loop {
                let more = block(Some(limit), taken);
                if more == 0 {
                    break;
                }
                assert!(more <= LARGEST && (more == 1 || more * 100 <= limit - taken));
                taken += more;
            }
            assert_eq!(taken, limit);
        }
        assert_eq!(block(None, u64::MAX), LARGEST);
        assert_eq!(block(Some(10), 20), 0, "a plan that shrank");
    }
}
