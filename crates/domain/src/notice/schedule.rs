//! When a person's daily digest comes: at an hour in their time zone.

use std::sync::LazyLock;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::old_zone::OLD_NAMES;
use crate::Timestamp;
use crate::time::CalendarDay;

/// The regions whose time zones can be chosen. Other names of the database are old spellings or
/// fixed offsets.
const REGIONS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

const UTC: &str = "UTC";

/// A day, as far as a digest is concerned.
const DAY: Duration = Duration::from_hours(24);

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let known = |name: &str| name.split_once('/').is_some_and(|(it, _)| REGIONS.contains(&it));
    let all = jiff::tz::db().available().map(|it| it.as_str().to_owned());
    let mut names: Vec<_> = all.filter(|it| known(it)).collect();
    names.push(UTC.to_owned());
    names.sort_unstable();
    names.dedup();
    names
});

/// A time zone of the IANA database, such as `Europe/Berlin`. A person has one for everything: pages,
/// emails and the digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(String);

impl Default for Zone {
    fn default() -> Self {
        Self(UTC.to_owned())
    }
}

impl Zone {
    /// Parses the name of a time zone.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = NAMES.binary_search_by(|it| it.as_str().cmp(text)).is_ok();
        let refusal = "must be an IANA time zone such as Europe/Berlin";
        if found { Ok(Self(text.to_owned())) } else { Err(refusal.to_owned()) }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names of all time zones, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(String::as_str)
    }

    /// The names to choose from: without old ones, but with the one that is chosen.
    pub fn choices(chosen: &str) -> impl Iterator<Item = &'static str> {
        Self::names().filter(move |it| *it == chosen || OLD_NAMES.binary_search(it).is_err())
    }

    /// The rules of the time zone.
    #[must_use]
    pub fn rules(&self) -> TimeZone {
        TimeZone::get(&self.0).unwrap_or(TimeZone::UTC)
    }

    /// The time of day in the time zone, such as `09:30`, and the abbreviation of the zone then.
    #[must_use]
    pub fn clock(&self, at: Timestamp) -> (String, String) {
        let instant = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or_default();
        let rules = self.rules();
        let info = rules.to_offset_info(instant);
        // Some zones have no letters, only an offset such as `-03`.
        let sign = if info.abbreviation().starts_with(['+', '-']) { "UTC" } else { "" };
        let time = info.offset().to_datetime(instant).strftime("%H:%M").to_string();
        (time, format!("{sign}{}", info.abbreviation()))
    }

    /// The day in the time zone.
    #[must_use]
    pub fn day(&self, at: Timestamp) -> CalendarDay {
        day_of(&self.rules(), at).into()
    }
}

/// An hour of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestHour(u8);

impl Default for DigestHour {
    fn default() -> Self {
        Self(8)
    }
}

impl DigestHour {
    /// The last hour of a day.
    pub const MAX: u8 = 23;

    /// An hour from 0 to 23.
    pub fn new(hour: u32) -> Result<Self, String> {
        match u8::try_from(hour) {
            Ok(hour) if hour <= Self::MAX => Ok(Self(hour)),
            _ => Err(format!("must be a whole number from 0 to {}", Self::MAX)),
        }
    }

    /// The number of the hour.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    fn civil(self) -> i8 {
        i8::try_from(self.0).unwrap_or(0)
    }
}

/// When a person's digest comes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestSchedule {
    /// The hour of the day.
    pub hour: DigestHour,
    /// The time zone of the hour.
    pub zone: Zone,
}

impl DigestSchedule {
    /// The next digest after `now`, on another day than the last one.
    #[must_use]
    pub fn next(&self, now: Timestamp, last: Option<Timestamp>) -> Timestamp {
        let rules = self.zone.rules();
        let last = last.map(|it| day_of(&rules, it));
        let mut day = day_of(&rules, now);
        // Today, tomorrow, or the day after a digest that came in a time zone further east.
        for _ in 0..4 {
            let due = rules.to_timestamp(day.at(self.hour.civil(), 0, 0, 0));
            let due = due.map(|it| Timestamp::from_micros(it.as_microsecond()));
            if let Ok(due) = due
                && due > now
                && last.is_none_or(|it| day > it)
            {
                return due;
            }
            day = day.tomorrow().unwrap_or(day);
        }
        now.plus(DAY)
    }

