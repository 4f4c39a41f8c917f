//! Timestamps and the clock. Stored as integer microseconds, formatted as RFC 3339 UTC.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use jiff::fmt::temporal::Pieces;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The only source of time. The server uses the system clock, tests control their own.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock.
    fn now(&self) -> Timestamp;
    /// A monotonic clock for durations and rate-limit windows.
    fn monotonic(&self) -> Duration;
}

/// A time in microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from microseconds since the epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Creates a timestamp from seconds since the epoch.
    #[must_use]
    pub const fn from_secs(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000_000))
    }

    /// Microseconds since the epoch, as stored.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Seconds since the epoch, rounded down.
    #[must_use]
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Seconds since the epoch, rounded up, for rate-limit headers.
    #[must_use]
    pub const fn as_secs_ceil(self) -> i64 {
        self.0.saturating_add(999_999).div_euclid(1_000_000)
    }

    /// Adds a duration.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// Subtracts a duration.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }

    /// The time since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The UTC year.
    #[must_use]
    pub fn year(self) -> u16 {
        let instant = jiff::Timestamp::from_microsecond(self.0).unwrap_or_default();
        u16::try_from(instant.to_zoned(jiff::tz::TimeZone::UTC).year()).unwrap_or_default()
    }

    /// The UTC date for people, such as `Nov 15, 2026`.
    #[must_use]
    pub fn date(self) -> String {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => date_words(jiff::tz::TimeZone::UTC.to_datetime(instant).date()),
            Err(_) => self.to_string(),
        }
    }

    /// Parses an RFC 3339 date-time with any offset.
    pub fn parse(text: &str) -> Result<Self, InvalidTimestamp> {
        let text = &*without_picoseconds(text);
        let instant: jiff::Timestamp = text.parse().map_err(|_| {
            // A valid date-time, but later than can be represented in every offset.
            match Pieces::parse(text) {
                Ok(pieces) if pieces.date().year() == 9999 => InvalidTimestamp::TooLate,
                _ => InvalidTimestamp::Malformed,
            }
        })?;
        Ok(Self(instant.as_microsecond()))
    }

    /// Parses a date and returns its start in UTC.
    pub fn parse_day(text: &str) -> Result<Self, InvalidTimestamp> {
        let day: jiff::civil::Date = text.parse().map_err(|_| InvalidTimestamp::Malformed)?;
        let begin = day.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| InvalidTimestamp::TooLate)?;
        Ok(Self(begin.timestamp().as_microsecond()))
    }
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarDay {
    /// The year.
    pub year: i16,
    /// The month, from 1 to 12.
    pub month: i8,
    /// The day of the month.
    pub day: i8,
}

impl From<jiff::civil::Date> for CalendarDay {
    fn from(date: jiff::civil::Date) -> Self {
        Self { year: date.year(), month: date.month(), day: date.day() }
    }
}

/// A date for people, such as `Nov 15, 2026`.
fn date_words(date: jiff::civil::Date) -> String {
    date.strftime("%b %-d, %Y").to_string()
}

/// Truncates to nine decimals of a second: RFC 3339 allows any number, and only six are stored.
fn without_picoseconds(text: &str) -> Cow<'_, str> {
    let Some((before, after)) = text.split_once('.') else { return text.into() };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    if digits <= 9 {
        return text.into();
    }
    format!("{before}.{}{}", &after[..9], &after[digits..]).into()
}

/// Why a text is not a valid timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTimestamp {
    /// Not an RFC 3339 date-time.
    #[error("must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z")]
    Malformed,
    /// Too late to be represented.
    #[error("must not be after 9999-12-30T22:00:00Z; omit it or send null for no end")]
    TooLate,
}

impl fmt::Display for Timestamp {
    /// Always six decimals, so that the text compares exactly with the stored value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clamped = self
            .0
            .clamp(jiff::Timestamp::MIN.as_microsecond(), jiff::Timestamp::MAX.as_microsecond());
        let instant = jiff::Timestamp::from_microsecond(clamped).map_err(|_| fmt::Error)?;
        write!(f, "{instant:.6}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_is_exact_both_ways() {
        let instant = Timestamp::from_micros(1_700_000_000_000_010);
        assert_eq!(instant.to_string(), "2023-11-14T22:13:20.000010Z");
        assert_eq!(Timestamp::parse("2023-11-14T23:13:20.00001+01:00"), Ok(instant));
        assert_eq!(Timestamp::parse("yesterday"), Err(InvalidTimestamp::Malformed));
        assert_eq!(Timestamp::parse("9999-12-30T22:00:00Z").unwrap().as_secs(), 253_402_207_200);
        for late in ["9999-12-30T22:00:01Z", "9999-12-31T23:59:59Z", "9999-12-31T00:00:00-05:00"] {
            assert_eq!(Timestamp::parse(late), Err(InvalidTimestamp::TooLate), "{late}");
        }
        assert_eq!(Timestamp::parse("9999-02-30T00:00:00Z"), Err(InvalidTimestamp::Malformed));
    }

    #[test]
    fn people_read_a_date() {
        for (text, date) in [
            ("2026-11-15T23:59:59Z", "Nov 15, 2026"),
            ("2026-01-01T00:30:00+01:00", "Dec 31, 2025"),
            ("2026-02-03T00:00:00Z", "Feb 3, 2026"),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().date(), date);
        }
    }

    #[test]
    fn seconds_round_as_named() {
        let instant = Timestamp::from_micros(1_000_001);
        assert_eq!((instant.as_secs(), instant.as_secs_ceil()), (1, 2));
        assert_eq!(Timestamp::from_secs(1).as_secs_ceil(), 1);
    }
}
