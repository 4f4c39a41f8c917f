//! The free-form terms of a license, as lines of names and values. Programs may store terms that no
//! line can express; the form leaves those unchanged.

use grantor_domain::license::Terms;
use serde_json::{Map, Value};

const NOT_A_LINE: &str = "must have a name, a colon and a value in each line";

/// All terms, for reading.
pub(super) fn term_lines(terms: &Terms) -> String {
    let line = |(name, value): (&String, &Value)| format!("{name}: {}", text_of(value));
    terms.as_map().iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The terms that the form can change.
pub(super) fn editable_lines(terms: &Terms) -> String {
    let lines = terms.as_map().iter().filter(|(name, value)| is_editable(name, value));
    let lines = lines.map(|(name, value)| format!("{name}: {}", text_of(value)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether there are terms that the form cannot change.
pub(super) fn has_others(terms: &Terms) -> bool {
    terms.as_map().iter().any(|(name, value)| !is_editable(name, value))
}

/// Parses lines. A value that is unchanged keeps its type.
pub(super) fn parse_lines(lines: &str, before: &Terms) -> Result<Map<String, Value>, String> {
    let before = before.as_map();
    let others = before.iter().filter(|(name, value)| !is_editable(name, value));
    let mut terms: Map<String, Value> =
        others.map(|(name, it)| (name.clone(), it.clone())).collect();
    for line in lines.lines().filter(|it| !it.trim().is_empty()) {
        let (name, text) = parse_line(line).ok_or(NOT_A_LINE)?;
        let unchanged = before.get(name).filter(|it| is_simple(it) && text_of(it) == text);
        let value = unchanged.cloned().unwrap_or_else(|| text.into());
        if terms.insert(name.to_owned(), value).is_some() {
            return Err(format!("must not have two values for {name}"));
        }
    }
    Ok(terms)
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

    #[test]
    fn lines_that_are_not_touched_change_nothing() {
        let before = json!({
            "Exclusive": true, "Copies": 5, "Note": "a: b", "nested": { "a": [1] }, "a:b": "c",
            "long": "one\ntwo", "empty": "", "nothing": null, " spaced ": "x",
        });
        let stored = terms(&before);
        let lines = editable_lines(&stored);
        assert_eq!(lines, "Exclusive: true\nCopies: 5\nNote: a: b");
        assert!(has_others(&stored) && !has_others(&terms(&json!({ "Copies": 5 }))));
        assert_eq!(Value::from(parse_lines(&lines, &stored).unwrap()), before);
    }

    #[test]
    fn lines_are_added_changed_and_removed() {
        let stored = terms(&json!({ "Copies": 5, "Note": "x", "nested": [1] }));
        let changed = parse_lines("Copies: 6\n\n Region :  EU ", &stored).unwrap();
        let expected = json!({ "nested": [1], "Copies": "6", "Region": "EU" });
        assert_eq!(Value::from(changed), expected);
        for bad in ["Copies", "Copies:", ": 5", "a: 1\nb"] {
            assert_eq!(parse_lines(bad, &stored), Err(NOT_A_LINE.to_owned()), "{bad}");
        }
        assert!(parse_lines("a: 1\na: 2", &stored).is_err());
        assert!(parse_lines("nested: 1", &stored).is_err());
    }
}
