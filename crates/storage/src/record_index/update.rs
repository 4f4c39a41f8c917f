//! Updates the index for changed records.

use uuid::Uuid;

use super::RecordKind;
use super::facets::Facets;
use crate::bitmap::{self, BitmapIndex, IndexedRow, KnownRows, Renewal, by_mark};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

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
    renew(tx, kind, &ids)?;
    for (mark, marked) in by_mark(&stale) {
        // A record that changed again since it was read stays marked.
        tx.execute(
            sql!("DELETE FROM record_stale WHERE kind = $1 AND record_id = ANY($2) AND mark = $3"),
            params![kind.name(), marked, mark],
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
        |row| Ok((row.get("record_id")?, row.get("mark")?)),
    )
}

fn next_number(tx: &mut Tx<'_>, kind: RecordKind) -> Result<i64> {
    let last = tx.find(
        sql!("SELECT max(number) FROM record_numbers WHERE kind = $1"),
        params![kind.name()],
        only_column::<Option<i64>>,
    )?;
    Ok(last.flatten().map_or(0, |it| it + 1))
}

/// Indexes these records as they are now.
fn renew(tx: &mut Tx<'_>, kind: RecordKind, ids: &[Uuid]) -> Result<()> {
    let records = kind.load(tx, ids)?.into_iter().map(|it| (it.id, it)).collect();
    let (known, next) = (list_known(tx, kind, ids)?, next_number(tx, kind)?);
    let Renewal { indexed, gone, changes } =
        Renewal::of(ids, known, next, records, |it: &Facets| &it.terms);
    for record in &indexed {
        put(tx, kind, record)?;
    }
    if !gone.is_empty() {
        tx.execute(
            sql!("DELETE FROM record_numbers WHERE kind = $1 AND record_id = ANY($2)"),
            params![kind.name(), gone],
        )?;
    }
    bitmap::apply(tx, BitmapIndex::Records, &changes)
}

/// The numbers and terms of those of these records that are in the index.
fn list_known(tx: &mut Tx<'_>, kind: RecordKind, ids: &[Uuid]) -> Result<KnownRows> {
    let rows = tx.query(
        sql!(
            "SELECT record_id, number, terms FROM record_numbers
             WHERE kind = $1 AND record_id = ANY($2)"
        ),
        params![kind.name(), ids],
        |row| Ok((row.get("record_id")?, (row.get("number")?, row.get("terms")?))),
    )?;
    Ok(rows.into_iter().collect())
}

fn put(tx: &mut Tx<'_>, kind: RecordKind, record: &IndexedRow<Facets>) -> Result<()> {
    let IndexedRow { number, id, terms, row } = record;
    tx.execute(
        sql!(
            "INSERT INTO record_numbers (kind, number, record_id, name, changed_at, ends_at, terms)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (kind, number) DO UPDATE
             SET name = $4, changed_at = $5, ends_at = $6, terms = $7"
        ),
        params![kind.name(), number, id, row.name, row.changed_at, row.ends_at, terms],
    )?;
    Ok(())
}
