//! Log queries and exports (contract sections 5 and 8). Log entries are defined in `audit`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::audit::{Class, Level};
use crate::enum_names::enum_names;
use crate::error::{Fields, Result};
use crate::search::{MAX_LENGTH, SearchQuery};
use crate::text::fold_words;
use crate::time::{InvalidTimestamp, Timestamp};

enum_names!(ExportFormat);

/// How long an export can be downloaded.
pub const EXPORT_LIFE: Duration = Duration::from_hours(24);

/// The maximum length of a search.
pub const MAX_SEARCH: usize = 100;
/// The maximum length of an action name.
pub const MAX_ACTION: usize = 64;
const DAY: Duration = Duration::from_hours(24);

/// The file format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ExportFormat {
    /// Comma-separated values, for spreadsheets.
    Csv,
    /// A JSON array of objects.
    Json,
}

/// The raw query parameters of the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogParams<'a> {
    /// Filter by level.
    pub level: Option<&'a str>,
    /// Filter by class.
    pub class: Option<&'a str>,
    /// The first day or time.
    pub start: Option<&'a str>,
    /// The last day (inclusive) or the end time (exclusive).
    pub end: Option<&'a str>,
    /// Filter by action.
    pub action: Option<&'a str>,
    /// Search terms.
    pub search: Option<&'a str>,
}

/// The parsed filter of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogFilter {
    /// Filter by level.
    pub level: Option<Level>,
    /// Filter by class.
    pub class: Option<Class>,
    /// The start time, inclusive.
    pub from: Option<Timestamp>,
    /// The end time, exclusive.
    pub to: Option<Timestamp>,
    /// Filter by action.
    pub action: Option<String>,
    /// Search terms as entered.
    pub search: Option<String>,
}

impl LogFilter {
    /// Parses the query parameters; the error names every invalid one by its console name.
    pub fn parse(params: LogParams<'_>) -> Result<Self> {
        let mut fields = Fields::default();
        let level = params.level.and_then(|it| fields.take("type", it.parse()));
        let class = params.class.and_then(|it| fields.take("class", it.parse()));
        let start = |it| instant(it, Duration::ZERO);
        let from = params.start.and_then(|it| fields.take("startDate", start(it)));
        let to = params.end.and_then(|it| fields.take("endDate", instant(it, DAY)));
        let action = params.action.and_then(|it| fields.take("action", action(it)));
        let search = params.search.and_then(|it| fields.take("search", search(it)));
        if from.zip(to).is_some_and(|(from, to)| to <= from) {
            fields.add("endDate", "must be after startDate");
        }
        fields.finish()?;
        Ok(Self { level, class, from, to, action, search })
    }

    /// The parsed search terms.
    #[must_use]
    pub fn search_query(&self) -> Option<SearchQuery> {
        let text = self.search.as_deref()?;
        // A search stored by an earlier version may be longer than the current limit.
        let text: String = text.chars().take(MAX_LENGTH).collect();
        SearchQuery::parse(&text).ok().flatten()
    }
}

/// Parses a day or a time. `whole` is added to a day, to get its end.
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
    let message = "must have the form resource.verb, such as team.create";
    if fits { Ok(text.to_owned()) } else { Err(message) }
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

    fn parse(params: LogParams<'_>) -> Result<LogFilter> {
        LogFilter::parse(params)
    }

    #[test]
    fn a_day_is_meant_whole() {
        let params = LogParams {
            start: Some("2026-01-01"),
            end: Some("2026-01-01"),
            ..LogParams::default()
        };
        let filter = parse(params).unwrap();
        let bounds = (filter.from.unwrap().to_string(), filter.to.unwrap().to_string());
        assert_eq!(
            bounds,
            ("2026-01-01T00:00:00.000000Z".into(), "2026-01-02T00:00:00.000000Z".into())
        );
    }

    #[test]
    fn instants_are_exact_and_their_order_is_checked() {
        let end = Some("2026-01-01T00:00:00Z");
        let params =
            LogParams { start: Some("2026-01-01T01:00:00+01:00"), end, ..LogParams::default() };
        assert_eq!(parse(params).unwrap_err().fields()["endDate"], "must be after startDate");
    }

    #[test]
    fn every_fault_is_named() {
        let bad = LogParams {
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
            ("action", "must have the form resource.verb, such as team.create"),
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
