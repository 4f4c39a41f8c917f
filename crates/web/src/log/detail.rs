//! The details of log entries as people read them: old and new values, and names instead of IDs.

use grantor_domain::Timestamp;
use grantor_messages::{named, text};
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::action;
use crate::frame::label_from_name;
use crate::view::sentence_case;
use crate::view::time::exact;

/// Fields whose values are names of ours, such as `needs_review`, and no texts of people.
const OURS: [&str; 13] = [
    "channels",
    "duplicates",
    "environment",
    "format",
    "frequency",
    "kind",
    "newMemberRole",
    "plan",
    "reason",
    "result",
    "role",
    "status",
    "verdict",
];

/// Shows the details of an entry as a list. Nothing if there is nothing to read.
pub(crate) fn detail_list(details: &Value) -> Markup {
    let lines = lines(details);
    html! {
        @if !lines.is_empty() {
            ul.changes {
                @for line in &lines {
                    li.lines {
                        @match line {
                            Line::Change { label, old, new } => {
                                strong { (label) ":" } " " (old) " → " (new)
                            }
                            Line::Fact { label, text } => { strong { (label) ":" } " " (text) }
                        }
                    }
                }
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    Change { label: String, old: String, new: String },
    Fact { label: String, text: String },
}

fn lines(details: &Value) -> Vec<Line> {
    let Value::Object(details) = details else { return vec![] };
    let changes = details.get("changes").and_then(Value::as_array);
    let changes = || changes.into_iter().flatten().filter_map(Value::as_object);
    let changed: Vec<&str> = changes().filter_map(|it| it.get("field")?.as_str()).collect();
    let mut lines: Vec<Line> = changes().filter_map(change).collect();
    for (name, value) in details {
        let is_told = name == "changes"
            || changed.contains(&name.as_str())
            || (name == "changedFields" && !changed.is_empty());
        if !is_told && !is_id(name, value) {
            lines.push(fact(name, value));
        }
    }
    lines
}

fn change(it: &Map<String, Value>) -> Option<Line> {
    let name = it.get("field")?.as_str()?;
    let value = |member: &str| words(name, it.get(member).unwrap_or(&Value::Null));
    Some(Line::Change { label: label(name), old: value("old"), new: value("new") })
}

fn fact(name: &str, value: &Value) -> Line {
    match (name, value) {
        ("undoes", Value::String(undone)) => {
            let text = action::label(undone).into_owned();
            Line::Fact { label: text!("log-undid").to_owned(), text }
        }
        ("changedFields", Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str).map(label);
            let text = names.collect::<Vec<_>>().join(", ");
            Line::Fact { label: label(name), text }
        }
        _ => Line::Fact { label: label(name), text: words(name, value) },
    }
}

/// The label of a field, as its form or page has it.
fn label(name: &str) -> String {
    named("log-field", name).map_or_else(|| label_from_name(name), str::to_owned)
}

/// A value of ours, as the page that it comes from calls it.
fn value_label(name: &str, value: &str) -> String {
    let of_notices = || named("notice-kind", value).or_else(|| named("notice-channel", value));
    let known = named("log-value", value)
        .or_else(|| if matches!(name, "channels" | "kind") { of_notices() } else { None });
    known.map_or_else(|| sentence_case(value), str::to_owned)
}

/// Whether a detail is for programs alone.
fn is_id(name: &str, value: &Value) -> bool {
    let is_uuid = |it: &Value| {
        it.as_str().is_some_and(|it| it.len() == 36 && uuid::Uuid::try_parse(it).is_ok())
    };
    let named = ["Id", "Ids", "_id", "_ids"].iter().any(|end| name.ends_with(end));
    match value {
        Value::Array(all) => named || (!all.is_empty() && all.iter().all(is_uuid)),
        one => (named && name != "externalId") || is_uuid(one),
    }
}

/// The value of a field as people read it.
fn words(name: &str, value: &Value) -> String {
    match value {
        Value::Null => text!("log-none").to_owned(),
        Value::Bool(true) => text!("log-yes").to_owned(),
        Value::Bool(false) => text!("log-no").to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.is_empty() => text!("log-none").to_owned(),
        // A reason may be a sentence of somebody.
        Value::String(text) if OURS.contains(&name) && !text.contains(' ') => {
            value_label(name, text)
        }
        Value::String(text) => Timestamp::parse(text).map_or_else(|_| text.clone(), exact),
        Value::Array(all) => all.iter().map(|it| words(name, it)).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| match name {
                "channels" => format!("{}: {}", value_label("kind", key), words(name, value)),
                _ => format!("{}: {}", label(key), words(key, value)),
            };
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use grantor_messages::Language;
    use serde_json::json;

    use super::*;

    fn fact(label: &str, text: &str) -> Line {
        Line::Fact { label: label.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn values_are_told_old_and_new_and_ids_are_not() {
        let details = json!({
            "changes": [
                { "field": "fullname", "old": "Ada", "new": "Ada Lovelace" },
                { "field": "status", "old": "needs_review", "new": null },
                { "field": "expiresAt", "old": null, "new": "2026-11-15T17:04:09Z" },
            ],
            "status": "active",
            "changedFields": ["fullname"],
            "userId": "0190a5e4-7b3c-7def-8123-456789abcdef",
            "imageIds": ["0190a5e4-7b3c-7def-8123-456789abcdef"],
            "assignee": "0190a5e4-7b3c-7def-8123-456789abcdef",
            "undoes": "talent.update",
        });
        let change = |label: &str, old: &str, new: &str| Line::Change {
            label: label.to_owned(),
            old: old.to_owned(),
            new: new.to_owned(),
        };
        let expected = [
            change("Name", "Ada", "Ada Lovelace"),
            change("Status", "Needs review", "none"),
            change("Ends", "none", "Nov 15, 2026, 17:04:09 UTC"),
            fact("Undid", "Talent updated"),
        ];
        assert_eq!(lines(&details), expected);
    }

    #[test]
    fn entries_of_older_versions_are_told_as_far_as_they_go() {
        let details = json!({ "changedFields": ["title", "canCrawl"], "graceSeconds": 5 });
        let expected = [fact("Changed", "Title, Monitoring"), fact("Grace seconds", "5")];
        assert_eq!(lines(&details), expected);
        assert_eq!(lines(&json!({})), []);
    }

    #[test]
    fn texts_of_people_stay_as_they_are() {
        let shown = ["past_due", "a_b@example.com", "https://a.example/x_y", ""];
        let texts = shown.map(|it| words("note", &json!(it)));
        assert_eq!(texts, ["past_due", "a_b@example.com", "https://a.example/x_y", "none"]);
        assert_eq!(words("status", &json!("past_due")), "Past due");
        assert_eq!(words("role", &json!("Team_Lead")), "Team lead");
        assert_eq!(words("reason", &json!("Ticket A_7 of Ada")), "Ticket A_7 of Ada");
    }

    #[tokio::test]
    async fn values_of_ours_are_told_in_the_language_of_the_page() {
        let import = json!({ "kind": "licenses", "rows": 2, "duplicates": "skip" });
        let channels = json!({ "channels": { "offer": "digest" }, "matches": 1 });
        let shown = || [lines(&import), lines(&channels)].concat();
        let expected = [
            fact("Kind", "Licenses"),
            fact("Rows", "2"),
            fact("Duplicates", "Left as they are"),
            fact("Emails", "You received an offer, or your offer is blocked: Daily digest"),
            fact("Matches", "1"),
        ];
        assert_eq!(shown(), expected);
        let german = Language::find("de").unwrap().scope(async { shown() }).await;
        assert_eq!(german[0], fact("Art", "Lizenzen"));
        assert_eq!(german[2], fact("Duplikate", "Unverändert gelassen"));
    }
}
