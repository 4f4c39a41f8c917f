//! The terms of a license in its form. Those that offers have too have fields of their own. Others
//! are lines of names and values; what no line can express is JSON, in the part for developers.

use grantor_domain::error::Fields;
use grantor_domain::grant::{GrantTerms, parse_channels};
use grantor_domain::license::{Approval, KnownTerms, Terms};
use grantor_messages::text;
use serde_json::{Map, Value};

use super::approval_label;
use crate::frame::FormData;

/// The field of the terms that are lines.
pub(super) const LINES: &str = "terms";
/// The field of the terms that are JSON.
pub(super) const JSON: &str = "termsJson";
/// All fields of the terms.
pub(super) const FIELDS: [&str; 7] =
    ["exclusive", "channels", "approval", "creditLine", "conditions", LINES, JSON];

const NOT_A_LINE: &str = "must have a name, a colon and a value in each line";
const NOT_AN_OBJECT: &str = "must be a JSON object such as {\"copies\": 500}";

/// All terms, for reading.
pub(super) fn term_lines(terms: &Terms) -> String {
    let (known, others) = KnownTerms::split(terms);
    let answer = |is: bool| if is { text!("word-yes") } else { text!("word-no") };
    let exclusive = known.exclusive.map(|it| answer(it).to_owned());
    let channels = (!known.channels.is_empty()).then(|| known.channels.join(", "));
    let approval = known.approval.map(|it| approval_label(it).to_owned());
    let conditions = Some(known.conditions).filter(|it| !it.is_empty());
    let first = [
        (text!("license-exclusive"), exclusive),
        (text!("license-channels"), channels),
        (text!("license-approval"), approval),
        (text!("license-credit-line"), known.credit_line),
    ];
    let line = |(name, text): (&str, Option<String>)| text.map(|it| format!("{name}: {it}"));
    let others = others.iter().map(|(name, value)| format!("{name}: {}", text_of(value)));
    let last = line((text!("license-conditions"), conditions));
    first.into_iter().filter_map(line).chain(others).chain(last).collect::<Vec<_>>().join("\n")
}

/// Adds the values of the fields.
pub(super) fn with_terms(entered: FormData, terms: &Terms) -> FormData {
    let (known, others) = KnownTerms::split(terms);
    let (lines, rest): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(name, value)| is_editable(name, value));
    let lines = lines.into_iter().map(|(name, value)| format!("{name}: {}", text_of(&value)));
    let rest: Map<_, _> = rest.into_iter().collect();
    let json = serde_json::to_string_pretty(&rest).unwrap_or_default();
    entered
        .with("exclusive", if known.exclusive == Some(true) { "true" } else { "" })
        .with("channels", known.channels.join("\n"))
        .with("approval", known.approval.map(Approval::name).unwrap_or_default())
        .with("creditLine", known.credit_line.unwrap_or_default())
        .with("conditions", known.conditions)
        .with(LINES, lines.collect::<Vec<_>>().join("\n"))
        .with(JSON, if rest.is_empty() { String::new() } else { json })
}

/// Reads the fields. Values that did not change keep their form.
pub(super) fn read_terms(
    entered: &FormData,
    before: &Terms,
    errors: &mut Fields,
) -> Map<String, Value> {
    let (old, others) = KnownTerms::split(before);
    let mut terms = errors.take(JSON, read_json(entered, &others)).unwrap_or_default();
    errors.take(LINES, add_lines(entered.get(LINES), &others, &mut terms));
    read_known(entered, old, errors).add_to(&mut terms);
    terms
}

fn read_known(entered: &FormData, old: KnownTerms, errors: &mut Fields) -> KnownTerms {
    let channels: Vec<_> = entered.lines("channels").map(str::to_owned).collect();
    let channels = errors.take("channels", parse_channels(&channels)).unwrap_or_default();
    let same =
        old.channels.len() == channels.len() && old.channels.iter().all(|it| channels.contains(it));
    let approval = entered.optional("approval").map(str::parse::<Approval>).transpose();
    let credit_line =
        entered.optional("creditLine").map(|it| GrantTerms::CREDIT_LINE.parse(it)).transpose();
    let conditions = GrantTerms::CONDITIONS.parse(entered.get("conditions"));
    KnownTerms {
        // A box that is not checked leaves it open whether the terms say "no" or nothing.
        exclusive: if entered.has("exclusive", "true") {
            Some(true)
        } else {
            old.exclusive.filter(|it| !it)
        },
        channels: if same { old.channels } else { channels },
        approval: errors.take("approval", approval).flatten(),
        credit_line: errors.take("creditLine", credit_line).flatten(),
        conditions: errors.take("conditions", conditions).unwrap_or_default(),
    }
}

/// The terms that are JSON. A form without the field leaves them as they are.
fn read_json(
    entered: &FormData,
    others: &Map<String, Value>,
) -> Result<Map<String, Value>, &'static str> {
    if entered.all(JSON).next().is_none() {
        let kept = others.iter().filter(|(name, value)| !is_editable(name, value));
        return Ok(kept.map(|(name, value)| (name.clone(), value.clone())).collect());
    }
    match entered.optional(JSON).map(serde_json::from_str) {
        None => Ok(Map::new()),
        Some(Ok(Value::Object(members))) => Ok(members),
        Some(_) => Err(NOT_AN_OBJECT),
    }
}