    /// Whether a digest may come now: not twice on one day.
    #[must_use]
    pub fn allows(&self, now: Timestamp, last: Option<Timestamp>) -> bool {
        let rules = self.zone.rules();
        last.is_none_or(|it| day_of(&rules, now) > day_of(&rules, it))
    }
}

fn day_of(rules: &TimeZone, at: Timestamp) -> Date {
    let instant = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or_default();
    rules.to_datetime(instant).date()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn schedule(hour: u32, zone: &str) -> DigestSchedule {
        DigestSchedule { hour: DigestHour::new(hour).unwrap(), zone: Zone::parse(zone).unwrap() }
    }

    #[test]
    fn a_digest_comes_at_the_hour_of_its_person() {
        for (hour, zone, now, next) in [
            (8, "UTC", "2026-01-01T00:00:00Z", "2026-01-01T08:00:00Z"),
            (8, "UTC", "2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z"),
            (8, "Europe/Berlin", "2026-01-01T00:00:00Z", "2026-01-01T07:00:00Z"),
            (8, "Europe/Berlin", "2026-07-01T00:00:00Z", "2026-07-01T06:00:00Z"),
            (20, "America/Los_Angeles", "2026-01-01T05:00:00Z", "2026-01-02T04:00:00Z"),
            (0, "Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T18:15:00Z"),
        ] {
            assert_eq!(schedule(hour, zone).next(at(now), None), at(next), "{zone} {now}");
        }
    }

    #[test]
    fn an_hour_that_a_change_of_the_clock_skips_comes_later() {
        let berlin = schedule(2, "Europe/Berlin");
        assert_eq!(berlin.next(at("2026-03-29T00:00:00Z"), None), at("2026-03-29T01:00:00Z"));
        // The hour comes twice: the first one counts.
        assert_eq!(berlin.next(at("2026-10-24T22:30:00Z"), None), at("2026-10-25T00:00:00Z"));
    }

    #[test]
    fn there_is_one_a_day_whatever_is_changed() {
        let (now, last) = (at("2026-01-01T09:00:00Z"), at("2026-01-01T08:00:00Z"));
        assert_eq!(schedule(18, "UTC").next(now, Some(last)), at("2026-01-02T18:00:00Z"));
        assert_eq!(schedule(18, "UTC").next(now, None), at("2026-01-01T18:00:00Z"));
        assert!(!schedule(18, "UTC").allows(at("2026-01-01T23:59:59Z"), Some(last)));
        assert!(schedule(18, "UTC").allows(at("2026-01-02T00:00:00Z"), Some(last)));
        assert!(schedule(18, "UTC").allows(now, None));
        let late = at("2026-01-01T23:00:00Z");
        let honolulu = schedule(8, "Pacific/Honolulu");
        assert_eq!(honolulu.next(late, Some(late)), at("2026-01-02T18:00:00Z"));
    }

    #[test]
    fn the_day_is_that_of_the_person() {
        let late = at("2026-01-31T23:30:00Z");
        let day = |name| Zone::parse(name).unwrap().day(late);
        assert_eq!(day("UTC"), CalendarDay { year: 2026, month: 1, day: 31 });
        assert_eq!(day("Europe/Berlin"), CalendarDay { year: 2026, month: 2, day: 1 });
    }

    #[test]
    fn only_places_are_time_zones() {
        assert!(Zone::names().count() > 300);
        for name in ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata"] {
            assert_eq!(Zone::parse(name).unwrap().as_str(), name);
            assert_eq!(Zone::parse(name).unwrap().rules().iana_name(), Some(name));
        }
        for name in ["", "utc", "Etc/GMT+1", "US/Pacific", "Europe/Atlantis", "../etc/passwd"] {
            assert!(Zone::parse(name).is_err(), "{name}");
        }
        assert!(DigestHour::new(24).is_err() && DigestHour::new(23).is_ok());
    }

    #[test]
    fn an_old_name_stays_valid_and_is_not_offered() {
        assert!(OLD_NAMES.is_sorted());
        let times = ["2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z"].map(at);
        let clocks = |name: &str| times.map(|it| Zone::parse(name).unwrap().clock(it));
        let offered: HashSet<_> = Zone::choices("").map(clocks).collect();
        for old in OLD_NAMES {
            assert!(offered.contains(&clocks(old)), "{old} is like one that is offered");
            assert!(Zone::choices("").all(|it| it != old), "{old}");
            assert!(Zone::choices(old).any(|it| it == old), "{old}");
        }
        assert_eq!(Zone::names().count() - Zone::choices("UTC").count(), OLD_NAMES.len());
    }
}
