//! Cases: what was done about a confirmed mention that is not allowed (contract-2 section 25).

mod letter;
mod look;
mod query;

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::{Error, Result};
use crate::id::{CaseCommentId, CaseLetterId, MailId, MentionId, TenantId, UserId};
use crate::patch::Patch;
use crate::text::TextRule;

pub use self::letter::{
    LetterKind, LetterTemplate, LetterValues, NewLetter, PLACEHOLDERS, SUBJECT, TEXT,
};
pub use self::look::{LOOK_EVERY, LOOKS_AFTER_REMOVAL, LookEffect, LookResult, Looks};
pub use self::query::{CaseFilter, CaseParams, CaseQuery};

/// The rule for comments.
pub const COMMENT: TextRule = TextRule::paragraphs(1, 5_000);
/// How many comments a case can have.
pub const MAX_COMMENTS: usize = 500;
/// How many letters a case can have.
pub const MAX_LETTERS: usize = 100;

enum_names!(CaseStatus);

/// The status of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum CaseStatus {
    /// Somebody has to act.
    Open,
    /// A letter was sent.
    Sent,
    /// The publisher answered.
    Answered,
    /// The page, or the likeness on it, is gone.
    Removed,
    /// The publisher disputes the claim.
    Disputed,
    /// Nothing more is done.
    Closed,
}

/// The statuses that a person can set, by the current status. Letters and looks have rules of their
/// own: [`CaseStatus::after_letter`], [`Case::record_look`].
const MOVES: [(CaseStatus, &[CaseStatus]); 6] = {
    use CaseStatus::{Answered, Closed, Disputed, Open, Removed, Sent};
    [
        (Open, &[Sent, Answered, Removed, Disputed, Closed]),
        (Sent, &[Open, Answered, Removed, Disputed, Closed]),
        (Answered, &[Open, Sent, Removed, Disputed, Closed]),
        (Removed, &[Open, Closed]),
        (Disputed, &[Open, Sent, Answered, Removed, Closed]),
        (Closed, &[Open]),
    ]
};

impl CaseStatus {
    /// Whether somebody still has to act or waits for an answer.
    #[must_use]
    pub const fn is_live(self) -> bool {
        !matches!(self, Self::Removed | Self::Closed)
    }

    /// The statuses that a person can set next.
    #[must_use]
    pub fn next(self) -> &'static [Self] {
        MOVES.iter().find(|(from, _)| *from == self).map(|(_, next)| *next).unwrap_or_default()
    }

    /// Checks that a person can set a status. Setting the current one changes nothing.
    pub fn check_move(self, next: Self) -> Result<()> {
        if self == next || self.next().contains(&next) {
            return Ok(());
        }
        let names: Vec<_> = self.next().iter().map(|it| it.name()).collect();
        let message = format!(
            "A case that is {self} cannot become {next}. It can become {}.",
            names.join(", ")
        );
        Err(Error::conflict(message))
    }

    /// The status after a letter was sent.
    pub fn after_letter(self) -> Result<Self> {
        if self.is_live() {
            return Ok(Self::Sent);
        }
        Err(Error::conflict(format!(
            "The case is {self}. Set its status to open before you send a letter."
        )))
    }
}

/// A case. Its ID is that of the mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The mention.
    pub mention: MentionId,
    /// The tenant that owns the talent.
    pub tenant: TenantId,
    /// The tenant that opened the case, if it is another one that acts for the talent.
    pub agent: Option<TenantId>,
    /// The status.
    pub status: CaseStatus,
    /// Who works on the case.
    pub assignee: Option<UserId>,
    /// The looks at the address.
    pub looks: Looks,
    /// Since when the status is removed.
    pub removed_at: Option<Timestamp>,
    /// The user who opened it.
    pub opened_by: UserId,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When a person, a letter or a look last changed it.
    pub updated_at: Timestamp,
    /// Incremented by every change.
    pub version: u32,
}

impl Case {
    /// Sets the status, and when the address is looked at next.
    pub fn set_status(&mut self, status: CaseStatus, now: Timestamp) {
        let was_live = self.status.is_live();
        self.status = status;
        self.removed_at = match status {
            CaseStatus::Removed => Some(self.removed_at.unwrap_or(now)),
            // A case that is closed is still about a mention that is gone.
            CaseStatus::Closed => self.removed_at,
            _ => None,
        };
        match status {
            CaseStatus::Closed => self.looks.stop(),
            CaseStatus::Removed => self.looks.next_at = Some(now.plus(LOOK_EVERY)),
            _ if !was_live => self.looks = self.looks.restarted(now),
            _ => {}
        }
        self.touch(now);
    }

