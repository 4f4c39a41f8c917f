//! Updates the index for changed licenses. A batch takes few statements, because the first start of a
//! new version may have to index every license.

use std::collections::{BTreeSet, HashMap};

use grantor_domain::id::LicenseId;
use grantor_domain::tag::TaggedKind;
use uuid::Uuid;

use super::super::{load, reader};
use super::term;
use crate::bitmap::{self, BitmapIndex, IndexedRow, KnownRows, Renewal, by_mark};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column, tag};

/// The terms of a license.
type Terms = BTreeSet<String>;

/// Indexes up to `at_most` changed licenses after this id. Returns the last one, or `None` if none
/// is left or another node is updating the index.
pub fn update(tx: &mut Tx<'_>, after: LicenseId, at_most: u32) -> Result<Option<LicenseId>> {
    if !tx.claim_index(BitmapIndex::Licenses)? {
        return Ok(None);
    }
    let stale = list_stale(tx, after, at_most)?;
    let Some((last, _)) = stale.last().copied() else { return Ok(None) };
    let ids: Vec<_> = stale.iter().map(|(id, _)| *id).collect();
    renew(tx, &ids)?;
    for (mark, marked) in by_mark(&stale) {
        // A license that changed again since it was read stays marked.
        tx.execute(
            sql!("DELETE FROM license_stale WHERE license_id = ANY($1) AND mark = $2"),
            params![marked, mark],
        )?;
    }
    Ok(Some(last.into()))
}

fn list_stale(tx: &mut Tx<'_>, after: LicenseId, at_most: u32) -> Result<Vec<(Uuid, i64)>> {
    tx.query(
        sql!(
            "SELECT license_id, mark FROM license_stale WHERE license_id > $1
             ORDER BY license_id LIMIT $2"
        ),
        params![after, at_most],
        |row| Ok((row.get("license_id")?, row.get("mark")?)),
    )
}

/// Indexes these licenses as they are now.
fn renew(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<()> {
    let (terms, known, next) = (list_terms(tx, ids)?, list_known(tx, ids)?, next_number(tx)?);
    let Renewal { indexed, gone, changes } = Renewal::of(ids, known, next, terms, |it| it);
    put(tx, &indexed)?;
    if !gone.is_empty() {
        tx.execute(sql!("DELETE FROM license_numbers WHERE license_id = ANY($1)"), params![gone])?;
    }
    bitmap::apply(tx, BitmapIndex::Licenses, &changes)
}

/// The terms of those of these licenses that exist.
fn list_terms(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Terms>> {
    let licenses: Vec<_> = ids.iter().copied().map(LicenseId::from).collect();
    let shown = load(tx, &licenses)?;
    let mut readers = reader::list_ids(tx, ids)?;
    let mut tags = tag::list_of(tx, TaggedKind::License, ids)?;
    let terms = shown.iter().map(|it| {
        let id = it.license.id.as_uuid();
        let tags: Vec<_> = tags.remove(&id).into_iter().flatten().map(|it| it.key).collect();
        (id, term::all(it, readers.remove(&id).unwrap_or_default(), &tags))
    });
    Ok(terms.collect())
}

/// The numbers and terms of those of these licenses that are in the index.
fn list_known(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<KnownRows> {
    let rows = tx.query(
        sql!("SELECT license_id, number, terms FROM license_numbers WHERE license_id = ANY($1)"),
        params![ids],
        |row| Ok((row.get("license_id")?, (row.get("number")?, row.get("terms")?))),
    )?;
    Ok(rows.into_iter().collect())
}

fn next_number(tx: &mut Tx<'_>) -> Result<i64> {
    let last = tx.find(sql!("SELECT max(number) FROM license_numbers"), params![], |row| {
        only_column::<Option<i64>>(row)
    })?;
    Ok(last.flatten().map_or(0, |it| it + 1))
}

fn put(tx: &mut Tx<'_>, indexed: &[IndexedRow<Terms>]) -> Result<()> {
    let (groups, rest) = indexed.as_chunks::<4>();
    for [a, b, c, d] in groups {
        tx.execute(
            sql!(
                "INSERT INTO license_numbers (number, license_id, terms)
                 VALUES ($1, $2, $3), ($4, $5, $6), ($7, $8, $9), ($10, $11, $12)
                 ON CONFLICT (number) DO UPDATE SET terms = excluded.terms"
            ),
            params![
                a.number, a.id, a.terms, b.number, b.id, b.terms, c.number, c.id, c.terms,
                d.number, d.id, d.terms,
            ],
        )?;
    }
    for IndexedRow { number, id, terms, .. } in rest {
        tx.execute(
            sql!(
                "INSERT INTO license_numbers (number, license_id, terms) VALUES ($1, $2, $3)
                 ON CONFLICT (number) DO UPDATE SET terms = $3"
            ),
            params![number, id, terms],
        )?;
    }
    Ok(())
}
