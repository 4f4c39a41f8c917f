//! Converts the parts of a multipart form to the members of a JSON body, so that both are parsed
//! the same way (contract section 5, `POST /org/talent/license/{talentId}`).

use serde_json::{Map, Value};

use super::field_names::{FieldNames, Member};

/// Converts form parts to JSON members. Lists may be repeated parts or JSON, objects must be JSON.
/// Invalid JSON is kept as text, for `parse` to reject. Empty parts are ignored, like empty form
/// fields.
pub fn members_of_form<'a>(
    parts: impl IntoIterator<Item = (&'a str, &'a str)>,
    names: &FieldNames,
) -> Map<String, Value> {
    let mut members = Map::new();
    for (name, text) in parts {
        // Some libraries mark repeated parts.
        let name = name.strip_suffix("[]").unwrap_or(name);
        if text.is_empty() {
            continue;
        }
        let member = names.find(name).map(|(member, _)| member);
        match member {
            Some(Member::Uses | Member::Territories) => push(&mut members, name, text),
            Some(Member::CanCrawl | Member::Terms | Member::Fee) => {
                members.insert(name.to_owned(), json_or_text(text));
            }
            _ => {
                members.insert(name.to_owned(), text.into());
            }
        }
    }
    members
}

fn push(members: &mut Map<String, Value>, name: &str, text: &str) {
    let list = members.entry(name).or_insert_with(|| Value::Array(Vec::new()));
    let Value::Array(items) = list else { return };
    match json_or_text(text) {
        Value::Array(more) => items.extend(more),
        _ => items.push(text.into()),
    }
}

fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_says_what_json_says() {
        let parts = [
            ("name", "12"),
            ("appearanceFee", "5.00"),
            ("description", ""),
            ("canCrawl", "true"),
            ("uses", "voice"),
            ("uses[]", "advertising"),
            ("territories", r#"["US", "DE"]"#),
            ("terms", r#"{"a": 1}"#),
            ("other", "1"),
        ];
        let expected = json!({
            "name": "12", "appearanceFee": "5.00", "canCrawl": true,
            "uses": ["voice", "advertising"], "territories": ["US", "DE"], "terms": { "a": 1 },
            "other": "1",
        });
        assert_eq!(Value::Object(members_of_form(parts, FieldNames::CONSOLE)), expected);
    }

    #[test]
    fn what_does_not_read_is_left_to_the_rules() {
        let members = members_of_form([("canCrawl", "yes"), ("terms", "{")], FieldNames::CONSOLE);
        assert_eq!(Value::Object(members), json!({ "canCrawl": "yes", "terms": "{" }));
    }
}
