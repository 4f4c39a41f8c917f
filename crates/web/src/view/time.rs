//! Times in the reader's language and time zone: as relative text with the exact time as a tooltip,
//! and in fields. Charts, calendars and filters by day have days of UTC.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::month::Month;
use grantor_messages::{Language, text};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use maud::{Markup, html};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The keys of the short names of months.
const MONTHS: [&str; 12] = [
    "locale-month-1",
    "locale-month-2",
    "locale-month-3",
    "locale-month-4",
    "locale-month-5",
    "locale-month-6",
    "locale-month-7",
    "locale-month-8",
    "locale-month-9",
    "locale-month-10",
    "locale-month-11",
    "locale-month-12",
];

tokio::task_local! {
    /// The time zone of the page that is being rendered.
    static ZONE: TimeZone;
}

/// Renders a page with times in this zone.
pub(crate) async fn in_zone<F: Future>(zone: TimeZone, page: F) -> F::Output {
    ZONE.scope(zone, page).await
}

fn zone() -> TimeZone {
    ZONE.try_with(TimeZone::clone).unwrap_or(TimeZone::UTC)
}

/// The time zone of fields, for their hints: `UTC` or `Europe/Berlin`.
pub(crate) fn zone_name() -> String {
    zone().iana_name().unwrap_or("UTC").replace('_', " ")
}

/// A relative time such as `4 min ago` or `in 2 days`.
pub(crate) fn ago(now: Timestamp, at: Timestamp) -> Markup {
    html! { time datetime=(at) title=(exact(at)) { (relative(now, at)) } }
}

/// A date.
pub(crate) fn day(at: Timestamp) -> Markup {
    html! { time datetime=(at) title=(exact(at)) { (date(at)) } }
}

/// Formats a time as the value of a `datetime-local` input, in the reader's time zone.
pub(crate) fn to_input(at: Timestamp) -> String {
    civil(at).map(|it| it.strftime("%Y-%m-%dT%H:%M").to_string()).unwrap_or_default()
}

/// Like [`to_input`], with the seconds if there are any, so that an unchanged time stays the same.
pub(crate) fn to_exact_input(at: Timestamp) -> String {
    match at.as_secs().rem_euclid(60) {
        0 => to_input(at),
        seconds => format!("{}:{seconds:02}", to_input(at)),
    }
}

/// Turns the value of such an input into RFC 3339. Anything else is returned unchanged, for the
/// domain to reject. A time that a change of the clock skips becomes the one after the change, and
/// of a time that comes twice the first one counts.
pub(crate) fn from_input(entered: &str) -> String {
    let utc = match entered.len() {
        10 => format!("{entered}T00:00:00Z"),
        16 => format!("{entered}:00Z"),
        19 => format!("{entered}Z"),
        _ => return entered.to_owned(),
    };
    let zone = zone();
    if zone.iana_name() == Some("UTC") {
        return utc;
    }
    let civil = utc.trim_end_matches('Z').parse::<DateTime>();
    let found = civil.and_then(|it| zone.to_timestamp(it));
    found.map_or(utc, |it| it.to_string())
}

/// Like [`from_input`], for a field that had a time before. An unchanged field keeps it, also if
/// the clock showed this time twice.
pub(crate) fn from_changed_input(entered: &str, before: Option<Timestamp>) -> String {
    match before {
        Some(at) if entered == to_input(at) || entered == to_exact_input(at) => {
            Timestamp::from_secs(at.as_secs()).to_string()
        }
        _ => from_input(entered),
    }
}

/// `Nov 15, 2026`
pub(crate) fn date(at: Timestamp) -> String {
    civil(at).map_or_else(|| at.to_string(), |it| words(it.date()))
}

/// Like [`date`], of the day in UTC, for charts and filters by day.
pub(crate) fn utc_date(at: Timestamp) -> String {
    utc(at).map_or_else(|| at.to_string(), |it| words(it.date()))
}

/// Like [`utc_date`], without the year: `Nov 15`.
pub(crate) fn short_utc_date(at: Timestamp) -> String {
    utc(at).map_or_else(
        || at.to_string(),
        |it| {
            let (day, month) = (it.day().to_string(), month_word(it.date()));
            text!("locale-short-date", day = day, month = month)
        },
    )
}

