//! Queries on a bitmap index.

use grantor_domain::search::SearchQuery;

use super::posting::{load, with_prefix};
use super::{BitmapIndex, NumberSet};
use crate::{Result, Tx};

/// A conjunction of conditions.
#[derive(Default)]
pub(crate) struct BitmapQuery {
    /// For each group, a row must have one of its terms.
    groups: Vec<Vec<String>>,
    /// For each group, a row must have a term that starts with one of these prefixes.
    prefixes: Vec<Vec<String>>,
}

impl BitmapQuery {
    /// Requires one of these terms.
    pub(crate) fn any_of(&mut self, terms: Vec<String>) {
        self.groups.push(terms);
    }

    /// Requires every word of a search; `spell` returns the terms for a word. Word order and
    /// adjacency are ignored.
    pub(crate) fn search(&mut self, search: &SearchQuery, spell: impl Fn(&str) -> Vec<String>) {
        for term in search.terms() {
            let begun = usize::from(term.is_prefix());
            let (whole, begun) = term.words().split_at(term.words().len() - begun);
            self.groups.extend(whole.iter().map(|it| spell(it)));
            self.prefixes.extend(begun.iter().map(|it| spell(it)));
        }
    }

    /// The numbers that match all conditions; none if there are no conditions.
    pub(crate) fn run(&self, tx: &mut Tx<'_>, index: BitmapIndex) -> Result<NumberSet> {
        let terms: Vec<_> = self.groups.iter().flatten().cloned().collect();
        let sets = load(tx, index, &terms)?;
        let mut selected: Option<NumberSet> = None;
        let mut narrow = |set: NumberSet| match &mut selected {
            Some(selected) => selected.intersect(&set),
            None => selected = Some(set),
        };
        for group in &self.groups {
            narrow(match group.as_slice() {
                [only] => sets.get(only).cloned().unwrap_or_default(),
                several => union(several.iter().filter_map(|it| sets.get(it))),
            });
        }
        for group in &self.prefixes {
            let mut found = Vec::with_capacity(group.len());
            for prefix in group {
                found.push(with_prefix(tx, index, prefix)?);
            }
            narrow(union(found.iter()));
        }
        Ok(selected.unwrap_or_default())
    }
}

fn union<'a>(sets: impl Iterator<Item = &'a NumberSet>) -> NumberSet {
    sets.fold(NumberSet::default(), |mut all, it| {
        all.union_with(it);
        all
    })
}
