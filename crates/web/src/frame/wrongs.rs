//! What is wrong with the fields of a page, of forms and of filters alike. Fields tell here that they
//! are drawn and what they are called; so messages name them as the page does, and the first one
//! that is wrong is where the person goes on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// See above. Clones share what was drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wrongs {
    by_name: BTreeMap<String, String>,
    /// Name and label of every field, in the order of the page.
    drawn: Arc<Mutex<Vec<(String, String)>>>,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// What the domain says of it, with fields called by their labels.
    pub(crate) message: String,
    /// Whether no field above it is wrong.
    pub(crate) first: bool,
}

/// One of all that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) message: String,
    /// Whether the page has the field.
    pub(crate) drawn: bool,
}

impl Wrongs {
    /// These messages, by the names the domain refuses fields under.
    pub(super) fn new(by_name: BTreeMap<String, String>) -> Self {
        Self { by_name, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Whether this very name is among them.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The same and more; the first message of a field stays.
    pub(super) fn and(mut self, others: BTreeMap<String, String>) -> Self {
        for (name, message) in others {
            self.by_name.entry(name).or_insert(message);
        }
        self
    }

    /// Notes that a field is drawn now, and tells what is wrong with it or with one of its parts.
    pub(crate) fn draw(&self, name: &str, label: &str) -> Option<Wrong> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if !drawn.iter().any(|(it, _)| it == name) {
            drawn.push((name.to_owned(), label.to_owned()));
        }
        let message = spell(self.about(name, &drawn)?, &drawn);
        let first = drawn.iter().find(|(it, _)| self.about(it, &drawn).is_some());
        Some(Wrong { message, first: first.is_some_and(|(it, _)| it == name) })
    }

    /// What a field is called: by its label, if it was drawn.
    pub(crate) fn label(&self, name: &str) -> String {
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let found = drawn.iter().find(|(it, _)| it == name);
        found.map_or_else(|| spoken(name), |(_, label)| label.clone())
    }

    /// All of it: what the page shows in its order, then what it has no field for.
    pub(crate) fn all(&self) -> Vec<Listed> {
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = drawn.iter().filter_map(|(name, label)| {
            let message = spell(self.about(name, &drawn)?, &drawn);
            Some(Listed { name: name.clone(), label: label.clone(), message, drawn: true })
        });
        let mut all: Vec<_> = shown.collect();
        let hidden =
            self.by_name.iter().filter(|(name, _)| !drawn.iter().any(|it| covers(&it.0, name)));
        all.extend(hidden.map(|(name, message)| {
            let (label, message) = (spoken(name), spell(message, &drawn));
            Listed { name: name.clone(), label, message, drawn: false }
        }));
        all
    }

    /// What is said of a field or of a part of it that has no field of its own.
    fn about(&self, name: &str, drawn: &[(String, String)]) -> Option<&str> {
        let nearer =
            |it: &str| drawn.iter().any(|(field, _)| field.len() > name.len() && covers(field, it));
        let found = self.by_name.iter().find(|(it, _)| covers(name, it) && !nearer(it));
        found.map(|(_, message)| message.as_str())
    }
}

/// Whether a field of this name is refused under the other: its own, or that of one of its parts.
fn covers(field: &str, refused: &str) -> bool {
    let rest = refused.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A message in which other fields have the names of the wire, with their labels instead.
fn spell(message: &str, drawn: &[(String, String)]) -> String {
    let mut before = "";
    let words = message.split(' ').map(|word| {
        let name = word.trim_end_matches([',', ':', '.', ';']);
        // Plain words are names only where two fields are set against each other.
        let meant = of_the_wire(name) || ["after", "before"].contains(&before);
        before = word;
        let is = |it: &&(String, String)| it.0 == name || it.0.ends_with(&format!(".{name}"));
        match drawn.iter().find(is).filter(|_| meant) {
            Some((_, label)) => format!("{label}{}", &word[name.len()..]),
            None => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether nobody would write it so but for a machine.
fn of_the_wire(word: &str) -> bool {
    word.contains(['_', '.']) || word.chars().skip(1).any(|it| it.is_ascii_uppercase())
}

/// `appearanceFee` as people say it, where no label does.
pub(crate) fn spoken(name: &str) -> String {
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

    fn wrongs(all: &[(&str, &str)]) -> Wrongs {
        Wrongs::new(all.iter().map(|(name, it)| ((*name).into(), (*it).into())).collect())
    }

    #[test]
    fn messages_call_fields_by_their_labels() {
        let found =
            wrongs(&[("endDate", "must be after startDate"), ("until", "must be after since")]);
        for (name, label) in [("startDate", "Start date"), ("since", "Since"), ("endDate", "End")] {
            found.draw(name, label);
        }
        assert_eq!(found.draw("endDate", "End").unwrap().message, "must be after Start date");
        assert_eq!(found.draw("until", "Until").unwrap().message, "must be after Since");
        let plain = wrongs(&[("note", "must not name a status")]);
        plain.draw("status", "State");
        assert_eq!(plain.draw("note", "Note").unwrap().message, "must not name a status");
    }

    #[test]
    fn the_first_of_the_page_is_the_first() {
        let found = wrongs(&[("a", "is required"), ("b.c", "is required"), ("page", "is odd")]);
        assert_eq!(found.draw("fine", "Fine"), None);
        assert!(found.draw("b", "B").unwrap().first && !found.draw("a", "A").unwrap().first);
        let all: Vec<_> = found.all().into_iter().map(|it| (it.label, it.drawn)).collect();
        assert_eq!(all, [("B".into(), true), ("A".into(), true), ("Page".into(), false)]);
    }

    #[test]
    fn names_of_the_wire_are_spoken() {
        assert_eq!(spoken("feePer"), "Fee per");
        assert_eq!(spoken("contact.email"), "Contact email");
    }
}
