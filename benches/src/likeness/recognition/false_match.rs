//! How often a picture matches a reference that it does not show.

use grantor_recognition::Strength;

use super::SUITE;
use super::library::{Lookup, Match};
use super::number::{count, interval};
use crate::measure::report;

/// Groups of pictures that show the same thing, found by looking at them: variants of one drawing,
/// another photo of the same table or stars. A match of such a pair is no mistake. Groups that only
/// have a part in common, for example a logo, are counted separately.
const SAME: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/likeness/same.txt"));

#[derive(Default)]
pub(crate) struct FalseMatches {
    lookups: usize,
    candidates: usize,
    /// The best matches of pictures of the same thing.
    things: Vec<Match>,
    /// The best matches of pictures that have a part in common.
    parts: Vec<Match>,
    /// The best matches of pictures that have nothing in common, with both names.
    scores: Vec<(Match, String, String)>,
}

impl FalseMatches {
    pub(crate) fn add(&mut self, lookup: &Lookup) {
        self.lookups += 1;
        self.candidates += lookup.candidates;
        let best = |common| lookup.best(common, 0.0);
        let matched = |common| best(Some(common)).map(|it| it.0).filter(|it| it.strength.is_some());
        self.things.extend(matched("thing"));
        self.parts.extend(matched("part"));
        let wrong = best(None).map(|(it, other)| (*it, lookup.name.clone(), other.clone()));
        self.scores.extend(wrong);
    }

    pub(crate) fn report(mut self, references: usize) {
        let pairs = self.lookups * references;
        let each = count(self.candidates) / count(self.lookups.max(1));
        let text = format!(
            "{} lookups among {references} references, {pairs} pairs, {each:.1} candidates each; \
             {} found another picture of the same thing, {} one with a part in common, {} of them \
             strong",
            self.lookups,
            self.things.len(),
            self.parts.len(),
            self.parts.iter().filter(|it| it.strength == Some(Strength::Strong)).count(),
        );
        report(SUITE, &text);
        for (name, least) in [("weak", Strength::Weak), ("strong", Strength::Strong)] {
            let wrong = self.scores.iter().filter(|it| it.0.strength >= Some(least)).count();
            let (low, high) = interval(wrong, self.lookups);
            let text = format!(
                "{wrong} lookups with a false match that is at least {name}: {:.5} per lookup, \
                 95 % interval {low:.5} to {high:.5}",
                count(wrong) / count(self.lookups.max(1))
            );
            report(SUITE, &text);
        }
        self.scores.sort_by(|one, other| other.0.score.total_cmp(&one.0.score));
        self.scores.dedup_by(|one, other| (&one.1, &one.2) == (&other.1, &other.2));
        for (found, picture, other) in self.scores.iter().filter(|it| it.0.score >= 4.0).take(25) {
            let Match { score, spread, .. } = found;
            report(SUITE, &format!("{score:.1} over {spread:.2}: {picture} and {other}"));
        }
    }
}

/// What two pictures have in common, if it is listed. A generated reference has the names of all its
/// sources.
pub(crate) fn in_common(picture: &str, other: &str) -> Option<&'static str> {
    let groups = SAME.lines().filter_map(|line| line.split_once(' '));
    let has = |names: &str| {
        names.split(' ').any(|it| picture.contains(it))
            && names.split(' ').any(|it| other.contains(it))
    };
    groups.filter(|(_, names)| has(names)).map(|(what, _)| what).next()
}
