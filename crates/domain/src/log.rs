//! Reading the log: which entries are asked for, and in which form they are taken away (contract
//! sections 5 and 8). What an entry is stands in `audit`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::audit::{Class, Level};
use crate::error::{Fields, Result};
use crate::named::named;
use crate::search::{MAX_LENGTH, SearchQuery};
use crate::text::fold_words;
use crate::time::{InvalidTimestamp, Timestamp};

named!(ExportFormat);

/// How long an export can be fetched.
pub const EXPORT_LIFE: Duration = Duration::from_hours(24);

/// The most characters of a search.
pub const MAX_SEARCH: usize = 100;
/// The most characters of an action's name.
pub const MAX_ACTION: usize = 64;
const DAY: Duration = Duration::from_hours(24);

/// The file an export becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Lines of values, for spreadsheets.
    Csv,
    /// One array of objects.
    Json,
}

impl ExportFormat {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Json];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

/// What is asked, as it came.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskedLogs<'a> {
    /// Only entries of this level.
    pub level: Option<&'a str>,
    /// Only entries of this class.
    pub class: Option<&'a str>,
    /// Not before this day or instant.
    pub start: Option<&'a str>,
    /// Up to this instant, or to the end of this day.
    pub end: Option<&'a str>,
    /// Only this action.
    pub action: Option<&'a str>,
    /// Only entries that have these words.
    pub search: Option<&'a str>,
}

/// Which entries are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogFilter {
    /// Only this level.
    pub level: Option<Level>,
    /// Only this class.
    pub class: Option<Class>,
    /// At or after.
    pub from: Option<Timestamp>,
    /// Before.
    pub to: Option<Timestamp>,
    /// Only this action.
    pub action: Option<String>,
    /// What its words must match, as it was typed.
    pub search: Option<String>,
}

impl LogFilter {
    /// Reads every parameter; each that does not fit is named as the console names it.
    pub fn parse(asked: AskedLogs<'_>) -> Result<Self> {
        let mut fields = Fields::default();
        let level = asked.level.and_then(|it| fields.take("type", it.parse()));
        let class = asked.class.and_then(|it| fields.take("class", it.parse()));
        let from = asked.start.and_then(|it| fields.take("startDate", instant(it, Duration::ZERO)));
        let to = asked.end.and_then(|it| fields.take("endDate", instant(it, DAY)));
        let action = asked.action.and_then(|it| fields.take("action", action(it)));
        let search = asked.search.and_then(|it| fields.take("search", search(it)));
        if from.zip(to).is_some_and(|(from, to)| to <= from) {
            fields.add("endDate", "must be after startDate");
        }
        fields.finish()?;
        Ok(Self { level, class, from, to, action, search })
    }

    /// What is searched for.
    #[must_use]
    pub fn search_query(&self) -> Option<SearchQuery> {
        let text = self.search.as_deref()?;
        // One that an earlier version kept may have grown when it was folded.
        let text: String = text.chars().take(MAX_LENGTH).collect();
        SearchQuery::parse(&text).ok().flatten()
    }
}

/// A day stands for its beginning, or for its end where `whole` is a day.
fn instant(text: &str, whole: Duration) -> Result<Timestamp, String> {
    let day = Timestamp::parse_day(text).ok().filter(|_| text.len() == "2026-01-31".len());
    match day.map_or_else(|| Timestamp::parse(text), |it| Ok(it.plus(whole))) {
        Err(InvalidTimestamp::Malformed) => {
            Err("must be a day such as 2026-01-31 or an RFC 3339 date-time".to_owned())
        }
        other => other.map_err(|late| late.to_string()),
    }
}

fn action(text: &str) -> Result<String, &'static str> {
    let word = |it: &str| !it.is_empty() && it.bytes().all(|c| c.is_ascii_lowercase() || c == b'_');
    let fits = text.len() <= MAX_ACTION
        && text.split_once('.').is_some_and(|(noun, verb)| word(noun) && word(verb));
    if fits { Ok(text.to_owned()) } else { Err("must be named resource.verb, such as team.create") }
}

fn search(text: &str) -> Result<String, String> {
    if fold_words(text).is_empty() || text.chars().count() > MAX_SEARCH {
        return Err(format!("must be 1 to {MAX_SEARCH} characters"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(asked: AskedLogs<'_>) -> Result<LogFilter> {
        LogFilter::parse(asked)
    }

    #[test]
    fn a_day_is_meant_whole() {
        let asked = AskedLogs {
            start: Some("2026-01-01"),
            end: Some("2026-01-01"),
            ..AskedLogs::default()
        };
        let filter = parse(asked).unwrap();
        let bounds = (filter.from.unwrap().to_string(), filter.to.unwrap().to_string());
        assert_eq!(
            bounds,
            ("2026-01-01T00:00:00.000000Z".into(), "2026-01-02T00:00:00.000000Z".into())
        );
    }

    #[test]
    fn instants_are_exact_and_their_order_is_checked() {
        let end = Some("2026-01-01T00:00:00Z");
        let asked =
            AskedLogs { start: Some("2026-01-01T01:00:00+01:00"), end, ..AskedLogs::default() };
        assert_eq!(parse(asked).unwrap_err().fields()["endDate"], "must be after startDate");
    }

    #[test]
    fn every_fault_is_named() {
        let bad = AskedLogs {
            level: Some("info"),
            class: Some("x"),
            start: Some("yesterday"),
            end: Some("2026-02-30"),
            action: Some("team"),
            search: Some(" "),
        };
        let error = parse(bad).unwrap_err();
        let day = "must be a day such as 2026-01-31 or an RFC 3339 date-time";
        let expected = [
            ("action", "must be named resource.verb, such as team.create"),
            ("class", "must be one of audit, access"),
            ("endDate", day),
            ("search", "must be 1 to 100 characters"),
            ("startDate", day),
            ("type", "must be one of INFO, WARN, ERROR"),
        ];
        let found: Vec<_> = error.fields().iter().map(|(k, v)| (&**k, &**v)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn actions_are_a_noun_and_a_verb() {
        for good in ["team.create", "license.set_status"] {
            assert_eq!(action(good).as_deref(), Ok(good));
        }
        for bad in ["", ".", "team.", ".create", "Team.create", "a.b.c", "team create"] {
            assert!(action(bad).is_err(), "{bad}");
        }
    }
}
