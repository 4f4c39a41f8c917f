//! When a party may use a likeness: the periods of its grants, and of its permissions under each
//! version of the license.

use std::time::Duration;

use super::{GrantFacts, LicenseFacts};
use crate::Timestamp;
use crate::license::{Territories, Uses};

/// How long before its end the last moment of a period is.
const LAST: Duration = Duration::from_secs(1);

/// A period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// When it begins.
    pub from: Timestamp,
    /// When it ends; this moment is not part of it. `None` if it has no end.
    pub until: Option<Timestamp>,
}

impl Period {
    /// Whether a moment is within the period.
    #[must_use]
    pub fn includes(self, at: Timestamp) -> bool {
        self.from <= at && self.until.is_none_or(|until| at < until)
    }

    /// The time that two periods have in common.
    #[must_use]
    pub fn overlap(self, other: Self) -> Option<Self> {
        let from = self.from.max(other.from);
        let until = match (self.until, other.until) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        until.is_none_or(|until| from < until).then_some(Self { from, until })
    }

    /// The moment itself if it is within the period, else the last second or the first moment.
    #[must_use]
    pub fn nearest(self, at: Timestamp) -> Timestamp {
        match self.until {
            _ if self.includes(at) => at,
            Some(until) if until <= at => until.minus(LAST).max(self.from),
            _ => self.from,
        }
    }
}

/// What a party may do in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Right<'a> {
    /// When.
    pub period: Period,
    /// In which ways; empty allows all.
    pub uses: &'a Uses,
    /// Where; empty includes all.
    pub territories: &'a Territories,
}

impl GrantFacts {
    /// What the grant allows from its acceptance until its end or revocation. `None` if it was
    /// revoked before it began.
    #[must_use]
    pub fn right(&self, accepted_at: Timestamp) -> Option<Right<'_>> {
        let coverage = &self.coverage;
        let terms = Period { from: coverage.starts_at, until: coverage.ends_at };
        let period = terms.overlap(Period { from: accepted_at, until: self.revoked_at })?;
        Some(Right { period, uses: &coverage.uses, territories: &coverage.territories })
    }
}

impl LicenseFacts {
    /// What a permission allows while this is the current version of the license. The status is the
    /// stored one.
    fn right(&self, current: Period, held: Period) -> Option<Right<'_>> {
        if !self.status.is_live() {
            return None;
        }
        let from = self.valid_from.unwrap_or(current.from);
        let in_force = Period { from, until: self.expires_at };
        let period = current.overlap(held)?.overlap(in_force)?;
        Some(Right { period, uses: &self.uses, territories: &self.territories })
    }
}

/// What permissions allow under the versions of a license, oldest first. Each version has the time
/// since when it was current, and is `None` if the license was deleted.
#[must_use]
pub fn permitted<'a>(
    versions: &[(Timestamp, Option<&'a LicenseFacts>)],
    held: &[Period],
) -> Vec<Right<'a>> {
    let ends = versions.iter().skip(1).map(|(since, _)| Some(*since)).chain([None]);
    let mut rights = Vec::new();
    for ((since, facts), until) in versions.iter().zip(ends) {
        let Some(facts) = *facts else { continue };
        let current = Period { from: *since, until };
        rights.extend(held.iter().filter_map(|it| facts.right(current, *it)));
    }
    rights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: i64, until: Option<i64>) -> Period {
        Period { from: Timestamp::from_secs(from), until: until.map(Timestamp::from_secs) }
    }

    #[test]
    fn two_periods_overlap_in_what_both_include() {
        for (one, other, both) in [
            ((10, Some(20)), (15, None), Some((15, Some(20)))),
            ((10, Some(20)), (5, Some(12)), Some((10, Some(12)))),
            ((10, None), (5, None), Some((10, None))),
            ((10, Some(20)), (20, None), None),
            ((10, Some(20)), (12, Some(12)), None),
        ] {
            let (one, other) = (period(one.0, one.1), period(other.0, other.1));
            let both = both.map(|(from, until)| period(from, until));
            assert_eq!((one.overlap(other), other.overlap(one)), (both, both), "{one:?} {other:?}");
        }
    }

    #[test]
    fn the_nearest_moment_is_inside() {
        let at = Timestamp::from_secs;
        let some = period(10, Some(20));
        let nearest = [5, 10, 15, 20, 90].map(|it| some.nearest(at(it)));
        assert_eq!(nearest, [10, 10, 15, 19, 19].map(at));
        assert_eq!(period(10, None).nearest(at(90)), at(90));
        let short = Period { until: Some(Timestamp::from_micros(10_000_001)), ..some };
        assert_eq!(short.nearest(at(90)), at(10), "shorter than a second");
    }
}
