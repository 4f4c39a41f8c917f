//! Bookmarks: licenses and mentions that a user wants to find again (contract section 4).

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};
use uuid::Uuid;

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::{Error, Fields, Result};
use crate::id::{BookmarkId, LicenseId, MentionId, UserId};
use crate::note::Note;
use crate::text::{TextRule, parse_distinct};

enum_names!(TargetType);

/// The type of a bookmarked record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum TargetType {
    /// A license.
    License,
    /// A mention.
    Mention,
}

/// The bookmarked record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A license.
    License(LicenseId),
    /// A mention.
    Mention(MentionId),
}

impl Target {
    /// Creates a target from a stored row.
    #[must_use]
    pub fn new(kind: TargetType, id: Uuid) -> Self {
        match kind {
            TargetType::License => Self::License(id.into()),
            TargetType::Mention => Self::Mention(id.into()),
        }
    }

    /// The type of the target.
    #[must_use]
    pub const fn kind(self) -> TargetType {
        match self {
            Self::License(_) => TargetType::License,
            Self::Mention(_) => TargetType::Mention,
        }
    }

    /// The raw ID, for storage.
    #[must_use]
    pub const fn as_uuid(self) -> Uuid {
        match self {
            Self::License(id) => id.as_uuid(),
            Self::Mention(id) => id.as_uuid(),
        }
    }

    /// Parses the ID of a target.
    fn parse(kind: TargetType, id: &str) -> Result<Self, crate::id::InvalidId> {
        match kind {
            TargetType::License => id.parse().map(Self::License),
            TargetType::Mention => id.parse().map(Self::Mention),
        }
    }
}

/// Tags that group bookmarks, in the order the user gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(Vec<String>);

impl Tags {
    /// The rule for each item.
    pub const RULE: TextRule = TextRule::line(1, 50);
    /// The maximum number of items.
    pub const MAX: usize = 20;

    /// Parses up to 20 tags of 1 to 50 characters; tags that differ only in case are merged.
    pub fn parse<T: AsRef<str>>(tags: &[T]) -> Result<Self, String> {
        parse_distinct(tags, Self::MAX, Self::RULE).map(Self)
    }

    /// The tags.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// The fields of a new bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBookmark {
    /// The bookmarked record.
    pub target: Target,
    /// The user's note.
    pub note: Note,
    /// The user's tags.
    pub tags: Tags,
}

impl NewBookmark {
    /// Parses the members of a request body; the error names every invalid or missing one.
    pub fn parse<T: AsRef<str>>(
        target_type: Option<&str>,
        target_id: Option<&str>,
        note: Option<&str>,
        tags: &[T],
    ) -> Result<Self> {
        let mut fields = Fields::default();
        let kind: Option<TargetType> = fields.require("target_type", target_type, str::parse);
        // IDs look the same for both types, so validate the ID even when the type is invalid.
        let kind = kind.unwrap_or(TargetType::License);
        let target = fields.require("target_id", target_id, |id| Target::parse(kind, id));
        let note = fields.take("note", Note::parse(note.unwrap_or_default()));
        let tags = fields.take("tags", Tags::parse(tags));
        fields.finish()?;
        match (target, note, tags) {
            (Some(target), Some(note), Some(tags)) => Ok(Self { target, note, tags }),
            _ => Err(Error::validation("The bookmark is not valid")),
        }
    }
}

/// A stored bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The unique ID.
    pub id: BookmarkId,
    /// The user who created it.
    pub user: UserId,
    /// The fields the user gave.
    pub fields: NewBookmark,
    /// When it was created.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";

    #[test]
    fn a_target_survives_its_stored_form() {
        for kind in TargetType::ALL {
            let target = Target::parse(kind, ID).unwrap();
            assert_eq!(Target::new(target.kind(), target.as_uuid()), target);
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }

    #[test]
    fn tags_are_few_and_distinct() {
        let tags = Tags::parse(&["Q4 ", "q4", "Brand"]).unwrap();
        assert_eq!(tags.as_slice(), ["Q4", "Brand"]);
        let many: Vec<_> = (0..21).map(|it| it.to_string()).collect();
        assert!(Tags::parse(&many[..20]).is_ok());
        assert_eq!(Tags::parse(&many).unwrap_err(), "must contain at most 20 items");
        for bad in ["", &"x".repeat(51)] {
            assert_eq!(Tags::parse(&[bad]).unwrap_err(), "each must be 1 to 50 characters");
        }
    }

    #[test]
    fn a_bookmark_needs_only_a_target() {
        let new = NewBookmark::parse::<&str>(Some("mention"), Some(ID), None, &[]).unwrap();
        assert_eq!(new.target, Target::Mention(ID.parse().unwrap()));
        assert_eq!((new.note.as_str(), new.tags), ("", Tags::default()));
    }

    #[test]
    fn every_wrong_member_is_named() {
        let long = "x".repeat(1_001);
        let error = NewBookmark::parse(Some("talent"), Some("1"), Some(&long), &[""]).unwrap_err();
        let found: Vec<_> =
            error.fields().iter().map(|(it, text)| format!("{it} {text}")).collect();
        assert_eq!(
            found,
            [
                "note must be at most 1000 characters",
                "tags each must be 1 to 50 characters",
                "target_id must be a UUID",
                "target_type must be one of license, mention",
            ]
        );
        let error = NewBookmark::parse::<&str>(None, None, None, &[]).unwrap_err();
        assert_eq!(error.fields().len(), 2);
    }
}
