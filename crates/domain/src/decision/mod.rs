//! Decisions: whether a party may use a likeness in a given way, place and moment (contract-2
//! section 22). The verdicts of mentions follow the same rule.

mod closest;
mod period;
#[cfg(test)]
mod tests;
mod unspecified;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

pub use closest::{Closest, closest, closest_given};
pub use period::{Period, Right, permitted};

use crate::Timestamp;
use crate::enum_names::{enum_names, enum_text};
use crate::grant::{Coverage, Grant, GrantNumber, GrantStatus};
use crate::license::{LicenseStatus, LicenseType, Territories, Territory, Uses};

enum_names!(ReasonCode);
enum_text!(Decision);

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The use is not allowed, and the license would not allow it.
    Denied,
    /// The use is not allowed yet; a request could change that.
    Ask,
    /// The use is allowed.
    Allowed,
}

impl Decision {
    /// All variants, in the contract's order.
    pub const ALL: [Self; 3] = [Self::Allowed, Self::Denied, Self::Ask];

    /// The name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Ask => "ask",
        }
    }
}

/// Why a decision was made, reasons that allow first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum ReasonCode {
    /// The party owns the license.
    Owner,
    /// A grant of the party covers the use.
    GrantCovers,
    /// The party has a permission, and the license covers the use.
    Permission,
    /// The party has no grant.
    NoGrant,
    /// The party's grant has ended.
    GrantEnded,
    /// The party's grant has not started.
    GrantNotStarted,
    /// The use is not covered.
    UseNotCovered,
    /// The territory is not covered.
    TerritoryNotCovered,
    /// The caller cannot see the license.
    NotVisible,
    /// The party's grant was revoked.
    GrantRevoked,
    /// The license is not in force.
    LicenseNotInForce,
}

impl ReasonCode {
    /// The message for a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Owner => "The party owns the license",
            Self::GrantCovers => "A grant covers this use",
            Self::Permission => "The party has a permission, and the license covers this use",
            Self::NoGrant => "The party has no grant for this use",
            Self::GrantEnded => "The party's grant has ended",
            Self::GrantNotStarted => "The party's grant has not started yet",
            Self::UseNotCovered => "This use is not covered",
            Self::TerritoryNotCovered => "This territory is not covered",
            Self::NotVisible => "The license does not exist or is not visible to you",
            Self::GrantRevoked => "The party's grant was revoked",
            Self::LicenseNotInForce => "The license is not in force at this time",
        }
    }
}

/// A question about one license.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The use.
    pub usage: LicenseType,
    /// The territory.
    pub territory: Territory,
    /// The moment.
    pub at: Timestamp,
}

/// What is known about a license and a party, at the moment of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether the caller can see the license, now.
    pub visible: bool,
    /// Whether the party owns the license.
    pub owner: bool,
    /// Whether the party had a permission given by hand.
    pub permission: bool,
    /// The license as it was; `None` before its first known version.
    pub license: Option<LicenseFacts>,
    /// The party's grants under the license, whatever their status.
    pub grants: Vec<GrantFacts>,
}

/// What a license allowed at the moment of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LicenseFacts {
    /// Its status, with the expiry taken into account.
    pub status: LicenseStatus,
    /// Its uses; empty allows all.
    pub uses: Uses,
    /// Its territories; empty includes all.
    pub territories: Territories,
    /// When it becomes valid.
    pub valid_from: Option<Timestamp>,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

impl LicenseFacts {
    /// Whether the license is in force at a moment.
    #[must_use]
    pub fn in_force(&self, at: Timestamp) -> bool {
        self.status.is_live()
            && self.valid_from.is_none_or(|from| from <= at)
            && self.expires_at.is_none_or(|end| at < end)
    }
}

/// One grant of the party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantFacts {
    /// Its number.
    pub number: GrantNumber,
    /// What it covers.
    pub coverage: Coverage,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl From<Grant> for GrantFacts {
    fn from(grant: Grant) -> Self {
        let Grant { number, terms, revoked_at, .. } = grant;
        Self { number, coverage: terms.coverage, revoked_at }
    }
}

impl GrantFacts {
    fn covers(&self, question: &Question) -> bool {
        self.coverage.uses.allow(question.usage)
            && self.coverage.territories.allow(question.territory)
    }
}

/// One reason of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Which reason.
    pub code: ReasonCode,
    /// The grant it is about.
    pub grant: Option<GrantNumber>,
}

/// The answer to a question about one license.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The decision.
    pub decision: Decision,
    /// Its reasons: the first allowing one, or all others.
    pub reasons: Vec<Reason>,
}

