//! Looks at the address of a case: whether the page still shows the talent.

use std::time::Duration;

use strum::{VariantArray, VariantNames};

use super::{Case, CaseStatus};
use crate::Timestamp;
use crate::enum_names::enum_names;

/// How often the address is looked at. Also how far apart two looks without a match must be.
pub const LOOK_EVERY: Duration = Duration::from_hours(24);
/// How long the address is looked at after the mention was removed.
pub const LOOKS_AFTER_REMOVAL: Duration = Duration::from_hours(30 * 24);

enum_names!(LookResult);

/// What a look found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum LookResult {
    /// The talent is still there.
    Match,
    /// The page exists, but the talent was not recognized.
    NoMatch,
    /// The page does not exist any more: status 404 or 410.
    Gone,
    /// The page could not be read. Says nothing about the mention.
    Failed,
}

/// The state of the looks at an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// When the next look is; `None` if there is none.
    pub next_at: Option<Timestamp>,
    /// The first look that did not find the talent, since the last that did.
    pub gone_since: Option<Timestamp>,
    /// How many looks did not find the talent since then.
    pub misses: u32,
    /// When the last look was.
    pub last_at: Option<Timestamp>,
    /// What the last look found.
    pub last_result: Option<LookResult>,
}

impl Looks {
    /// The state of a case that was just opened: the first look is due.
    #[must_use]
    pub fn starting(now: Timestamp) -> Self {
        Self { next_at: Some(now), ..Self::default() }
    }

    /// The state of a case that was reopened: a look is due, and none counts. What the last look found
    /// is still known.
    #[must_use]
    pub fn restarted(self, now: Timestamp) -> Self {
        Self { last_at: self.last_at, last_result: self.last_result, ..Self::starting(now) }
    }

    /// Ends the looks.
    pub fn stop(&mut self) {
        self.next_at = None;
    }
}

/// What a look changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookEffect {
    /// The status stays.
    Nothing,
    /// The mention was removed.
    Removed,
    /// A removed mention is back: the case is open again.
    Reopened,
}

impl Case {
    /// Records a look. The mention is removed if the page is gone, or if two looks 24 hours apart
    /// did not find the talent. Failed looks never count.
    pub fn record_look(&mut self, result: LookResult, now: Timestamp) -> LookEffect {
        self.looks.last_at = Some(now);
        self.looks.last_result = Some(result);
        let is_gone = match result {
            LookResult::Failed => false,
            LookResult::Match => {
                self.looks.gone_since = None;
                self.looks.misses = 0;
                false
            }
            LookResult::Gone | LookResult::NoMatch => {
                let since = *self.looks.gone_since.get_or_insert(now);
                self.looks.misses = self.looks.misses.saturating_add(1);
                result == LookResult::Gone || now.since(since) >= LOOK_EVERY
            }
        };
        let effect = if is_gone && self.status.is_live() {
            self.set_status(CaseStatus::Removed, now);
            LookEffect::Removed
        } else if result == LookResult::Match && self.status == CaseStatus::Removed {
            let looks = self.looks;
            self.set_status(CaseStatus::Open, now);
            self.looks = looks;
            LookEffect::Reopened
        } else {
            LookEffect::Nothing
        };
        self.looks.next_at = self.next_look(now);
        effect
    }

    /// When the look after one at this time is.
    fn next_look(&self, now: Timestamp) -> Option<Timestamp> {
        match (self.status, self.removed_at) {
            (CaseStatus::Closed, _) => None,
            (_, Some(since)) if now.since(since) >= LOOKS_AFTER_REMOVAL => None,
            _ => Some(now.plus(LOOK_EVERY)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use uuid::Uuid;

    use super::*;

    pub(in crate::case) fn case(now: Timestamp) -> Case {
        Case {
            mention: Uuid::from_u128(1).into(),
            tenant: Uuid::from_u128(2).into(),
            agent: None,
            status: CaseStatus::Open,
            assignee: None,
            looks: Looks::starting(now),
            removed_at: None,
            opened_by: Uuid::from_u128(3).into(),
            opened_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// The effects of looks a number of hours after the case was opened.
    fn looks(at: &[(u64, LookResult)]) -> (Vec<LookEffect>, Case) {
        let start = Timestamp::from_secs(1_767_225_600);
        let mut case = case(start);
        let effects = at.iter().map(|(hours, result)| {
            case.record_look(*result, start.plus(Duration::from_hours(*hours)))
        });
        let effects = effects.collect();
        (effects, case)
    }

    #[test]
    fn a_page_that_is_gone_is_removed_at_once() {
        let (effects, case) = looks(&[(0, LookResult::Gone), (24, LookResult::Gone)]);
        assert_eq!(effects, [LookEffect::Removed, LookEffect::Nothing]);
        assert_eq!((case.status, case.version), (CaseStatus::Removed, 2));
    }

    #[test]
    fn two_looks_without_a_match_must_be_a_day_apart() {
        use LookEffect::{Nothing, Removed};
        let (effects, _) = looks(&[(0, LookResult::NoMatch), (23, LookResult::NoMatch)]);
        assert_eq!(effects, [Nothing, Nothing]);
        let (effects, case) = looks(&[(0, LookResult::NoMatch), (24, LookResult::NoMatch)]);
        assert_eq!(effects, [Nothing, Removed]);
        assert_eq!(case.looks.misses, 2);
        let seen = [(0, LookResult::NoMatch), (12, LookResult::Match), (24, LookResult::NoMatch)];
        assert_eq!(looks(&seen).0, [Nothing; 3]);
    }

    #[test]
    fn failures_never_count() {
        let failed = |day: u64| (24 * day, LookResult::Failed);
        let (effects, case) = looks(&[failed(0), failed(1), failed(2), failed(3)]);
        assert_eq!(effects, [LookEffect::Nothing; 4]);
        assert_eq!((case.looks.misses, case.looks.gone_since, case.version), (0, None, 1));
        let (effects, _) = looks(&[(0, LookResult::NoMatch), failed(1)]);
        assert_eq!(effects, [LookEffect::Nothing; 2]);
    }

    #[test]
    fn a_mention_that_is_back_reopens_the_case() {
        let at = [(0, LookResult::Gone), (24, LookResult::Failed), (48, LookResult::Match)];
        let (effects, case) = looks(&at);
        assert_eq!(effects, [LookEffect::Removed, LookEffect::Nothing, LookEffect::Reopened]);
        assert_eq!((case.status, case.removed_at), (CaseStatus::Open, None));
        assert_eq!(case.looks.gone_since, None);
        let again =
            looks(&[(0, LookResult::Gone), (24, LookResult::Match), (48, LookResult::Gone)]);
        assert_eq!(again.0, [LookEffect::Removed, LookEffect::Reopened, LookEffect::Removed]);
    }

    #[test]
    fn looks_end_some_time_after_the_removal() {
        let days = LOOKS_AFTER_REMOVAL.as_secs() / 86_400;
        let all: Vec<_> = (0..=days).map(|day| (24 * day, LookResult::Gone)).collect();
        let (_, case) = looks(&all[..all.len() - 1]);
        assert!(case.looks.next_at.is_some());
        assert_eq!(looks(&all).1.looks.next_at, None);
    }
}
