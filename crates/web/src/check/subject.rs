//! What was checked, in words.

use grantor_messages::text;
use maud::{Markup, html};

use crate::frame::FormData;
use crate::view::notice;

/// The name of the hidden field with the number of pictures that were dropped or pasted. The script
/// sends only the first one.
pub(super) const PICTURES: &str = "pictures";

/// How much of a text is shown.
const SHOWN: usize = 80;

/// What was checked.
pub(super) struct Subject<'a>(&'a FormData);

impl<'a> Subject<'a> {
    /// What a form asked to check.
    pub(super) fn of(entered: &'a FormData) -> Self {
        Self(entered)
    }

    /// What was checked: the name of the file, the address, or the beginning of the text.
    pub(super) fn words(&self) -> String {
        if let Some(url) = self.0.optional("url") {
            return text!("check-checked-address", address = url);
        }
        match (self.0.optional("text"), self.0.file_name()) {
            (Some(text), _) => text!("check-checked-text", text = beginning(text)),
            (None, Some(name)) => text!("check-checked-file", name = name),
            (None, None) => text!("check-checked-picture").to_owned(),
        }
    }

    /// Says that only one of several pictures was checked.
    pub(super) fn ignored(&self) -> Markup {
        let count = self.0.optional(PICTURES).and_then(|it| it.parse::<u64>().ok());
        let Some(count) = count.filter(|it| *it > 1) else { return html! {} };
        notice("warn", html! { p { (text!("check-only-first", count = count)) } })
    }
}

/// The first words of a text, on one line.
fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN {
        return line;
    }
    let cut: String = line.chars().take(SHOWN).collect();
    let words = cut.rsplit_once(' ').map_or(&*cut, |(words, _)| words);
    format!("{words}\u{2026}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_text_is_told() {
        let told = |name: &str, value: &str| {
            let entered = FormData::default().with(name, value);
            Subject::of(&entered).words()
        };
        assert_eq!(told("text", " A day\nwith Ada "), "You checked the text “A day with Ada”.");
        let long = format!("{}end of the text", "word ".repeat(15));
        let shown = format!("{}end…", "word ".repeat(15));
        assert_eq!(told("text", &long), format!("You checked the text “{shown}”."));
        assert_eq!(told("url", "a.example"), "You checked a.example.");
        assert_eq!(told("other", "x"), "You checked a picture.");
    }
}
