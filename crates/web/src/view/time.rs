//! Times as relative text, with the exact time as a tooltip.

use std::time::Duration;

use grantor_domain::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use maud::{Markup, html};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A relative time such as `4 min ago` or `in 2 days`.
pub(crate) fn ago(now: Timestamp, at: Timestamp) -> Markup {
    html! { time datetime=(at) title=(exact(at)) { (relative(now, at)) } }
}

/// A date.
pub(crate) fn day(at: Timestamp) -> Markup {
    html! { time datetime=(at) title=(exact(at)) { (date(at)) } }
}

/// Formats a time as the value of a `datetime-local` input, in UTC.
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
/// domain to reject.
pub(crate) fn from_input(entered: &str) -> String {
    match entered.len() {
        10 => format!("{entered}T00:00:00Z"),
        16 => format!("{entered}:00Z"),
        19 => format!("{entered}Z"),
        _ => entered.to_owned(),
    }
}

/// `Nov 15, 2026`
pub(crate) fn date(at: Timestamp) -> String {
    at.date()
}

/// `Nov 15, 2026, 17:04:09 UTC`
pub(crate) fn exact(at: Timestamp) -> String {
    let clock = civil(at).map(|it| it.strftime("%H:%M:%S").to_string()).unwrap_or_default();
    format!("{}, {clock} UTC", date(at))
}

/// Formats a duration in its two largest units, such as `2 h 5 min`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / DAY, seconds / HOUR % 24, seconds / MINUTE % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, ..) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

fn civil(at: Timestamp) -> Option<DateTime> {
    let instant = jiff::Timestamp::from_microsecond(at.as_micros()).ok()?;
    Some(TimeZone::UTC.to_datetime(instant))
}

fn relative(now: Timestamp, at: Timestamp) -> String {
    let (seconds, later) =
        if at > now { (at.since(now).as_secs(), true) } else { (now.since(at).as_secs(), false) };
    let (count, unit) = match seconds {
        0..45 if later => return "in a few seconds".to_owned(),
        0..45 => return "just now".to_owned(),
        45..HOUR => (seconds.div_ceil(MINUTE), "min"),
        HOUR..DAY => (seconds / HOUR, "hr"),
        DAY..2_592_000 => (seconds / DAY, if seconds < 2 * DAY { "day" } else { "days" }),
        _ => return date(at),
    };
    if later { format!("in {count} {unit}") } else { format!("{count} {unit} ago") }
}

#[cfg(test)]
mod tests {
    use super::*;

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
