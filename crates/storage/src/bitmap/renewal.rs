//! How rows that changed are indexed again.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::posting::{PostingChanges, joined};

/// The numbers and the stored terms of rows in an index, by their ids.
pub(crate) type KnownRows = HashMap<Uuid, (i64, String)>;

/// What an index has to store about rows that changed.
pub(crate) struct Renewal<T> {
    /// The rows that exist.
    pub(crate) indexed: Vec<IndexedRow<T>>,
    /// The ids of the rows that are gone.
    pub(crate) gone: Vec<Uuid>,
    /// The changes of the stored sets.
    pub(crate) changes: PostingChanges,
}

/// A row in an index.
pub(crate) struct IndexedRow<T> {
    pub(crate) number: i64,
    pub(crate) id: Uuid,
    /// The terms as they are stored.
    pub(crate) terms: String,
    pub(crate) row: T,
}

impl<T> Renewal<T> {
    /// Compares rows with what the index knows about them. `rows` has those that exist, and new ones
    /// get the numbers from `next` on.
    pub(crate) fn of(
        ids: &[Uuid],
        mut known: KnownRows,
        mut next: i64,
        mut rows: HashMap<Uuid, T>,
        terms_of: impl Fn(&T) -> &BTreeSet<String>,
    ) -> Self {
        let mut changes = PostingChanges::default();
        let (mut indexed, mut gone) = (Vec::new(), Vec::new());
        for id in ids {
            let (number, before) = known.remove(id).unwrap_or_else(|| (next, String::new()));
            let Some(row) = rows.remove(id) else {
                changes.replace(number, &before, &BTreeSet::new());
                gone.push(*id);
                continue;
            };
            next = next.max(number + 1);
            let terms = terms_of(&row);
            changes.replace(number, &before, terms);
            let terms = joined(terms);
            indexed.push(IndexedRow { number, id: *id, terms, row });
        }
        Self { indexed, gone, changes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_rows_get_the_next_numbers_and_gone_ones_none() {
        let [kept, new, gone, never, last] = [1, 2, 3, 4, 5].map(Uuid::from_u128);
        let known = KnownRows::from([(kept, (3, "a b".to_owned())), (gone, (1, "a".to_owned()))]);
        let terms = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect::<BTreeSet<_>>();
        let rows = [(kept, terms(&["b", "c"])), (new, terms(&["a"])), (last, terms(&[]))];
        let ids = [kept, new, gone, never, last];
        let renewal = Renewal::of(&ids, known, 7, HashMap::from(rows), |it| it);
        let indexed = renewal.indexed.iter().map(|it| (it.id, it.number, it.terms.as_str()));
        let expected = [(kept, 3, "b c"), (new, 7, "a"), (last, 8, "")];
        assert_eq!(indexed.collect::<Vec<_>>(), expected);
        assert_eq!(renewal.gone, [gone, never]);
    }
}
