//! Calendar days in UTC and ranges of them, for filters.

use std::fmt;

use jiff::civil::Date;

use crate::Timestamp;

/// The years that a filter may name. Nothing in lists is from other years.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2999;

/// A calendar day in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Date);

impl Day {
    /// Parses a day such as 2026-01-31.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let day = text.parse::<Date>().ok().filter(|_| text.len() == "2026-01-31".len());
        let day = day.ok_or("must be a day such as 2026-01-31")?;
        if YEARS.contains(&day.year()) {
            Ok(Self(day))
        } else {
            Err("must be in a year from 1900 to 2999")
        }
    }

    /// The day before.
    #[must_use]
    pub fn previous(self) -> Self {
        self.0.yesterday().map_or(self, Self)
    }

    /// The start of the day.
    #[must_use]
    pub fn start(self) -> Timestamp {
        Timestamp::parse_day(&self.to_string()).unwrap_or(Timestamp::from_micros(0))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

/// A range of days, both ends included; open where an end is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayRange {
    /// The first day.
    pub from: Option<Day>,
    /// The last day.
    pub until: Option<Day>,
}

/// A part of a range of days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DayPart {
    /// Whole years, both ends included; open where an end is missing.
    Years(Option<i16>, Option<i16>),
    /// A month, such as `2026-01`.
    Month(String),
    /// A day, such as `2026-01-31`.
    Day(String),
}

impl DayRange {
    /// Whether the range has neither end.
    #[must_use]
    pub fn is_open(self) -> bool {
        self == Self::default()
    }

    /// Whether the last day is before the first, so that nothing is in the range.
    #[must_use]
    pub fn is_reversed(self) -> bool {
        self.from.zip(self.until).is_some_and(|(from, until)| until < from)
    }

    /// The range as few whole years, months and days.
    #[must_use]
    pub fn parts(self) -> Vec<DayPart> {
        let mut parts = Vec::new();
        if self.is_reversed() {
            return parts;
        }
        let end = self.until.and_then(|it| it.0.tomorrow().ok());
        let mut at = self.from.map(|it| it.0);
        if let Some(day) = at {
            at = Some(fill(&mut parts, day, end));
        }
        if at.zip(end).is_some_and(|(at, end)| at >= end) {
            return parts;
        }
        let (first, last) = (at.map(Date::year), end.map(|it| it.year() - 1));
        if first.zip(last).is_none_or(|(first, last)| first <= last) {
            parts.push(DayPart::Years(first, last));
        }
        if let Some(end) = end {
            let january = Date::new(end.year(), 1, 1).unwrap_or(end);
            let rest = at.map_or(january, |it| it.max(january));
            fill_rest(&mut parts, rest, end);
        }
        parts
    }
}

/// Adds months and days up to the next whole year or the end (exclusive), and returns that day.
fn fill(parts: &mut Vec<DayPart>, from: Date, end: Option<Date>) -> Date {
    let mut day = from;
    while (day.month(), day.day()) != (1, 1) && end.is_none_or(|end| day < end) {
        day = step(parts, day, end);
    }
    day
}

/// Adds months and days up to the end (exclusive).
fn fill_rest(parts: &mut Vec<DayPart>, from: Date, end: Date) {
    let mut day = from;
    while day < end {
        day = step(parts, day, Some(end));
    }
}

/// Adds the month that starts on this day, or else the day, and returns the day after.
fn step(parts: &mut Vec<DayPart>, day: Date, end: Option<Date>) -> Date {
    let next_month = day.last_of_month().tomorrow().unwrap_or(Date::MAX);
    if day.day() == 1 && end.is_none_or(|end| next_month <= end) {
        parts.push(DayPart::Month(format!("{:04}-{:02}", day.year(), day.month())));
        return next_month;
    }
    parts.push(DayPart::Day(Day(day).to_string()));
    day.tomorrow().unwrap_or(Date::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: &str, until: &str) -> DayRange {
        let day = |text: &str| (!text.is_empty()).then(|| Day::parse(text).unwrap());
        DayRange { from: day(from), until: day(until) }
    }

    fn parts(from: &str, until: &str) -> Vec<String> {
        let shown = |part: DayPart| match part {
            DayPart::Years(first, last) => {
                let year = |it: Option<i16>| it.map(|it| it.to_string()).unwrap_or_default();
                format!("{}..{}", year(first), year(last))
            }
            DayPart::Month(text) | DayPart::Day(text) => text,
        };
        range(from, until).parts().into_iter().map(shown).collect()
    }

    #[test]
    fn a_day_is_a_date_of_our_times() {
        assert_eq!(Day::parse("2026-01-31").unwrap().to_string(), "2026-01-31");
        let start = Day::parse("2026-01-31").unwrap().start();
        assert_eq!(start.to_string(), "2026-01-31T00:00:00.000000Z");
        assert_eq!(Day::parse("2026-01-01").unwrap().previous().to_string(), "2025-12-31");
        for bad in ["", "2026-02-30", "2026-1-3", "31.01.2026", "2026-01-31T00:00"] {
            assert_eq!(Day::parse(bad), Err("must be a day such as 2026-01-31"), "{bad}");
        }
        assert_eq!(Day::parse("1899-12-31"), Err("must be in a year from 1900 to 2999"));
    }

    #[test]
    fn ranges_are_few_parts() {
        assert_eq!(parts("2026-01-30", "2026-02-02").len(), 4);
        assert_eq!(parts("2026-01-01", "2026-12-31"), ["2026..2026"]);
        assert_eq!(parts("2026-02-01", "2026-03-31"), ["2026-02", "2026-03"]);
        assert_eq!(parts("2025-12-31", "2027-01-01"), ["2025-12-31", "2026..2026", "2027-01-01"]);
        assert_eq!(parts("2025-12-31", "2026-01-01"), ["2025-12-31", "2026-01-01"]);
        assert_eq!(parts("2026-12-31", ""), ["2026-12-31", "2027.."]);
        assert_eq!(parts("", "2026-01-02"), ["..2025", "2026-01-01", "2026-01-02"]);
        assert_eq!(parts("", ""), [".."]);
        assert_eq!(parts("2026-02-02", "2026-02-01"), [""; 0]);
        assert_eq!(parts("2026-05-05", "2026-05-05"), ["2026-05-05"]);
    }

    #[test]
    fn every_day_of_a_range_is_in_one_part() {
        let (from, until) = (range("2024-02-27", "").from, range("", "2027-03-02").until);
        let all = DayRange { from, until }.parts();
        let mut day = from.unwrap().0;
        while day <= until.unwrap().0 {
            let text = Day(day).to_string();
            let has = |part: &&DayPart| match part {
                DayPart::Years(first, last) => {
                    let year = day.year();
                    first.is_none_or(|it| it <= year) && last.is_none_or(|it| year <= it)
                }
                DayPart::Month(month) => text.starts_with(month.as_str()),
                DayPart::Day(it) => *it == text,
            };
            assert_eq!(all.iter().filter(has).count(), 1, "{text}");
            day = day.tomorrow().unwrap();
        }
        assert!(all.len() < 60, "{}", all.len());
    }
}
