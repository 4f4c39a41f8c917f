//! Updates the index for changed records.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::RecordKind;
use super::facets::Facets;
use crate::bitmap::{self, BitmapIndex, PostingChanges};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Indexes up to `at_most` changed records of a kind after this id. Returns the last one, or `None`
/// if none is left or another node is updating the index.
pub fn update(
    tx: &mut Tx<'_>,
    kind: RecordKind,
    after: Uuid,
    at_most: u32,
) -> Result<Option<Uuid>> {
    if !tx.claim_index(BitmapIndex::Records)? {
        return Ok(None);
    }
    let stale = list_stale(tx, kind, after, at_most)?;
    let Some((last, _)) = stale.last().copied() else { return Ok(None) };
    let ids: Vec<_> = stale.iter().map(|(id, _)| *id).collect();
    let mut records: HashMap<_, _> =
        kind.load(tx, &ids)?.into_iter().map(|it| (it.id, it)).collect();
    let (mut changes, mut next) = (PostingChanges::default(), next_number(tx, kind)?);
    for id in ids {
        renew(tx, (kind, id), records.remove(&id), &mut next, &mut changes)?;
    }
    bitmap::apply(tx, BitmapIndex::Records, &changes)?;
    for (id, mark) in stale {
        // A record that changed again since it was read stays marked.
        tx.execute(
            sql!("DELETE FROM record_stale WHERE kind = $1 AND record_id = $2 AND mark = $3"),
            params![kind.name(), id, mark],
        )?;
    }
    Ok(Some(last))
}

fn list_stale(
    tx: &mut Tx<'_>,
    kind: RecordKind,
    after: Uuid,
    at_most: u32,
) -> Result<Vec<(Uuid, i64)>> {
    tx.query(
        sql!(
            "SELECT record_id, mark FROM record_stale WHERE kind = $1 AND record_id > $2
             ORDER BY record_id LIMIT $3"
        ),
        params![kind.name(), after, at_most],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

fn next_number(tx: &mut Tx<'_>, kind: RecordKind) -> Result<i64> {
    let last = tx.find(
        sql!("SELECT max(number) FROM record_numbers WHERE kind = $1"),
        params![kind.name()],
        |row| row.get::<Option<i64>>(0),
    )?;
    Ok(last.flatten().map_or(0, |it| it + 1))
}

/// Collects the changes of one record.
fn renew(
    tx: &mut Tx<'_>,
    (kind, id): (RecordKind, Uuid),
    facets: Option<Facets>,
    next: &mut i64,
    changes: &mut PostingChanges,
) -> Result<()> {
    let known: Option<(i64, String)> = tx.find(
        sql!("SELECT number, terms FROM record_numbers WHERE kind = $1 AND record_id = $2"),
        params![kind.name(), id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let number = known.as_ref().map_or(*next, |(number, _)| *number);
    *next = (*next).max(number + 1);
    let terms = known.as_ref().map(|(_, terms)| terms.as_str()).unwrap_or_default();
    let before: BTreeSet<_> = terms.split_whitespace().collect();
    let none = BTreeSet::new();
    let after = facets.as_ref().map_or(&none, |it| &it.terms);
    for gone in before.iter().filter(|it| !after.contains(**it)) {
        changes.add(gone, number, false);
    }
    for new in after.iter().filter(|it| !before.contains(it.as_str())) {
        changes.add(new, number, true);
    }
    match facets {
        Some(facets) => put(tx, kind, number, &facets),
        None => forget(tx, kind, id),
    }
}

fn put(tx: &mut Tx<'_>, kind: RecordKind, number: i64, facets: &Facets) -> Result<()> {
    let terms = facets.terms.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    tx.execute(
        sql!(
            "INSERT INTO record_numbers (kind, number, record_id, name, changed_at, ends_at, terms)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (kind, number) DO UPDATE
             SET name = $4, changed_at = $5, ends_at = $6, terms = $7"
        ),
        params![
            kind.name(),
            number,
            facets.id,
            facets.name,
            facets.changed_at,
            facets.ends_at,
            terms,
        ],
    )?;
    Ok(())
}

fn forget(tx: &mut Tx<'_>, kind: RecordKind, id: Uuid) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM record_numbers WHERE kind = $1 AND record_id = $2"),
        params![kind.name(), id],
    )?;
    Ok(())
}
