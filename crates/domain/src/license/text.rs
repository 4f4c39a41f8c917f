//! The texts of a license: title, description and terms.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::text::{TextRule, texts};

texts!(Title, Description);

/// The title of a license.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Title(String);

impl Title {
    /// 1 to 200 characters on one line.
    pub const RULE: TextRule = TextRule::line(1, 200);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// The description of a license; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Description(String);

impl Description {
    /// Up to 5000 characters; line breaks are allowed.
    pub const RULE: TextRule = TextRule::lines(5_000);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// Free-form terms: any JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Terms(Map<String, Value>);

impl Terms {
    /// The maximum size of the JSON text, in bytes.
    pub const MAX_BYTES: usize = 16 * 1_024;

    /// Accepts an object whose compact JSON text fits into 16 KiB.
    pub fn parse(members: Map<String, Value>) -> Result<Self, &'static str> {
        let length = serde_json::to_string(&members).map_or(usize::MAX, |text| text.len());
        if length > Self::MAX_BYTES {
            return Err("must be at most 16 KiB of JSON");
        }
        Ok(Self(members))
    }

    /// The object.
    #[must_use]
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl TryFrom<Map<String, Value>> for Terms {
    type Error = &'static str;

    fn try_from(members: Map<String, Value>) -> Result<Self, &'static str> {
        Self::parse(members)
    }
}

impl From<Terms> for Map<String, Value> {
    fn from(terms: Terms) -> Self {
        terms.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn titles_and_descriptions_are_bounded() {
        assert_eq!(Title::parse(" Winter campaign ").unwrap().as_str(), "Winter campaign");
        assert!(Title::parse(&"é".repeat(200)).is_ok());
        for bad in ["", "a\nb", &"é".repeat(201)] {
            assert!(Title::parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!(Description::parse("").unwrap(), Description::default());
        assert_eq!(Description::parse("a\r\nb").unwrap().as_str(), "a\nb");
        assert!(Description::parse(&"é".repeat(5_000)).is_ok());
        assert!(Description::parse(&"é".repeat(5_001)).is_err());
    }

    #[test]
    fn terms_are_an_object_of_16_kib() {
        let terms = |length: usize| json!({ "a": "x".repeat(length) }).as_object().cloned();
        let frame = r#"{"a":""}"#.len();
        assert!(Terms::parse(terms(Terms::MAX_BYTES - frame).unwrap()).is_ok());
        let over = Terms::parse(terms(Terms::MAX_BYTES - frame + 1).unwrap());
        assert_eq!(over.unwrap_err(), "must be at most 16 KiB of JSON");
        assert_eq!(serde_json::to_string(&Terms::default()).unwrap(), "{}");
        assert!(serde_json::from_str::<Terms>("[]").is_err());
    }
}
