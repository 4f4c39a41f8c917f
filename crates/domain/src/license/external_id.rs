//! The owner's own ID for a license, accepted in paths instead of the license ID.

use serde::{Deserialize, Serialize};

use crate::text::texts;

texts!(ExternalId);

/// An external ID. It never looks like a UUID, so that paths are unambiguous.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ExternalId(String);

impl ExternalId {
    /// The maximum length.
    pub const MAX_LENGTH: usize = 128;

    /// Parses 1 to 128 ASCII letters, digits and `._:-` that are not a UUID. Case-sensitive.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mark = |it: u8| it.is_ascii_alphanumeric() || b"._:-".contains(&it);
        if !(1..=Self::MAX_LENGTH).contains(&text.len()) || !text.bytes().all(mark) {
            Err("must be 1 to 128 letters, digits and the characters . _ : -")
        } else if is_uuid_shaped(text) {
            Err("must not have the form of a UUID")
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

impl ExternalId {
    /// Parses an ID for a new record: `.` and `..` are also refused, because URL paths normalize
    /// them away.
    pub fn choose(text: &str) -> Result<Self, &'static str> {
        match text {
            "." | ".." => Err("must not be . or .."),
            _ => Self::parse(text),
        }
    }
}

/// Whether the text is any spelling of a UUID: plain, hyphenated or a URN.
fn is_uuid_shaped(text: &str) -> bool {
    uuid::Uuid::try_parse(&text.to_ascii_lowercase()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        let long = "x".repeat(128);
        for good in ["a", "SKU-1.2_3:4", "-", "0190a5e4-7b3c", "urn:isbn:1", &long] {
            assert_eq!(ExternalId::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", " a", "a b", "a/b", "é", "a\n", "a%20", &format!("{long}x")] {
            let error = "must be 1 to 128 letters, digits and the characters . _ : -";
            assert_eq!(ExternalId::parse(bad), Err(error), "{bad}");
        }
    }

    #[test]
    fn no_name_looks_like_an_id() {
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        for form in [id.to_owned(), id.replace('-', ""), format!("urn:uuid:{id}")] {
            for bad in [form.to_ascii_uppercase(), form] {
                let error = "must not have the form of a UUID";
                assert_eq!(ExternalId::parse(&bad), Err(error), "{bad}");
            }
        }
    }
}