/// Adds the terms that are lines. A value that is unchanged keeps its type.
fn add_lines(
    lines: &str,
    before: &Map<String, Value>,
    terms: &mut Map<String, Value>,
) -> Result<(), String> {
    for line in lines.lines().filter(|it| !it.trim().is_empty()) {
        let (name, text) = parse_line(line).ok_or(NOT_A_LINE)?;
        let unchanged = before.get(name).filter(|it| is_simple(it) && text_of(it) == text);
        let value = unchanged.cloned().unwrap_or_else(|| text.into());
        if terms.insert(name.to_owned(), value).is_some() {
            return Err(format!("must not have two values for {name}"));
        }
    }
    Ok(())
}

fn parse_line(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once(':')?;
    let (name, text) = (name.trim(), text.trim());
    (!name.is_empty() && !text.is_empty()).then_some((name, text))
}

fn is_simple(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}

/// Whether the line of a term is parsed as the same term.
fn is_editable(name: &str, value: &Value) -> bool {
    let text = text_of(value);
    let line = format!("{name}: {text}");
    is_simple(value) && !line.contains(['\n', '\r']) && parse_line(&line) == Some((name, &*text))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn terms(value: &Value) -> Terms {
        Terms::parse(value.as_object().cloned().unwrap()).unwrap()
    }

    fn read(entered: &FormData, before: &Terms) -> (Value, Vec<String>) {
        let mut errors = Fields::default();
        let terms = read_terms(entered, before, &mut errors);
        let error = errors.finish().err();
        let named = error.iter().flat_map(|it| it.fields().keys().cloned());
        (terms.into(), named.collect())
    }

    #[test]
    fn fields_that_are_not_touched_change_nothing() {
        let before = json!({
            "Exclusive": true, "Copies": 5, "Note": "a: b", "nested": { "a": [1] }, "a:b": "c",
            "long": "one\ntwo", "empty": "", "nothing": null, " spaced ": "x", "exclusive": false,
            "channels": ["TV", "Instagram"], "approval": "once", "credit_line": "Photo: Grace",
            "conditions": "No alcohol.\nNo tobacco.",
        });
        let stored = terms(&before);
        let entered = with_terms(FormData::default(), &stored);
        assert_eq!(entered.get(LINES), "Exclusive: true\nCopies: 5\nNote: a: b");
        assert!(entered.get(JSON).contains("\"nested\""), "{}", entered.get(JSON));
        assert_eq!((entered.get("channels"), entered.get("exclusive")), ("TV\nInstagram", ""));
        assert_eq!(read(&entered, &stored), (before.clone(), vec![]));
        // A form without the part for developers keeps it.
        let without = FormData::default().with(LINES, "Copies: 5");
        let kept = read(&without, &terms(&json!({ "Copies": 5, "nested": [1] })));
        assert_eq!(kept, (json!({ "nested": [1], "Copies": 5 }), vec![]));
    }

    #[test]
    fn fields_add_change_and_remove_terms() {
        let stored = terms(&json!({ "Copies": 5, "Note": "x", "nested": [1], "exclusive": true }));
        let entered = FormData::default()
            .with(LINES, "Copies: 6\n\n Region :  EU ")
            .with(JSON, "{\"nested\": [2]}")
            .with("channels", "TV\n\nInstagram")
            .with("approval", "each_use")
            .with("conditions", " No alcohol. ");
        let expected = json!({
            "nested": [2], "Copies": "6", "Region": "EU", "channels": ["Instagram", "TV"],
            "approval": "each_use", "conditions": "No alcohol.",
        });
        assert_eq!(read(&entered, &stored), (expected, vec![]));
    }

    #[test]
    fn what_is_wrong_is_said_at_its_field() {
        let none = Terms::default();
        for bad in ["Copies", "Copies:", ": 5", "a: 1\nb", "a: 1\na: 2"] {
            let entered = FormData::default().with(LINES, bad);
            assert_eq!(read(&entered, &none).1, [LINES], "{bad}");
        }
        for bad in ["[1]", "{", "5"] {
            let entered = FormData::default().with(JSON, bad);
            assert_eq!(read(&entered, &none).1, [JSON], "{bad}");
        }
        let entered = FormData::default()
            .with("approval", "maybe")
            .with("channels", "x".repeat(101))
            .with("creditLine", "x".repeat(201))
            .with("conditions", "x".repeat(5_001))
            .with(LINES, "nested: 1")
            .with(JSON, "{\"nested\": 2}");
        let wrong = ["approval", "channels", "conditions", "creditLine", LINES];
        assert_eq!(read(&entered, &none).1, wrong);
    }

    #[test]
    fn terms_are_read_by_their_labels() {
        let stored = json!({
            "conditions": "No alcohol.", "Copies": 5, "exclusive": true, "channels": ["TV", "Web"],
            "approval": "not_needed", "credit_line": "Grace",
        });
        assert_eq!(
            term_lines(&terms(&stored)),
            "Exclusive: Yes\nChannels: TV, Web\nApproval: Not needed\nCredit line: Grace\nCopies: 5\n\
             Conditions: No alcohol."
        );
    }
}
