//! Pages of the indexed records in the order of a sort key.
//!
//! Names and times have terms for their beginnings: first letters, years. To find a page of a long
//! list, the records are counted letter by letter or year by year, and only the part with the page
//! is looked at more closely, until it is small enough to be read and sorted.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::page::Order;
use uuid::Uuid;

use super::RecordKind;
use super::facets::Facets;
use crate::bitmap::term::MOMENT_LEVELS;
use crate::bitmap::{BitmapIndex, NumberSet, children};
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Row, Tx};

/// The facets of the sort keys.
pub(super) const NAME: char = 'n';
pub(super) const CHANGED: char = 'c';
pub(super) const ENDS: char = 'e';

/// How many letters of a name have their own terms.
pub(super) const NAME_LEVELS: usize = 8;

/// Up to this many records are read and sorted.
const FEW: u64 = 400;

/// How many numbers one statement looks up.
const AT_ONCE: usize = 20;

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordSort {
    /// When the record was created.
    #[default]
    Created,
    /// Its name.
    Name,
    /// When it last changed; for a mention, when it was first seen.
    Changed,
    /// When it ends. Records without an end come last.
    Ends,
}

/// The order of a list; by default the newest record is first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordOrder {
    /// The sort key.
    pub sort: RecordSort,
    /// The direction.
    pub order: Order,
}

/// A record with its sort key. Records with the same key are in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Keyed {
    key: Key,
    pub(super) id: Uuid,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Id,
    Name(String),
    Time(Timestamp),
}

impl Keyed {
    /// The sort key of a record that is not indexed.
    pub(super) fn of(facets: &Facets, sort: RecordSort) -> Self {
        let times = (facets.changed_at, facets.ends_at);
        Self { key: key(sort, facets.name.clone(), times), id: facets.id }
    }
}

fn key(sort: RecordSort, name: String, (changed, end): (Timestamp, Option<Timestamp>)) -> Key {
    match sort {
        RecordSort::Created => Key::Id,
        RecordSort::Name => Key::Name(name),
        RecordSort::Changed => Key::Time(changed),
        RecordSort::Ends => Key::Time(end.unwrap_or(Timestamp::from_micros(i64::MAX))),
    }
}

/// Sorts records.
pub(super) fn sort(records: &mut [Keyed], order: Order) {
    records.sort_unstable();
    if order == Order::Desc {
        records.reverse();
    }
}

/// Up to `take` of these records in an order, after the first `skip`.
pub(super) fn ordered(
    tx: &mut Tx<'_>,
    kind: RecordKind,
    numbers: &NumberSet,
    order: RecordOrder,
    (skip, take): (u64, usize),
) -> Result<Vec<Keyed>> {
    let mut walk = Walk { kind, order, skip, take, found: Vec::new() };
    match order.sort {
        RecordSort::Created => walk.read_by_number(tx, numbers)?,
        RecordSort::Name => walk.descend(tx, numbers, (NAME, NAME_LEVELS), ("", 1))?,
        RecordSort::Changed => walk.descend(tx, numbers, (CHANGED, MOMENT_LEVELS), ("", 1))?,
        RecordSort::Ends => walk.descend(tx, numbers, (ENDS, MOMENT_LEVELS), ("", 1))?,
    }
    Ok(walk.found)
}

/// A walk through records in their order.
struct Walk {
    kind: RecordKind,
    order: RecordOrder,
    /// How many records are still to be passed.
    skip: u64,
    take: usize,
    found: Vec<Keyed>,
}

impl Walk {
    /// Passes or reads these records, which have the same beginning, in parts of a longer one.
    fn descend(
        &mut self,
        tx: &mut Tx<'_>,
        numbers: &NumberSet,
        (facet, levels): (char, usize),
        (beginning, level): (&str, usize),
    ) -> Result<()> {
        let size = numbers.len();
        if self.found.len() >= self.take {
            return Ok(());
        }
        if size <= self.skip {
            self.skip -= size;
            return Ok(());
        }
        if size <= FEW {
            return self.read_sorted(tx, numbers);
        }
        if level > levels {
            // The rest of the key differs little: the order of creation does.
            return self.read_by_number(tx, numbers);
        }
        let prefix = format!("{}{facet}{level}:", self.kind.scope());
        let found = children(tx, BitmapIndex::Records, &format!("{prefix}{beginning}"))?;
        for (longer, part) in self.parts(found, numbers, facet, &prefix) {
            match longer {
                Some(it) => self.descend(tx, &part, (facet, levels), (it.as_str(), level + 1))?,
                None => self.descend(tx, &part, (facet, levels), ("", levels + 1))?,
            }
        }
        Ok(())
    }

    /// The parts in the order of the list. Those without a longer beginning are `None`: a name that
    /// ends here comes before longer ones, and a missing time after all others.
    fn parts(
        &self,
        found: BTreeMap<String, NumberSet>,
        numbers: &NumberSet,
        facet: char,
        prefix: &str,
    ) -> Vec<(Option<String>, NumberSet)> {
        let mut rest = numbers.clone();
        let mut parts = Vec::with_capacity(found.len() + 1);
        for (term, mut part) in found {
            part.intersect(numbers);
            rest.subtract(&part);
            let longer = term.strip_prefix(prefix).unwrap_or_default().to_owned();
            parts.push((Some(longer), part));
        }
        let at = if facet == NAME { 0 } else { parts.len() };
        parts.insert(at, (None, rest));
        if self.order.order == Order::Desc {
            parts.reverse();
        }
        parts
    }

    /// Reads and sorts a few records.
    fn read_sorted(&mut self, tx: &mut Tx<'_>, numbers: &NumberSet) -> Result<()> {
        let all: Vec<_> = numbers.iter().collect();
        let mut read: Vec<_> = rows(tx, self.kind, self.order.sort, &all)?.into_values().collect();
        sort(&mut read, self.order.order);
        let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
        let left = self.take - self.found.len();
        self.found.extend(read.into_iter().skip(skip).take(left));
        self.skip = 0;
        Ok(())
    }

    /// Reads records in the order of their numbers, which is that of their creation.
    fn read_by_number(&mut self, tx: &mut Tx<'_>, numbers: &NumberSet) -> Result<()> {
        let left = self.take - self.found.len();
        let page = match self.order.order {
            Order::Asc => numbers.smallest_after(self.skip, left),
            Order::Desc => numbers.largest_after(self.skip, left),
        };
        let mut read = rows(tx, self.kind, self.order.sort, &page)?;
        self.found.extend(page.iter().filter_map(|it| read.remove(it)));
        self.skip = 0;
        Ok(())
    }
}

/// The records with these numbers.
fn rows(
    tx: &mut Tx<'_>,
    kind: RecordKind,
    sort: RecordSort,
    numbers: &[i64],
) -> Result<BTreeMap<i64, Keyed>> {
    let read = |row: &Row<'_>| {
        let key = key(sort, row.get("name")?, (row.get("changed_at")?, row.get("ends_at")?));
        Ok((row.get("number")?, Keyed { key, id: row.get("record_id")? }))
    };
    let mut found = BTreeMap::new();
    for chunk in numbers.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT number, record_id, name, changed_at, ends_at FROM record_numbers
                 WHERE kind = $1 AND number IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                   $14, $15, $16, $17, $18, $19, $20, $21)"
            ),
            &[params![kind.name()] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            read,
        )?);
    }
    Ok(found)
}
