//! Calendar months in UTC, for charts and calendars.

use std::fmt;

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::Timestamp;

/// The years that a month may be in. Nothing in lists is from other years.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2999;

/// A calendar month in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(Date);

impl Month {
    /// The month of a time.
    #[must_use]
    pub fn of(at: Timestamp) -> Self {
        let instant = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or_default();
        Self(instant.to_zoned(TimeZone::UTC).date().first_of_month())
    }

    /// Parses a month such as 2026-01.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let whole = text.len() == "2026-01".len();
        let first = whole.then(|| format!("{text}-01").parse::<Date>().ok()).flatten();
        let known = first.filter(|it| YEARS.contains(&it.year()));
        known.map(Self).ok_or("must be a month such as 2026-01, in the years 1900 to 2999")
    }

    /// The month after.
    #[must_use]
    pub fn following(self) -> Self {
        self.0.checked_add(1.month()).map_or(self, Self)
    }

    /// This month and those after it.
    #[must_use]
    pub fn and_following(self, count: usize) -> Vec<Self> {
        std::iter::successors(Some(self), |it| Some(it.following())).take(count).collect()
    }

    /// The first day, such as 2026-01-01.
    #[must_use]
    pub fn first_day(self) -> String {
        self.0.to_string()
    }

    /// The last day, such as 2026-01-31.
    #[must_use]
    pub fn last_day(self) -> String {
        self.0.last_of_month().to_string()
    }

    /// The start of the month.
    #[must_use]
    pub fn start(self) -> Timestamp {
        Timestamp::parse_day(&self.first_day()).unwrap_or(Timestamp::from_micros(0))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_its_days_and_its_followers() {
        let at = Timestamp::parse("2026-11-30T23:59:59Z").unwrap();
        let month = Month::of(at);
        assert_eq!(month.to_string(), "2026-11");
        assert_eq!([month.first_day(), month.last_day()], ["2026-11-01", "2026-11-30"]);
        assert_eq!(month.start().to_string(), "2026-11-01T00:00:00.000000Z");
        let names: Vec<_> = month.and_following(3).iter().map(Month::to_string).collect();
        assert_eq!(names, ["2026-11", "2026-12", "2027-01"]);
    }

    #[test]
    fn only_months_are_months() {
        assert_eq!(Month::parse("2026-01").unwrap().to_string(), "2026-01");
        for bad in ["2026", "2026-13", "2026-1", "1899-12", "3000-01", "26-01-1", "soon", ""] {
            assert!(Month::parse(bad).is_err(), "{bad}");
        }
    }
}
