//! Reviews of mentions: whether the talent was recognized correctly, and whether the use is allowed
//! (contract-2 section 25).

use super::{Mention, MentionStatus};
use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::id::UserId;
use crate::note::Note;
use crate::patch::Patch;

const ONLY_CONFIRMED: &str = "can only be set for a confirmed mention";

/// Who decided, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The user, also if an API client acted for them.
    pub by: UserId,
    /// The name of the user or of the API client at that time.
    pub by_name: String,
    /// When.
    pub at: Timestamp,
}

/// What is decided about a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionState {
    /// The status.
    pub status: MentionStatus,
    /// Whether the use is allowed.
    pub allowed: Option<bool>,
}

/// A decision about a mention, or that it was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionDecision {
    /// What was decided before; `None` if that is not known.
    pub from: Option<DecisionState>,
    /// What is decided since.
    pub to: DecisionState,
    /// The user who decided; `None` for the operator.
    pub by: Option<UserId>,
    /// The name at that time.
    pub by_name: String,
    /// When.
    pub at: Timestamp,
}

/// A review of a mention. What is not given stays; an empty note removes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The new status. `new` undoes the decision.
    pub status: Option<MentionStatus>,
    /// Whether the use is allowed.
    pub allowed: Patch<bool>,
    /// The reviewer's note.
    pub note: Option<Note>,
}

/// What a review leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The status.
    pub status: MentionStatus,
    /// Whether the use is allowed.
    pub allowed: Option<bool>,
    /// The note.
    pub note: Note,
}

impl Review {
    /// Parses the members of a request body; the error names every invalid one. A body with none of
    /// them changes nothing.
    pub fn parse(status: Option<&str>, allowed: Patch<bool>, note: Option<&str>) -> Result<Self> {
        let mut fields = Fields::default();
        let status = status.and_then(|text| fields.take("status", text.parse::<MentionStatus>()));
        let confirmed = status.is_none_or(|it| it == MentionStatus::Confirmed);
        if matches!(allowed, Patch::Set(_)) && !confirmed {
            fields.add("allowed", ONLY_CONFIRMED);
        }
        let note = note.and_then(|text| fields.take("note", Note::parse(text)));
        fields.finish()?;
        Ok(Self { status, allowed, note })
    }

    /// Applies the review. Only a confirmed mention is allowed or not allowed.
    pub fn apply(&self, mention: &Mention) -> Result<Reviewed> {
        let status = self.status.unwrap_or(mention.status);
        let confirmed = status == MentionStatus::Confirmed;
        if matches!(self.allowed, Patch::Set(_)) && !confirmed {
            return Err(Error::conflict("Only a confirmed mention can be allowed or not allowed"));
        }
        let allowed = self.allowed.over(mention.allowed).filter(|_| confirmed);
        let note = self.note.clone().unwrap_or_else(|| mention.note.clone());
        Ok(Reviewed { status, allowed, note })
    }
}

impl Reviewed {
    /// What is decided.
    #[must_use]
    pub const fn state(&self) -> DecisionState {
        DecisionState { status: self.status, allowed: self.allowed }
    }

    /// Whether the review decides something else than what was decided before.
    #[must_use]
    pub fn decides(&self, mention: &Mention) -> bool {
        self.state() != mention.decision_state()
    }

    /// Whether the review changes the mention.
    #[must_use]
    pub fn changes(&self, mention: &Mention) -> bool {
        self.decides(mention) || self.note != mention.note
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mention::{Match, MatchKind, MediaType, Verdict};

    fn mention(status: MentionStatus, allowed: Option<bool>) -> Mention {
        let (at, id) = (Timestamp::from_secs(0), uuid::Uuid::nil());
        Mention {
            id: id.into(),
            talent: id.into(),
            platform: None,
            source: None,
            url: String::new(),
            title: String::new(),
            excerpt: String::new(),
            author: None,
            media_type: MediaType::Text,
            found: Match {
                kind: MatchKind::Name,
                term: String::new(),
                confidence: 1.0,
                distance: None,
                placement: None,
            },
            verdict: Verdict::Unlicensed,
            verdict_reason: String::new(),
            grant: None,
            status,
            allowed,
            decided: None,
            note: Note::parse("fake").unwrap(),
            published_at: None,
            first_seen_at: at,
            last_seen_at: at,
            revision: 1,
            version: 1,
        }
    }

    #[test]
    fn every_wrong_member_is_named() {
        let long = "x".repeat(1_001);
        let error = Review::parse(Some("old"), Patch::Keep, Some(&long)).unwrap_err();
        assert_eq!(error.fields()["status"], "must be one of new, confirmed, dismissed");
        assert_eq!(error.fields()["note"], "must be at most 1000 characters");
        let error = Review::parse(Some("maybe"), Patch::Set(true), None).unwrap_err();
        assert_eq!(error.fields()["status"], "must be one of new, confirmed, dismissed");
        for status in ["new", "dismissed"] {
            let error = Review::parse(Some(status), Patch::Set(false), None).unwrap_err();
            assert_eq!(error.fields()["allowed"], ONLY_CONFIRMED);
            assert!(Review::parse(Some(status), Patch::Clear, None).is_ok());
        }
    }

    #[test]
    fn only_a_confirmed_mention_is_allowed_or_not() {
        let (new, confirmed, dismissed) =
            (MentionStatus::New, MentionStatus::Confirmed, MentionStatus::Dismissed);
        for (was, review, expected) in [
            ((new, None), (Some("confirmed"), Patch::Keep), Some((confirmed, None))),
            ((new, None), (Some("confirmed"), Patch::Set(true)), Some((confirmed, Some(true)))),
            ((new, None), (None, Patch::Set(true)), None),
            ((confirmed, Some(true)), (None, Patch::Set(false)), Some((confirmed, Some(false)))),
            ((confirmed, Some(true)), (None, Patch::Clear), Some((confirmed, None))),
            (
                (confirmed, Some(true)),
                (Some("confirmed"), Patch::Keep),
                Some((confirmed, Some(true))),
            ),
            ((confirmed, Some(true)), (Some("dismissed"), Patch::Keep), Some((dismissed, None))),
            ((confirmed, Some(false)), (Some("new"), Patch::Keep), Some((new, None))),
        ] {
            let review = Review::parse(review.0, review.1, None).unwrap();
            let found = review.apply(&mention(was.0, was.1)).ok();
            assert_eq!(found.map(|it| (it.status, it.allowed)), expected, "{was:?} {review:?}");
        }
    }

    #[test]
    fn the_same_again_changes_nothing() {
        let was = mention(MentionStatus::Dismissed, None);
        let changes = |status, text| {
            let review = Review::parse(Some(status), Patch::Keep, text).unwrap();
            let reviewed = review.apply(&was).unwrap();
            (reviewed.decides(&was), reviewed.changes(&was))
        };
        let note = Review::parse(None, Patch::Keep, Some("Theirs")).unwrap();
        let reviewed = note.apply(&was).unwrap();
        assert!(!reviewed.decides(&was) && reviewed.changes(&was), "a note alone decides nothing");
        assert_eq!(changes("dismissed", None), (false, false));
        assert_eq!(changes("dismissed", Some(" fake ")), (false, false));
        assert_eq!(changes("dismissed", Some("")), (false, true));
        assert_eq!(changes("confirmed", None), (true, true));
    }
}
