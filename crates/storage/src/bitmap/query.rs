//! Queries on a bitmap index.

use std::collections::BTreeSet;
use std::ops::Bound;

use grantor_domain::search::SearchQuery;

use super::posting::{end_of, load, within};
use super::{BitmapIndex, NumberSet};
use crate::{Result, Tx};

/// How many rows of a range are read at most. With more, a wider term is read instead.
const MOST_OF_RANGE: u32 = 4_096;

/// A conjunction of conditions.
#[derive(Default)]
pub(crate) struct BitmapQuery {
    /// For each group, a row must have one of its terms.
    groups: Vec<Group>,
}

/// Terms of which a row must have one.
#[derive(Debug, Default)]
pub(crate) struct Group {
    terms: Vec<String>,
    ranges: Vec<TermRange>,
}

/// All terms from one on and before another.
#[derive(Debug)]
pub(crate) struct TermRange {
    pub(crate) from: String,
    pub(crate) to: String,
    /// A term of all rows in the range and of some others, for ranges with too many terms.
    pub(crate) wider: Option<String>,
}

impl Group {
    /// A group of single terms.
    pub(crate) fn of(terms: impl IntoIterator<Item = String>) -> Self {
        Self { terms: terms.into_iter().collect(), ranges: vec![] }
    }

    /// A group of single terms, or of all terms that begin with one of them.
    pub(crate) fn spelled(terms: impl IntoIterator<Item = String>, is_begun: bool) -> Self {
        if is_begun {
            terms.into_iter().fold(Self::default(), |group, it| group.or_beginning_with(&it))
        } else {
            Self::of(terms)
        }
    }

    /// Adds a term.
    pub(crate) fn or(mut self, term: String) -> Self {
        self.terms.push(term);
        self
    }

    /// Adds all terms that begin with these letters.
    pub(crate) fn or_beginning_with(self, letters: &str) -> Self {
        self.or_within(TermRange { from: letters.to_owned(), to: end_of(letters), wider: None })
    }

    /// Adds a range of terms.
    pub(crate) fn or_within(mut self, range: TermRange) -> Self {
        self.ranges.push(range);
        self
    }

    /// Whether one of these terms is in the group.
    fn has_any(&self, terms: &BTreeSet<String>) -> bool {
        let within = |it: &TermRange| {
            let bounds = (Bound::Included(it.from.as_str()), Bound::Excluded(it.to.as_str()));
            it.from < it.to && terms.range::<str, _>(bounds).next().is_some()
        };
        self.terms.iter().any(|it| terms.contains(it)) || self.ranges.iter().any(within)
    }
}

impl TermRange {
    fn load(&self, tx: &mut Tx<'_>, index: BitmapIndex) -> Result<NumberSet> {
        let at_most = self.wider.as_ref().map(|_| MOST_OF_RANGE);
        let found = within(tx, index, (&self.from, &self.to), at_most)?;
        match (found, &self.wider) {
            (Some(found), _) => Ok(found),
            (None, Some(wider)) => {
                let mut sets = load(tx, index, std::slice::from_ref(wider))?;
                Ok(sets.remove(wider).unwrap_or_default())
            }
            (None, None) => Ok(NumberSet::default()),
        }
    }
}

impl BitmapQuery {
    /// Requires one of these terms.
    pub(crate) fn any_of(&mut self, terms: Vec<String>) {
        self.require(Group::of(terms));
    }

    /// Requires one of the terms of a group.
    pub(crate) fn require(&mut self, group: Group) {
        self.groups.push(group);
    }

    /// Requires every word of a search; `spell` returns the terms for a word, or for all words that
    /// begin with it. Word order and adjacency are ignored.
    pub(crate) fn search(&mut self, search: &SearchQuery, spell: impl Fn(&str, bool) -> Group) {
        for term in search.terms() {
            let count = term.words().len();
            for (word, place) in term.words().iter().zip(1..) {
                self.require(spell(word, term.is_prefix() && place == count));
            }
        }
    }

    /// Whether there is any condition.
    pub(crate) fn is_narrow(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether a row with these terms matches all conditions.
    pub(crate) fn matches(&self, terms: &BTreeSet<String>) -> bool {
        self.groups.iter().all(|it| it.has_any(terms))
    }

    /// The numbers that match all conditions; none if there are no conditions.
    pub(crate) fn run(&self, tx: &mut Tx<'_>, index: BitmapIndex) -> Result<NumberSet> {
        Ok(self.narrowed(tx, index, None)?.unwrap_or_default())
    }

    /// Those of these numbers that match all conditions.
    pub(crate) fn run_within(
        &self,
        tx: &mut Tx<'_>,
        index: BitmapIndex,
        numbers: NumberSet,
    ) -> Result<NumberSet> {
        Ok(self.narrowed(tx, index, Some(numbers))?.unwrap_or_default())
    }

    fn narrowed(
        &self,
        tx: &mut Tx<'_>,
        index: BitmapIndex,
        mut selected: Option<NumberSet>,
    ) -> Result<Option<NumberSet>> {
        let terms: Vec<_> = self.groups.iter().flat_map(|it| &it.terms).cloned().collect();
        let sets = load(tx, index, &terms)?;
        let narrow = |set: NumberSet, selected: &mut Option<NumberSet>| match selected {
            Some(selected) => selected.intersect(&set),
            None => *selected = Some(set),
        };
        for group in &self.groups {
            let mut found = match group.terms.as_slice() {
                [only] => sets.get(only).cloned().unwrap_or_default(),
                several => union(several.iter().filter_map(|it| sets.get(it))),
            };
            for range in &group.ranges {
                found.union_with(&range.load(tx, index)?);
            }
            narrow(found, &mut selected);
        }
        Ok(selected)
    }
}

fn union<'a>(sets: impl Iterator<Item = &'a NumberSet>) -> NumberSet {
    sets.fold(NumberSet::default(), |mut all, it| {
        all.union_with(it);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_matched_by_its_terms_alone() {
        let terms: BTreeSet<String> = ["a:1", "b:05", "q:lindqvist"].map(str::to_owned).into();
        let range = |from: &str, to: &str| TermRange {
            from: from.to_owned(),
            to: to.to_owned(),
            wider: None,
        };
        let matches = |groups: Vec<Group>| BitmapQuery { groups }.matches(&terms);
        assert!(matches(vec![]));
        assert!(matches(vec![Group::of(["a:2".to_owned()]).or("a:1".to_owned())]));
        assert!(matches(vec![Group::default().or_within(range("b:04", "b:06"))]));
        assert!(!matches(vec![Group::default().or_within(range("b:06", "b:04"))]));
        assert!(!matches(vec![Group::of(["a:1".to_owned()]), Group::of(["a:2".to_owned()])]));
        let begun = |it: &str| matches(vec![Group::spelled([it.to_owned()], true)]);
        assert!(begun("q:lind") && begun("q:lindqvist") && !begun("q:lindx"));
    }
}