/// The day in UTC as filters by day have it, such as `2026-11-15`.
pub(crate) fn utc_day(at: Timestamp) -> String {
    utc(at).map(|it| it.date().to_string()).unwrap_or_default()
}

/// `Nov 2026`
pub(crate) fn month_name(month: Month) -> String {
    utc(month.start()).map_or_else(String::new, |it| month_and_year(it.date()))
}

/// `Nov 2026`, of any day of the month.
pub(crate) fn month_and_year(day: Date) -> String {
    text!("locale-month-year", month = month_word(day), year = day.year().to_string())
}

/// `Nov`, of any day of the month.
pub(crate) fn month_word(day: Date) -> &'static str {
    let index = usize::try_from(day.month()).unwrap_or(1).saturating_sub(1);
    MONTHS.get(index).copied().map_or("", |key| Language::current().text(key))
}

/// `Nov 15, 2026, 17:04:09 UTC`
pub(crate) fn exact(at: Timestamp) -> String {
    let Ok(instant) = jiff::Timestamp::from_microsecond(at.as_micros()) else {
        return at.to_string();
    };
    let zone = zone();
    let info = zone.to_offset_info(instant);
    // Some zones have no letters, only an offset such as `-03`.
    let sign = if info.abbreviation().starts_with(['+', '-']) { "UTC" } else { "" };
    let name = format!("{sign}{}", info.abbreviation());
    let local = info.offset().to_datetime(instant);
    let clock = local.strftime("%H:%M:%S").to_string();
    text!("locale-exact", date = words(local.date()), time = clock, zone = name)
}

/// Formats a duration in its two largest units, such as `2 h 5 min`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / DAY, seconds / HOUR % 24, seconds / MINUTE % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => text!("locale-duration-seconds", seconds = seconds),
        (0, 0, _) => text!("locale-duration-minutes", minutes = minutes),
        (0, ..) => text!("locale-duration-hours", hours = hours, minutes = minutes),
        _ => text!("locale-duration-days", days = days.to_string(), hours = hours),
    }
}

fn words(date: Date) -> String {
    let (day, year) = (date.day().to_string(), date.year().to_string());
    text!("locale-date", day = day, month = month_word(date), year = year)
}

/// The date and the clock in the reader's time zone.
fn civil(at: Timestamp) -> Option<DateTime> {
    let instant = jiff::Timestamp::from_microsecond(at.as_micros()).ok()?;
    Some(zone().to_datetime(instant))
}

fn utc(at: Timestamp) -> Option<DateTime> {
    let instant = jiff::Timestamp::from_microsecond(at.as_micros()).ok()?;
    Some(TimeZone::UTC.to_datetime(instant))
}

