//! The smallest change of a question that would make its answer `allowed`.

use serde::Serialize;

use super::{Question, Right};
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

    /// How large the change of a question is: the number of members, then the time between both
    /// moments in microseconds.
    #[must_use]
    pub fn size(self, question: &Question) -> (usize, u64) {
        let members = usize::from(self.usage.is_some())
            + usize::from(self.territory.is_some())
            + usize::from(self.at.is_some());
        let at = self.at.unwrap_or(question.at);
        (members, at.as_micros().abs_diff(question.at.as_micros()))
    }
}

/// Returns the smallest change that brings a question within one of a party's rights: the fewest
/// members, then the shortest time. `None` if it is within one already, or if there are none.
#[must_use]
pub fn closest<'a>(
    question: &Question,
    rights: impl IntoIterator<Item = Right<'a>>,
) -> Option<Closest> {
    let changes = rights.into_iter().map(|right| lacking(question, right));
    let smallest = changes.min_by_key(|it| it.size(question))?;
    (smallest != Closest::default()).then_some(smallest)
}

/// Returns the closest change within rights that had been given at the time of the question, so that
/// a right that is given later does not change what was answered. Before the license was known, there
/// was nothing to give: then all rights count, and the answer is when the use was first allowed. Each
/// right has the time at which it was given.
#[must_use]
pub fn closest_given<'a>(
    question: &Question,
    license_is_known: bool,
    rights: impl IntoIterator<Item = (Timestamp, Right<'a>)>,
) -> Option<Closest> {
    let counts = |given_at: Timestamp| !license_is_known || given_at <= question.at;
    let counted = rights.into_iter().filter(|(given_at, _)| counts(*given_at));
    closest(question, counted.map(|(_, right)| right))
}

/// What a question must change to be within a right.
fn lacking(question: &Question, right: Right<'_>) -> Closest {
    let at = right.period.nearest(question.at);
    Closest {
        usage: other_use(right.uses, question.usage),
        territory: other_territory(right.territories, question.territory),
        at: (at != question.at).then_some(at),
    }
}

fn other_use(uses: &Uses, asked: LicenseType) -> Option<LicenseType> {
    if uses.allow(asked) { None } else { uses.as_slice().first().copied() }
}

fn other_territory(territories: &Territories, asked: Territory) -> Option<Territory> {
    if territories.allow(asked) { None } else { territories.as_slice().first().copied() }
}
