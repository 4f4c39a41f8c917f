//! The smallest change of a question that would make its answer `allowed`.

use std::time::Duration;

use serde::Serialize;

use super::{Decision, Facts, GrantFacts, Question, decide};
use crate::Timestamp;
use crate::license::{LicenseType, Territories, Territory, Uses};

/// The members of a question to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Closest {
    /// Another use.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    pub usage: Option<LicenseType>,
    /// Another territory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<Territory>,
    /// Another moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

impl Closest {
    /// The changed question.
    #[must_use]
    pub fn apply(self, question: &Question) -> Question {
        Question {
            usage: self.usage.unwrap_or(question.usage),
            territory: self.territory.unwrap_or(question.territory),
            at: self.at.unwrap_or(question.at),
        }
    }

    fn changes(self) -> usize {
        usize::from(self.usage.is_some())
            + usize::from(self.territory.is_some())
            + usize::from(self.at.is_some())
    }
}

/// Returns the smallest change that makes a question allowed: the fewest members, then the shortest
/// time. `None` if it is already allowed, or if no grant and no permission helps.
#[must_use]
pub fn closest(question: &Question, facts: &Facts) -> Option<Closest> {
    if !facts.visible || decide(question, facts).decision == Decision::Allowed {
        return None;
    }
    let by_grant = facts.grants.iter().filter_map(|grant| of_grant(question, grant));
    let found = by_grant.chain(of_permission(question, facts));
    found.min_by_key(|it| (it.changes(), distance(question.at, it.at)))
}

/// What a grant lacks. A revoked grant never helps, because it cannot come back.
fn of_grant(question: &Question, grant: &GrantFacts) -> Option<Closest> {
    if grant.revoked_at.is_some() {
        return None;
    }
    let coverage = &grant.coverage;
    let at = match coverage.ends_at {
        _ if coverage.includes(question.at) => None,
        Some(end) if end <= question.at => Some(end.minus(Duration::from_secs(1))),
        _ => Some(coverage.starts_at),
    };
    Some(Closest {
        usage: other_use(&coverage.uses, question.usage),
        territory: other_territory(&coverage.territories, question.territory),
        at,
    })
}

/// What the license lacks at the moment of the question, if a permission counts then.
fn of_permission(question: &Question, facts: &Facts) -> Option<Closest> {
    let license = facts.license.as_ref()?;
    (facts.permission && license.in_force(question.at)).then(|| Closest {
        usage: other_use(&license.uses, question.usage),
        territory: other_territory(&license.territories, question.territory),
        at: None,
    })
}

fn other_use(uses: &Uses, asked: LicenseType) -> Option<LicenseType> {
    if uses.allow(asked) { None } else { uses.as_slice().first().copied() }
}

fn other_territory(territories: &Territories, asked: Territory) -> Option<Territory> {
    if territories.allow(asked) { None } else { territories.as_slice().first().copied() }
}

fn distance(asked: Timestamp, other: Option<Timestamp>) -> u64 {
    other.map_or(0, |other| other.as_micros().abs_diff(asked.as_micros()))
}
