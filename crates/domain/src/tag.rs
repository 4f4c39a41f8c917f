//! Tags that an organization puts on its licenses and talents, to find them again. Only the
//! organization itself sees them.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;
use crate::hex;
use crate::text::{TextRule, fold_words, texts};

enum_names!(TaggedKind);
texts!(Tag);

/// How many different tags an organization can have.
pub const MAX_OF_TENANT: u64 = 1_000;

/// What separates tags that are typed into one field.
const SEPARATORS: [char; 3] = [',', ';', '\n'];

/// A kind of record that can have tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum TaggedKind {
    /// A license.
    License,
    /// A talent.
    Talent,
}

/// One tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Tag(String);

impl Tag {
    /// The rule for tags.
    pub const RULE: TextRule = TextRule::line(1, 30);

    /// Parses a tag. It contains none of the characters that separate tags.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.contains(SEPARATORS) {
            return Err("must be one tag, without commas and semicolons".to_owned());
        }
        Self::RULE.parse(text).map(Self)
    }

    /// The tag without differences in case and spacing: an organization has one tag with it.
    #[must_use]
    pub fn key(&self) -> TagKey {
        TagKey(fold_words(&self.0))
    }
}

/// A tag without differences in case and spacing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagKey(String);

impl TagKey {
    /// The text, as stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key as a word without spaces, for the search index.
    #[must_use]
    pub fn term(&self) -> String {
        term_of(&self.0)
    }
}

/// The word of a stored key in the search index.
#[must_use]
pub fn term_of(key: &str) -> String {
    hex::encode(key.as_bytes())
}

/// Tags of one record, or tags to add or remove.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(Vec<Tag>);

impl Tags {
    /// The maximum number of tags on one record.
    pub const MAX: usize = 20;

    /// Parses tags that are separated by commas, semicolons or line breaks; those that differ only in
    /// case are merged.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut kept: Vec<Tag> = Vec::new();
        for part in text.split(SEPARATORS).map(str::trim).filter(|it| !it.is_empty()) {
            let tag = Tag::parse(part).map_err(|error| format!("each tag {error}"))?;
            if kept.iter().all(|it| it.key() != tag.key()) {
                kept.push(tag);
            }
        }
        if kept.len() > Self::MAX {
            return Err(format!("must be at most {} tags", Self::MAX));
        }
        Ok(Self(kept))
    }

    /// The tags.
    #[must_use]
    pub fn as_slice(&self) -> &[Tag] {
        &self.0
    }

    /// The tags in one line.
    #[must_use]
    pub fn joined(&self) -> String {
        self.0.iter().map(Tag::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl FromIterator<Tag> for Tags {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        Self(tags.into_iter().collect())
    }
}

impl From<Tag> for Tags {
    fn from(tag: Tag) -> Self {
        Self(vec![tag])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_short_and_distinct() {
        let tags = Tags::parse(" Summer 2026, summer  2026; VIP\nvip,, Zoë ").unwrap();
        assert_eq!(tags.joined(), "Summer 2026, VIP, Zoë");
        assert_eq!(Tags::parse(" , ;"), Ok(Tags::default()));
        let long = "x".repeat(31);
        assert_eq!(Tags::parse(&long).unwrap_err(), "each tag must be 1 to 30 characters");
        let many: Vec<_> = (0..21).map(|it| it.to_string()).collect();
        assert!(Tags::parse(&many[1..].join(",")).is_ok());
        assert_eq!(Tags::parse(&many.join(",")).unwrap_err(), "must be at most 20 tags");
    }

    #[test]
    fn one_tag_is_one_tag() {
        let (one, other) = (Tag::parse(" VIP  guests").unwrap(), Tag::parse("vip guests").unwrap());
        assert_eq!((one.as_str(), one.key()), ("VIP  guests", other.key()));
        assert_eq!(one.key().term(), term_of("vip guests"));
        assert!(!one.key().term().contains(' '));
        for bad in ["", "a,b", "a;b", "a\nb"] {
            assert!(Tag::parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!("talent".parse(), Ok(TaggedKind::Talent));
    }
}
