//! Field errors of forms and filters. Every rendered field registers its name and label here, so
//! that messages use the labels of the page and the first field with an error gets the focus.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Errors by field name. Clones share the registered fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldErrors {
    by_name: BTreeMap<String, String>,
    /// Name and label of every rendered field, in page order.
    fields: Arc<Mutex<Vec<(String, String)>>>,
}

/// The error of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldError {
    /// The domain's message in the reader's language, with wire names replaced by labels.
    pub(crate) message: String,
    /// Whether this is the first field on the page with an error.
    pub(crate) first: bool,
}

/// One entry of the error summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorItem {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) message: String,
    /// Whether the page has the field and can link to it.
    pub(crate) on_page: bool,
}

impl FieldErrors {
    /// Errors by the field names the domain uses.
    pub(super) fn new(by_name: BTreeMap<String, String>) -> Self {
        Self { by_name, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns whether exactly this name has an error.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Adds errors; a field keeps its first message.
    pub(super) fn merge(mut self, others: BTreeMap<String, String>) -> Self {
        for (name, message) in others {
            self.by_name.entry(name).or_insert(message);
        }
        self
    }

    /// Registers a rendered field and returns the error of the field or of one of its parts.
    pub(crate) fn register(&self, name: &str, label: &str) -> Option<FieldError> {
        let mut drawn = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        if !drawn.iter().any(|(it, _)| it == name) {
            drawn.push((name.to_owned(), label.to_owned()));
        }
        let message = self.message_for(name, &drawn)?;
        let first = drawn.iter().find(|(it, _)| self.message_for(it, &drawn).is_some());
        Some(FieldError { message, first: first.is_some_and(|(it, _)| it == name) })
    }

    /// Returns the field's label if it was rendered, or one derived from its name.
    pub(crate) fn label(&self, name: &str) -> String {
        let drawn = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let found = drawn.iter().find(|(it, _)| it == name);
        found.map_or_else(|| label_from_name(name), |(_, label)| label.clone())
    }

    /// Returns all errors: first those of rendered fields in page order, then the others.
    pub(crate) fn all(&self) -> Vec<ErrorItem> {
        let drawn = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let on_page = drawn.iter().filter_map(|(name, label)| {
            let message = self.message_for(name, &drawn)?;
            Some(ErrorItem { name: name.clone(), label: label.clone(), message, on_page: true })
        });
        let mut all: Vec<_> = on_page.collect();
        let hidden =
            self.by_name.iter().filter(|(name, _)| !drawn.iter().any(|it| covers(&it.0, name)));
        all.extend(hidden.map(|(name, message)| {
            let (label, message) = (label_from_name(name), shown(message, &drawn));
            ErrorItem { name: name.clone(), label, message, on_page: false }
        }));
        all
    }

    /// Returns the messages of a field and of its parts that aren't rendered fields, as one text.
    fn message_for(&self, name: &str, drawn: &[(String, String)]) -> Option<String> {
        let nearer =
            |it: &str| drawn.iter().any(|(field, _)| field.len() > name.len() && covers(field, it));
        let found = self.by_name.iter().filter(|(it, _)| covers(name, it) && !nearer(it));
        let messages: Vec<_> = found.map(|(_, message)| shown(message, drawn)).collect();
        (!messages.is_empty()).then(|| messages.join("; "))
    }
}

/// Returns whether an error name belongs to a field: its own name, or that of one of its parts.
fn covers(field: &str, name: &str) -> bool {
    let rest = name.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns a message as the page shows it: with the labels of fields, in the reader's language.
fn shown(message: &str, drawn: &[(String, String)]) -> String {
    crate::view::label::error(&with_labels(message, drawn))
}

/// Replaces the wire names of fields in a message with their labels.
fn with_labels(message: &str, drawn: &[(String, String)]) -> String {
    let mut before = "";
    let words = message.split(' ').map(|word| {
        let name = word.trim_end_matches([',', ':', '.', ';']);
        // A plain word is a field name only when a message compares two fields.
        let meant = is_wire_name(name) || ["after", "before"].contains(&before);
        before = word;
        let is = |it: &&(String, String)| it.0 == name || it.0.ends_with(&format!(".{name}"));
        match drawn.iter().find(is).filter(|_| meant) {
            Some((_, label)) => format!("{label}{}", &word[name.len()..]),
            None => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns whether a word looks like a JSON member name rather than prose.
fn is_wire_name(word: &str) -> bool {
    word.contains(['_', '.']) || word.chars().skip(1).any(|it| it.is_ascii_uppercase())
}

/// Turns `appearanceFee` into `Appearance fee`, for fields without a label.
pub(crate) fn label_from_name(name: &str) -> String {
    let mut words = String::new();
    for letter in name.replace(['.', '_'], " ").chars() {
        if letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    let mut letters = words.chars();
    letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(all: &[(&str, &str)]) -> FieldErrors {
        FieldErrors::new(all.iter().map(|(name, it)| ((*name).into(), (*it).into())).collect())
    }

    #[test]
    fn messages_call_fields_by_their_labels() {
        let found =
            errors(&[("endDate", "must be after startDate"), ("until", "must be after since")]);
        for (name, label) in [("startDate", "Start date"), ("since", "Since"), ("endDate", "End")] {
            found.register(name, label);
        }
        assert_eq!(found.register("endDate", "End").unwrap().message, "must be after Start date");
        assert_eq!(found.register("until", "Until").unwrap().message, "must be after Since");
        let plain = errors(&[("note", "must not name a status")]);
        plain.register("status", "State");
        assert_eq!(plain.register("note", "Note").unwrap().message, "must not name a status");
    }

    #[test]
    fn the_first_of_the_page_is_the_first() {
        let found = errors(&[("a", "is required"), ("b.c", "is required"), ("page", "is odd")]);
        assert_eq!(found.register("fine", "Fine"), None);
        assert!(
            found.register("b", "B").unwrap().first && !found.register("a", "A").unwrap().first
        );
        let all: Vec<_> = found.all().into_iter().map(|it| (it.label, it.on_page)).collect();
        assert_eq!(all, [("B".into(), true), ("A".into(), true), ("Page".into(), false)]);
    }

    #[test]
    fn a_field_shows_the_messages_of_all_its_parts() {
        let found = errors(&[("images", "“a.gif” is required"), ("images.1", "“b” is odd")]);
        let message = found.register("images", "Images").unwrap().message;
        assert_eq!(message, "“a.gif” is required; “b” is odd");
        assert_eq!(found.all().len(), 1);
    }

    #[test]
    fn names_of_the_wire_are_spoken() {
        assert_eq!(label_from_name("feePer"), "Fee per");
        assert_eq!(label_from_name("contact.email"), "Contact email");
    }
}
