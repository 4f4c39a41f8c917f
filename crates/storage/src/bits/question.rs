//! What is asked of the sets.

use grantor_domain::search::SearchQuery;

use super::posting::{load, with_prefix};
use super::{Numbers, Shelf};
use crate::{Result, Tx};

/// What must be there, all of it.
#[derive(Default)]
pub(crate) struct Question {
    /// Of each group any term.
    groups: Vec<Vec<String>>,
    /// Of each group a term that begins like any of these.
    beginnings: Vec<Vec<String>>,
}

impl Question {
    /// One of these terms.
    pub(crate) fn any_of(&mut self, terms: Vec<String>) {
        self.groups.push(terms);
    }

    /// Every word of a search; `spell` gives the terms that a word may stand in. Whether words stand
    /// side by side is not asked.
    pub(crate) fn words_of(&mut self, search: &SearchQuery, spell: impl Fn(&str) -> Vec<String>) {
        for term in search.terms() {
            let begun = usize::from(term.is_prefix());
            let (whole, begun) = term.words().split_at(term.words().len() - begun);
            self.groups.extend(whole.iter().map(|it| spell(it)));
            self.beginnings.extend(begun.iter().map(|it| spell(it)));
        }
    }

    /// What has all of it; nothing where nothing was asked.
    pub(crate) fn ask(&self, tx: &mut Tx<'_>, shelf: Shelf) -> Result<Numbers> {
        let terms: Vec<_> = self.groups.iter().flatten().cloned().collect();
        let sets = load(tx, shelf, &terms)?;
        let mut selected: Option<Numbers> = None;
        let mut narrow = |set: Numbers| match &mut selected {
            Some(selected) => selected.intersect(&set),
            None => selected = Some(set),
        };
        for group in &self.groups {
            narrow(match group.as_slice() {
                [only] => sets.get(only).cloned().unwrap_or_default(),
                several => united(several.iter().filter_map(|it| sets.get(it))),
            });
        }
        for group in &self.beginnings {
            let mut found = Vec::with_capacity(group.len());
            for beginning in group {
                found.push(with_prefix(tx, shelf, beginning)?);
            }
            narrow(united(found.iter()));
        }
        Ok(selected.unwrap_or_default())
    }
}

fn united<'a>(sets: impl Iterator<Item = &'a Numbers>) -> Numbers {
    sets.fold(Numbers::default(), |mut all, it| {
        all.unite(it);
        all
    })
}