    /// Records that something changed.
    pub fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version = self.version.saturating_add(1);
    }
}

/// A change that a person makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CasePatch {
    /// The new status.
    pub status: Option<CaseStatus>,
    /// Who works on the case.
    pub assignee: Patch<UserId>,
    /// The versions that the caller accepts; any if not set.
    pub expected: Option<Vec<u32>>,
}

/// A comment on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseComment {
    /// The unique ID.
    pub id: CaseCommentId,
    /// The case.
    pub mention: MentionId,
    /// The user who wrote it; `None` if it is in Grantor's words.
    pub user: Option<UserId>,
    /// The name of that user, of whoever did what it says, or `Grantor`.
    pub author: String,
    /// The text.
    pub text: String,
    /// When it was written.
    pub created_at: Timestamp,
}

/// A letter that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseLetter {
    /// The unique ID.
    pub id: CaseLetterId,
    /// The case.
    pub mention: MentionId,
    /// The recipient.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The user who sent it.
    pub sent_by: UserId,
    /// The name of that user.
    pub author: String,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// The email in the queue; `None` for letters of sample data.
    pub mail: Option<MailId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_can_make_exactly_these_moves() {
        // The columns are those of `CaseStatus::ALL`.
        let table = [
            (CaseStatus::Open, "-xxxxx"),
            (CaseStatus::Sent, "x-xxxx"),
            (CaseStatus::Answered, "xx-xxx"),
            (CaseStatus::Removed, "x..-.x"),
            (CaseStatus::Disputed, "xxxx-x"),
            (CaseStatus::Closed, "x....-"),
        ];
        for (from, cells) in table {
            for (to, cell) in CaseStatus::ALL.into_iter().zip(cells.chars()) {
                let moves = from.next().contains(&to);
                assert_eq!(moves, cell == 'x', "{from} to {to}");
                assert_eq!(from.check_move(to).is_ok(), moves || from == to, "{from} to {to}");
            }
        }
        let error = CaseStatus::Closed.check_move(CaseStatus::Sent).unwrap_err();
        let message = "A case that is closed cannot become sent. It can become open.";
        assert_eq!(error.message(), message);
    }

    #[test]
    fn a_letter_can_be_sent_while_the_case_is_live() {
        for status in CaseStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
            let after = status.after_letter();
            assert_eq!(after.is_ok(), status.is_live(), "{status}");
            assert!(after.is_err() || after == Ok(CaseStatus::Sent), "{status}");
        }
    }

    #[test]
    fn only_cases_that_are_not_closed_are_looked_at() {
        let now = Timestamp::from_secs(1_000);
        let mut case = look::tests::case(now);
        case.set_status(CaseStatus::Closed, now);
        assert_eq!((case.looks.next_at, case.version), (None, 2));
        case.set_status(CaseStatus::Open, now);
        assert_eq!((case.looks, case.version), (Looks::starting(now), 3));
        case.set_status(CaseStatus::Removed, now);
        assert_eq!((case.looks.next_at, case.removed_at), (Some(now.plus(LOOK_EVERY)), Some(now)));
        case.set_status(CaseStatus::Open, now);
        assert_eq!((case.looks, case.removed_at), (Looks::starting(now), None));
    }

    #[test]
    fn a_case_that_is_reopened_keeps_what_the_last_look_found() {
        let now = Timestamp::from_secs(1_000);
        let mut case = look::tests::case(now);
        case.record_look(LookResult::NoMatch, now);
        for status in [CaseStatus::Closed, CaseStatus::Removed] {
            case.set_status(status, now);
            case.set_status(CaseStatus::Open, now);
            let (last_at, last_result) = (Some(now), Some(LookResult::NoMatch));
            let expected = Looks { last_at, last_result, ..Looks::starting(now) };
            assert_eq!(case.looks, expected, "the count starts again");
        }
    }

    #[test]
    fn a_mention_that_is_gone_stays_so_when_its_case_is_closed() {
        let now = Timestamp::from_secs(1_000);
        let mut case = look::tests::case(now);
        for (status, removed_at) in [
            (CaseStatus::Closed, None),
            (CaseStatus::Removed, Some(now)),
            (CaseStatus::Closed, Some(now)),
            (CaseStatus::Open, None),
        ] {
            case.set_status(status, now);
            assert_eq!(case.removed_at, removed_at, "{status:?}");
        }
    }
}
