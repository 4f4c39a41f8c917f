//! Mentions: recorded sightings of a licensed person (contract sections 4, 7 and 24). There is one of a
//! talent at an address, whatever licenses the talent has.

mod inbox;
mod query;
mod verdict;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::id::{MentionId, PlatformId, TalentId};
use crate::named::named;
use crate::note::Note;

pub use self::inbox::InboxQuery;
pub use self::query::{AskedMentions, MentionQuery};
pub use self::verdict::Evidence;

named!(MediaType, MatchKind, Verdict, MentionStatus);

/// The longest excerpt, in characters.
pub const MAX_EXCERPT: usize = 500;

/// Where a likeness was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaType {
    /// In words.
    Text,
    /// In a picture.
    Image,
}

impl MediaType {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Text, Self::Image];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
        }
    }
}

/// By what a likeness was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// A name.
    Name,
    /// A reference image.
    Image,
}

impl MatchKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Name, Self::Image];

    /// Where such a match is found.
    #[must_use]
    pub const fn media_type(self) -> MediaType {
        match self {
            Self::Name => MediaType::Text,
            Self::Image => MediaType::Image,
        }
    }

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Image => "image",
        }
    }
}

/// Whether the use is covered, as far as a machine can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The platform's organization holds a permission that is in force.
    Licensed,
    /// It holds none, and the match is strong.
    Unlicensed,
    /// A person must look.
    NeedsReview,
}

impl Verdict {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 3] = [Self::Licensed, Self::Unlicensed, Self::NeedsReview];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Licensed => "licensed",
            Self::Unlicensed => "unlicensed",
            Self::NeedsReview => "needs_review",
        }
    }
}

/// What people made of a sighting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MentionStatus {
    /// Nobody has decided.
    #[default]
    New,
    /// It is what it seems.
    Confirmed,
    /// It is not, or does not matter.
    Dismissed,
}

impl MentionStatus {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 3] = [Self::New, Self::Confirmed, Self::Dismissed];

    /// What can be decided. A decision can be turned around; it cannot be unmade.
    pub const DECISIONS: [Self; 2] = [Self::Confirmed, Self::Dismissed];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Confirmed => "confirmed",
            Self::Dismissed => "dismissed",
        }
    }

    fn parse_decision(text: &str) -> Result<Self, String> {
        let found = Self::DECISIONS.into_iter().find(|it| it.name() == text);
        let names = || Self::DECISIONS.map(Self::name).join(", ");
        found.ok_or_else(|| format!("must be one of {}", names()))
    }
}

/// A decision on a mention. Without a note the one that is there stays; an empty one takes it away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Confirmed or dismissed.
    pub status: MentionStatus,
    /// Why.
    pub note: Option<Note>,
}

impl Decision {
    /// Reads the members of a body; each that does not fit or lacks is named.
    pub fn parse(status: Option<&str>, note: Option<&str>) -> Result<Self> {
        let mut fields = Fields::default();
        let status = status.ok_or_else(|| "is required".to_owned());
        let status = fields.take("status", status.and_then(MentionStatus::parse_decision));
        let note = note.and_then(|text| fields.take("note", Note::parse(text)));
        fields.finish()?;
        let status = status.ok_or_else(|| Error::validation("The decision does not read"))?;
        Ok(Self { status, note })
    }

    /// Whether it differs from what was decided before.
    #[must_use]
    pub fn changes(&self, status: MentionStatus, note: &Note) -> bool {
        self.status != status || self.note.as_ref().is_some_and(|it| it != note)
    }
}

/// By what a sighting was known, and how surely.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// A name or an image.
    pub kind: MatchKind,
    /// The name, or the id of the reference image.
    pub term: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// How many bits two images differ in.
    pub distance: Option<u32>,
}

/// What was recognized in a piece of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// By what, and how surely.
    pub found: Match,
    /// Whether there is hardly a doubt.
    pub strong: bool,
    /// What stands around it.
    pub excerpt: String,
}

impl Trace {
    /// Whether it says more than another of the same person in the same content.
    #[must_use]
    pub fn outdoes(&self, other: &Self) -> bool {
        (self.strong, self.found.confidence) > (other.strong, other.found.confidence)
    }
}

/// A mention as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Its id.
    pub id: MentionId,
    /// Who was seen.
    pub talent: TalentId,
    /// Where it was seen.
    pub platform: PlatformId,
    /// The canonical address.
    pub url: String,
    /// The title of the content.
    pub title: String,
    /// What stands around the match.
    pub excerpt: String,
    /// Who wrote it, where that is said.
    pub author: Option<String>,
    /// In words or in a picture.
    pub media_type: MediaType,
    /// By what it was known.
    pub found: Match,
    /// Whether the use is covered.
    pub verdict: Verdict,
    /// Which rule says so.
    pub verdict_reason: String,
    /// What people made of it.
    pub status: MentionStatus,
    /// Why.
    pub note: Note,
    /// When the content says it was published.
    pub published_at: Option<Timestamp>,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// Raised when the content changed.
    pub revision: u32,
    /// Raised by every change, decisions included.
    pub version: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name reads back and is its JSON.
    macro_rules! assert_named {
        ($($type:ty),*) => {$(
            for value in <$type>::ALL {
                assert_eq!(value.name().parse(), Ok(value));
                assert_eq!(serde_json::to_value(value).unwrap(), value.name());
            }
        )*};
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        assert_named!(MediaType, MatchKind, Verdict, MentionStatus);
        let error = "bad".parse::<Verdict>().unwrap_err();
        assert_eq!(error, "must be one of licensed, unlicensed, needs_review");
    }

    #[test]
    fn a_decision_confirms_or_dismisses() {
        for status in MentionStatus::ALL {
            let decided = Decision::parse(Some(status.name()), None).map(|it| it.status);
            if status == MentionStatus::New {
                let error = decided.unwrap_err();
                assert_eq!(error.fields()["status"], "must be one of confirmed, dismissed");
            } else {
                assert_eq!(decided, Ok(status));
            }
        }
        let error = Decision::parse(None, Some(&"x".repeat(1_001))).unwrap_err();
        assert_eq!(error.fields()["status"], "is required");
        assert_eq!(error.fields()["note"], "must be at most 1000 characters");
    }

    #[test]
    fn the_same_decision_again_changes_nothing() {
        let note = Note::parse("fake").unwrap();
        let changes = |status, text| {
            Decision::parse(Some(status), text).unwrap().changes(MentionStatus::Dismissed, &note)
        };
        assert!(!changes("dismissed", None) && !changes("dismissed", Some(" fake ")));
        assert!(changes("confirmed", None) && changes("dismissed", Some("")));
    }
}
