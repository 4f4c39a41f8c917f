//! Mentions: appearances of a talent at a URL (contract sections 4 and 7, contract-2 sections 21
//! and 24).
//! There is one mention per talent and URL, regardless of the number of licenses.

mod inbox;
mod query;
mod review;
mod unknown_publisher;
mod verdict;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::check::CheckMethod;
use crate::enum_names::enum_names;
use crate::id::{MentionId, PlatformId, SourceId, TalentId, TenantId};
use crate::likeness::Placement;
use crate::name_index::is_full_name;
use crate::note::Note;

pub use self::inbox::InboxQuery;
pub use self::query::{MentionParams, MentionQuery};
pub use self::review::{Decided, DecisionState, MentionDecision, Review, Reviewed};
pub use self::unknown_publisher::UnknownPublisher;
pub use self::verdict::{
    Judgment, MAX_PUBLICATION_GAP, PublisherRights, SightingTimes, VerdictGrant,
};

enum_names!(MediaType, MatchKind, Verdict, MentionStatus);

/// The maximum length of an excerpt, in characters.
pub const MAX_EXCERPT: usize = 500;

/// The medium a likeness appears in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum MediaType {
    /// Text.
    Text,
    /// An image.
    Image,
}

/// What a likeness was recognized by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum MatchKind {
    /// A name.
    Name,
    /// A reference image.
    Image,
}

impl MatchKind {
    /// The medium of such a match.
    #[must_use]
    pub const fn media_type(self) -> MediaType {
        match self {
            Self::Name => MediaType::Text,
            Self::Image => MediaType::Image,
        }
    }
}

/// Whether the use is covered by a license, as far as can be determined automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    /// The platform's organization has an active permission, or had an active grant at the time of
    /// publication.
    Licensed,
    /// It has no permission and no grant, and the match is strong.
    Unlicensed,
    /// A person must review it.
    NeedsReview,
}

/// The review status of a mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum MentionStatus {
    /// Not reviewed yet.
    #[default]
    New,
    /// The talent was recognized correctly.
    Confirmed,
    /// A false match, or irrelevant.
    Dismissed,
}

/// What a likeness was recognized by, and with what confidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// By name or by image.
    pub kind: MatchKind,
    /// The name, or the ID of the reference image.
    pub term: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The number of bits in which the image hashes differ; `None` if it was not recognized by them.
    pub distance: Option<u32>,
    /// Where the picture shows the image, if it was recognized by local features.
    pub placement: Option<Placement>,
}

impl Match {
    /// How it was recognized.
    #[must_use]
    pub fn method(&self) -> CheckMethod {
        match self.kind {
            MatchKind::Image if self.placement.is_some() => CheckMethod::LocalFeatures,
            MatchKind::Image => CheckMethod::PerceptualHash,
            MatchKind::Name if is_full_name(&self.term) => CheckMethod::FullName,
            MatchKind::Name => CheckMethod::SingleName,
        }
    }
}

/// A talent recognized in a piece of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognition {
    /// The match.
    pub found: Match,
    /// Whether the match is strong.
    pub strong: bool,
    /// The text around the match.
    pub excerpt: String,
}

impl Recognition {
    /// Whether this is a better match than another of the same talent in the same content.
    #[must_use]
    pub fn is_better_than(&self, other: &Self) -> bool {
        (self.strong, self.found.confidence) > (other.strong, other.found.confidence)
    }

    /// Like [`Self::is_better_than`], where the publisher may be unknown: there a strong match of an
    /// image says more than any name.
    #[must_use]
    pub fn is_better_evidence_than(&self, other: &Self) -> bool {
        let rank = |it: &Self| (it.strong && it.found.kind == MatchKind::Image, it.strong);
        (rank(self), self.found.confidence) > (rank(other), other.found.confidence)
    }
}

/// A stored mention.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The unique ID.
    pub id: MentionId,
    /// The recognized talent.
    pub talent: TalentId,
    /// The platform it was found on; `None` if a source found it.
    pub platform: Option<PlatformId>,
    /// The source that found it; `None` for a platform's mention, and after the source was deleted.
    pub source: Option<SourceId>,
    /// The canonical URL.
    pub url: String,
    /// The title of the content.
    pub title: String,
    /// The text around the match.
    pub excerpt: String,
    /// The author of the content, if known.
    pub author: Option<String>,
    /// The medium.
    pub media_type: MediaType,
    /// The match.
    pub found: Match,
    /// Whether the use is covered by a license.
    pub verdict: Verdict,
    /// The rule behind the verdict, without the number of a grant; see [`Self::reason_for`].
    pub verdict_reason: String,
    /// The grant that the verdict is based on.
    pub grant: Option<VerdictGrant>,
    /// The review status.
    pub status: MentionStatus,
    /// Whether the rights holder is fine with the use; `None` if nobody decided that.
    pub allowed: Option<bool>,
    /// Who decided last, and when; `None` if nothing is decided.
    pub decided: Option<Decided>,
    /// The reviewer's note.
    pub note: Note,
    /// The publication time given by the content.
    pub published_at: Option<Timestamp>,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// Incremented when the content changes.
    pub revision: u32,
    /// Incremented by every change, including reviews.
    pub version: u32,
}

impl Mention {
    /// What is decided about it.
    #[must_use]
    pub const fn decision_state(&self) -> DecisionState {
        DecisionState { status: self.status, allowed: self.allowed }
    }

    /// The grant that the verdict is based on, if a tenant is a party of it.
    #[must_use]
    pub fn grant_of(&self, tenant: Option<TenantId>) -> Option<VerdictGrant> {
        self.grant.filter(|it| tenant.is_some_and(|tenant| it.is_party(tenant)))
    }

    /// The reason that a tenant may read: the parties of a grant read its number, others read that
    /// there is one.
    #[must_use]
    pub fn reason_for(&self, tenant: Option<TenantId>) -> String {
        let grant = self.grant_of(tenant);
        grant.map_or_else(|| self.verdict_reason.clone(), |it| it.name_in(&self.verdict_reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name parses to its variant and equals its JSON form.
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
    fn an_image_is_better_evidence_than_a_name() {
        let seen = |kind, strong, confidence| Recognition {
            found: Match { kind, term: String::new(), confidence, distance: None, placement: None },
            strong,
            excerpt: String::new(),
        };
        let name = seen(MatchKind::Name, true, 0.98);
        let image = seen(MatchKind::Image, true, 0.9);
        let weak_image = seen(MatchKind::Image, false, 0.99);
        assert!(image.is_better_evidence_than(&name) && !name.is_better_evidence_than(&image));
        assert!(name.is_better_than(&image));
        assert!(name.is_better_evidence_than(&weak_image));
        assert!(!image.is_better_evidence_than(&image));
    }

    #[test]
    fn a_match_has_a_method() {
        let method = |kind, term: &str, placement: Option<Placement>| {
            let term = term.to_owned();
            Match { kind, term, confidence: 1.0, distance: None, placement }.method().name()
        };
        let placement = Placement { outline: vec![], scale: 1_000, rotation: 0, mirrored: false };
        assert_eq!(method(MatchKind::Name, "Ada Lovelace", None), "full_name");
        assert_eq!(method(MatchKind::Name, "Ada", None), "single_name");
        assert_eq!(method(MatchKind::Name, "星野うらら", None), "single_name");
        assert_eq!(method(MatchKind::Name, "山田 太郎", None), "full_name");
        assert_eq!(method(MatchKind::Image, "a b", None), "perceptual_hash");
        assert_eq!(method(MatchKind::Image, "a b", Some(placement)), "local_features");
    }
}