fn relative(now: Timestamp, at: Timestamp) -> String {
    let (seconds, later) =
        if at > now { (at.since(now).as_secs(), true) } else { (now.since(at).as_secs(), false) };
    match (seconds, later) {
        (0..45, true) => text!("locale-in-seconds").to_owned(),
        (0..45, false) => text!("locale-just-now").to_owned(),
        (45..HOUR, true) => text!("locale-in-minutes", count = seconds.div_ceil(MINUTE)),
        (45..HOUR, false) => text!("locale-minutes-ago", count = seconds.div_ceil(MINUTE)),
        (HOUR..DAY, true) => text!("locale-in-hours", count = seconds / HOUR),
        (HOUR..DAY, false) => text!("locale-hours-ago", count = seconds / HOUR),
        // What was just set to end in a week ends in 7 days, not in 6.
        (DAY..2_592_000, true) => text!("locale-in-days", count = (seconds + DAY / 2) / DAY),
        (DAY..2_592_000, false) => text!("locale-days-ago", count = seconds / DAY),
        _ => date(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read<T>(language: &str, zone: &str, page: impl FnOnce() -> T) -> T {
        let zone = TimeZone::get(zone).unwrap();
        Language::find(language).unwrap().scope(in_zone(zone, async { page() })).await
    }

    #[tokio::test]
    async fn times_are_in_the_language_and_the_zone_of_the_reader() {
        let at = Timestamp::parse("2026-03-15T23:30:00Z").unwrap();
        let page = || [date(at), exact(at), utc_date(at), short_utc_date(at), utc_day(at)];
        let seen = read("en", "America/New_York", page).await;
        let english =
            ["Mar 15, 2026", "Mar 15, 2026, 19:30:00 EDT", "Mar 15, 2026", "Mar 15", "2026-03-15"];
        assert_eq!(seen, english);
        let seen = read("de", "Europe/Berlin", page).await;
        let german = [
            "16. März 2026",
            "16. März 2026, 00:30:00 CET",
            "15. März 2026",
            "15. März",
            "2026-03-15",
        ];
        assert_eq!(seen, german);
        let seen = read("en", "America/Sao_Paulo", || (exact(at), zone_name())).await;
        let expected = ("Mar 15, 2026, 20:30:00 UTC-03", "America/Sao Paulo");
        assert_eq!((seen.0.as_str(), seen.1.as_str()), expected);
    }

    #[tokio::test]
    async fn a_field_is_read_in_the_zone_in_which_it_was_shown() {
        let berlin = async |page: fn() -> String| read("en", "Europe/Berlin", page).await;
        assert_eq!(berlin(|| from_input("2026-07-01T12:00")).await, "2026-07-01T10:00:00Z");
        assert_eq!(berlin(|| from_input("2026-07-01")).await, "2026-06-30T22:00:00Z");
        // The clock skips from 02:00 to 03:00, and later goes back from 03:00 to 02:00.
        assert_eq!(berlin(|| from_input("2026-03-29T02:30")).await, "2026-03-29T01:30:00Z");
        assert_eq!(berlin(|| from_input("2026-10-25T02:30")).await, "2026-10-25T00:30:00Z");
        assert_eq!(berlin(|| from_input("2026-99-25T02:30")).await, "2026-99-25T02:30:00Z");
        let kept = |text: &'static str| {
            let at = Timestamp::parse(text).unwrap();
            let entered = to_exact_input(at);
            Timestamp::parse(&from_changed_input(&entered, Some(at))).unwrap() == at
        };
        for text in ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-07-01T10:00:09Z"] {
            assert!(read("en", "Europe/Berlin", || kept(text)).await, "{text}");
        }
    }

    #[test]
    fn moments_are_told_as_people_tell_them() {
        let now = Timestamp::parse("2026-11-15T17:04:09Z").unwrap();
        let text = |at: &str| relative(now, Timestamp::parse(at).unwrap());
        assert_eq!(text("2026-11-15T17:04:00Z"), "just now");
        assert_eq!(text("2026-11-15T17:01:00Z"), "4 min ago");
        assert_eq!(text("2026-11-15T10:04:00Z"), "7 hr ago");
        assert_eq!(text("2026-11-14T10:04:00Z"), "1 day ago");
        assert_eq!(text("2026-11-01T10:04:00Z"), "14 days ago");
        assert_eq!(text("2025-02-01T10:04:00Z"), "Feb 1, 2025");
        assert_eq!(text("2026-11-17T17:04:10Z"), "in 2 days");
        assert_eq!(exact(now), "Nov 15, 2026, 17:04:09 UTC");
        assert_eq!(month_name(Month::of(now)), "Nov 2026");
    }

    #[test]
    fn spans_are_told_in_two_units() {
        let text = [0, 59, 60, 3_599, 3_600, 90_000].map(|it| duration(Duration::from_secs(it)));
        assert_eq!(text, ["0 s", "59 s", "1 min", "59 min", "1 h 0 min", "1 d 1 h"]);
    }

    #[test]
    fn a_field_gives_back_what_it_was_given() {
        let at = Timestamp::parse("2026-11-15T17:04:00Z").unwrap();
        assert_eq!(to_input(at), "2026-11-15T17:04");
        assert_eq!(Timestamp::parse(&from_input(&to_input(at))), Ok(at));
        assert_eq!(to_exact_input(at), to_input(at));
        let at = Timestamp::parse("2026-11-15T17:04:09Z").unwrap();
        assert_eq!(to_exact_input(at), "2026-11-15T17:04:09");
        assert_eq!(Timestamp::parse(&from_input(&to_exact_input(at))), Ok(at));
        assert_eq!(from_input("soon"), "soon");
    }
}
