//! Selects, counts and pages the records of a list.

use grantor_domain::page::{Listing, Page};
use uuid::Uuid;

use super::RecordKind;
use super::conditions::Conditions;
use super::facets::Facets;
use super::order::{Keyed, RecordOrder, ordered, sort};
use crate::bitmap::{BitmapIndex, BitmapQuery, NumberSet};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Records that a reader sees besides those with the reader's own terms.
pub(super) struct Shared<'a> {
    /// The indexed ones.
    pub(super) numbers: NumberSet,
    /// Whether the reader sees a record that the index may not know yet.
    pub(super) sees: &'a dyn Fn(&mut Tx<'_>, Uuid) -> Result<bool>,
}

/// The selected records.
pub(super) struct Selection {
    kind: RecordKind,
    numbers: NumberSet,
    /// Records that the index does not know as they are now.
    fresh: Vec<Facets>,
}

impl Selection {
    /// Selects the records that have one of the readers' terms, or are shared, and meet all
    /// conditions.
    pub(super) fn of(
        tx: &mut Tx<'_>,
        readers: &[String],
        conditions: &Conditions,
        shared: Option<&Shared<'_>>,
    ) -> Result<Self> {
        let kind = conditions.kind;
        if conditions.find_nothing {
            return Ok(Self { kind, numbers: NumberSet::default(), fresh: vec![] });
        }
        let stale = stale(tx, kind)?;
        let mut seen = BitmapQuery::default();
        seen.any_of(readers.to_vec());
        let mut numbers = seen.run(tx, BitmapIndex::Records)?;
        if let Some(shared) = shared {
            numbers.union_with(&shared.numbers);
        }
        let mut numbers = conditions.query.run_within(tx, BitmapIndex::Records, numbers)?;
        for number in stale.iter().filter_map(|(_, number)| *number) {
            numbers.remove(number);
        }
        let ids: Vec<_> = stale.into_iter().map(|(id, _)| id).collect();
        let mut fresh = Vec::new();
        for facets in kind.load(tx, &ids)? {
            let own = readers.iter().any(|it| facets.terms.contains(it));
            if !conditions.query.matches(&facets.terms) {
                continue;
            }
            let listed = match shared {
                Some(shared) if !own => (shared.sees)(tx, facets.id)?,
                _ => own,
            };
            if listed {
                fresh.push(facets);
            }
        }
        Ok(Self { kind, numbers, fresh })
    }

    /// The number of records.
    pub(super) fn len(&self) -> u64 {
        self.numbers.len() + self.fresh.len() as u64
    }

    /// How many of the records have a term; `numbers` are the indexed ones that have it.
    pub(super) fn count_having(&self, term: &str, numbers: Option<&NumberSet>) -> u64 {
        let mut indexed = numbers.cloned().unwrap_or_default();
        indexed.intersect(&self.numbers);
        let fresh = self.fresh.iter().filter(|it| it.terms.contains(term)).count();
        indexed.len() + fresh as u64
    }

    /// A page of the records, by their ids, with the total.
    pub(super) fn page(
        &self,
        tx: &mut Tx<'_>,
        order: RecordOrder,
        page: Page,
    ) -> Result<Listing<Uuid>> {
        let (offset, size) = (u64::try_from(page.offset()).unwrap_or(0), page.size() as usize);
        let mut fresh: Vec<_> = self.fresh.iter().map(|it| Keyed::of(it, order.sort)).collect();
        sort(&mut fresh, order.order);
        // Each fresh record may come before the page, and move an indexed one onto it.
        let skip = offset.saturating_sub(fresh.len() as u64);
        let more = usize::try_from(offset - skip).unwrap_or(0);
        let indexed = ordered(tx, self.kind, &self.numbers, order, (skip, size + more))?;
        let ids = merge(indexed, fresh, order, (skip, offset));
        let items = ids.into_iter().take(size).collect();
        Ok(Listing::new(page, items, self.len()))
    }
}

/// Merges indexed records, of which the first `skip` are left out, with fresh ones. Returns the
/// records from `offset` on.
fn merge(
    indexed: Vec<Keyed>,
    mut fresh: Vec<Keyed>,
    order: RecordOrder,
    (skip, offset): (u64, u64),
) -> Vec<Uuid> {
    let id = |it: Keyed| it.id;
    if fresh.is_empty() {
        return indexed.into_iter().map(id).collect();
    }
    let mut passed = 0;
    if skip > 0 {
        // Fresh records before all indexed ones that were read are before the page, too.
        let mut both = fresh.clone();
        both.extend(indexed.first().cloned());
        sort(&mut both, order.order);
        let first = indexed.first().and_then(|it| both.iter().position(|other| other == it));
        passed = first.unwrap_or(fresh.len());
        fresh.drain(..passed);
    }
    let mut all = indexed;
    all.extend(fresh);
    sort(&mut all, order.order);
    let before = usize::try_from(offset - skip).unwrap_or(usize::MAX).saturating_sub(passed);
    all.into_iter().skip(before).map(id).collect()
}

/// The records for which the index may be outdated, with their numbers.
pub(super) fn stale(tx: &mut Tx<'_>, kind: RecordKind) -> Result<Vec<(Uuid, Option<i64>)>> {
    tx.query(
        sql!(
            "SELECT s.record_id, n.number FROM record_stale s
             LEFT JOIN record_numbers n ON n.kind = s.kind AND n.record_id = s.record_id
             WHERE s.kind = $1"
        ),
        params![kind.name()],
        |row| Ok((row.get("record_id")?, row.get("number")?)),
    )
}