/// Decides a question. The first allowing reason wins; otherwise every obstacle is a reason, and one
/// that the license itself poses makes the answer `denied` instead of `ask`.
#[must_use]
pub fn decide(question: &Question, facts: &Facts) -> Answer {
    if !facts.visible {
        return Answer::of(Decision::Denied, ReasonCode::NotVisible);
    }
    if let Some(reason) = allowing(question, facts) {
        return Answer { decision: Decision::Allowed, reasons: vec![reason] };
    }
    let mut reasons = license_obstacles(question, facts);
    reasons.extend(revoked(question, facts));
    let decision = if reasons.is_empty() { Decision::Ask } else { Decision::Denied };
    if decision == Decision::Ask {
        reasons = grant_obstacles(question, facts);
    }
    Answer { decision, reasons }
}

impl Answer {
    fn of(decision: Decision, code: ReasonCode) -> Self {
        Self { decision, reasons: vec![Reason { code, grant: None }] }
    }
}

/// The first reason that allows the use.
fn allowing(question: &Question, facts: &Facts) -> Option<Reason> {
    if facts.owner {
        return Some(Reason { code: ReasonCode::Owner, grant: None });
    }
    let grant = active(question, facts).find(|grant| grant.covers(question));
    if let Some(grant) = grant {
        return Some(Reason { code: ReasonCode::GrantCovers, grant: Some(grant.number) });
    }
    let license =
        facts.license.as_ref().filter(|it| facts.permission && it.in_force(question.at))?;
    let covered =
        license.uses.allow(question.usage) && license.territories.allow(question.territory);
    covered.then_some(Reason { code: ReasonCode::Permission, grant: None })
}

/// The grants in effect at the moment of the question.
fn active<'a>(question: &Question, facts: &'a Facts) -> impl Iterator<Item = &'a GrantFacts> {
    let at = question.at;
    facts.grants.iter().filter(move |it| status(it, at) == GrantStatus::Active)
}

fn status(grant: &GrantFacts, at: Timestamp) -> GrantStatus {
    GrantStatus::at(&grant.coverage, grant.revoked_at, at)
}

/// What the license itself refuses. Its own period does not matter while a grant is active, because
/// grants outlive their license.
fn license_obstacles(question: &Question, facts: &Facts) -> Vec<Reason> {
    let has_active = active(question, facts).next().is_some();
    let in_force = facts.license.as_ref().filter(|it| it.in_force(question.at));
    let Some(license) = in_force.or(facts.license.as_ref().filter(|_| has_active)) else {
        return if has_active { vec![] } else { vec![plain(ReasonCode::LicenseNotInForce)] };
    };
    let mut reasons = vec![];
    if !license.uses.allow(question.usage) {
        reasons.push(plain(ReasonCode::UseNotCovered));
    }
    if !license.territories.allow(question.territory) {
        reasons.push(plain(ReasonCode::TerritoryNotCovered));
    }
    reasons
}

/// A grant that would allow the use if it had not been revoked.
fn revoked(question: &Question, facts: &Facts) -> Option<Reason> {
    let mut grants = facts.grants.iter();
    let grant = grants.find(|grant| {
        status(grant, question.at) == GrantStatus::Revoked
            && grant.coverage.includes(question.at)
            && grant.covers(question)
    })?;
    Some(Reason { code: ReasonCode::GrantRevoked, grant: Some(grant.number) })
}

/// What the party's grants lack, although the license would allow the use.
fn grant_obstacles(question: &Question, facts: &Facts) -> Vec<Reason> {
    let mut reasons = vec![];
    for grant in active(question, facts) {
        let mut add = |code| reasons.push(Reason { code, grant: Some(grant.number) });
        if !grant.coverage.uses.allow(question.usage) {
            add(ReasonCode::UseNotCovered);
        }
        if !grant.coverage.territories.allow(question.territory) {
            add(ReasonCode::TerritoryNotCovered);
        }
    }
    for grant in facts.grants.iter().filter(|it| it.covers(question)) {
        let code = match status(grant, question.at) {
            GrantStatus::Ended => ReasonCode::GrantEnded,
            GrantStatus::Scheduled => ReasonCode::GrantNotStarted,
            GrantStatus::Active | GrantStatus::Revoked => continue,
        };
        reasons.push(Reason { code, grant: Some(grant.number) });
    }
    if reasons.is_empty() {
        reasons.push(plain(ReasonCode::NoGrant));
    }
    reasons
}

const fn plain(code: ReasonCode) -> Reason {
    Reason { code, grant: None }
}
