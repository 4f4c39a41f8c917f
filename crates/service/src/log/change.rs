//! Old and new values of what an act changed, so that every history can show them.

use serde_json::{Value, json};

/// How many characters of a text are kept.
const MAX_TEXT: usize = 300;

/// The values of changed fields: what people read, and never a secret.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FieldChanges(Vec<Value>);

impl FieldChanges {
    /// Adds a field if its values differ.
    #[must_use]
    pub(crate) fn field(
        mut self,
        name: impl Into<String>,
        old: impl Into<Value>,
        new: impl Into<Value>,
    ) -> Self {
        let name: String = name.into();
        let (old, new) = (short(old.into()), short(new.into()));
        if old != new {
            self.0.push(json!({ "field": name, "old": old, "new": new }));
        }
        self
    }

    /// Adds a field if its values differ, which are put into words only then.
    #[must_use]
    pub(crate) fn words<T: PartialEq, W: Into<Value>>(
        self,
        name: &'static str,
        old: &T,
        new: &T,
        words: impl Fn(&T) -> W,
    ) -> Self {
        if old == new { self } else { self.field(name, words(old), words(new)) }
    }

    /// The form in the details of a log entry; `None` without changes.
    pub(crate) fn into_value(self) -> Option<Value> {
        (!self.0.is_empty()).then_some(Value::Array(self.0))
    }
}

/// Shortens a text. The end of a long text must not make two texts look the same.
fn short(value: Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > MAX_TEXT => {
            let start: String = text.chars().take(MAX_TEXT).collect();
            let more = text.chars().count() - MAX_TEXT;
            Value::String(format!("{start}… ({more} more characters)"))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_kept() {
        let changes = FieldChanges::default()
            .field("name", "Ada", "Ada")
            .field("status", "active", "inactive")
            .field("email", None::<String>, Some("ada@example.com"));
        let expected = json!([
            { "field": "status", "old": "active", "new": "inactive" },
            { "field": "email", "old": null, "new": "ada@example.com" },
        ]);
        assert_eq!(changes.into_value(), Some(expected));
        assert_eq!(FieldChanges::default().field("name", "a", "a").into_value(), None);
    }

    #[test]
    fn only_what_differs_is_put_into_words() {
        let same = FieldChanges::default().words("copies", &5, &5, |_| -> String { panic!() });
        assert_eq!(same.into_value(), None);
        let other = FieldChanges::default().words("copies", &5, &6, |it| format!("{it} copies"));
        let expected = json!([{ "field": "copies", "old": "5 copies", "new": "6 copies" }]);
        assert_eq!(other.into_value(), Some(expected));
    }

    #[test]
    fn long_texts_are_shortened() {
        let (old, new) = ("x".repeat(300), "x".repeat(302));
        let value = FieldChanges::default().field("bio", old.clone(), new).into_value().unwrap();
        assert_eq!(value[0]["old"], json!(old));
        assert_eq!(value[0]["new"], json!(format!("{old}… (2 more characters)")));
    }
}
