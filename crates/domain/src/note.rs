//! Notes on bookmarks and mentions.

use serde::{Deserialize, Serialize};

use crate::text::{TextRule, texts};

texts!(Note);

/// A note; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Note(String);

impl Note {
    /// Up to 1000 characters; line breaks are allowed.
    pub const RULE: TextRule = TextRule::lines(1_000);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_bounded() {
        assert_eq!(Note::parse(" a\r\nb ").unwrap().as_str(), "a\nb");
        assert!(Note::parse(&"é".repeat(1_000)).is_ok());
        let error = Note::parse(&"é".repeat(1_001)).unwrap_err();
        assert_eq!(error, "must be at most 1000 characters");
    }
}
