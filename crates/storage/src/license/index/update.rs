//! Updates the index for changed licenses.

use std::collections::{BTreeSet, HashMap};

use grantor_domain::id::LicenseId;
use grantor_domain::tag::TaggedKind;
use uuid::Uuid;

use super::super::{LicenseRecord, load, reader};
use super::term;
use crate::bitmap::{self, BitmapIndex, PostingChanges};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, tag};

/// Indexes up to `at_most` changed licenses after this id. Returns the last one, or `None` if none
/// is left or another node is updating the index.
pub fn update(tx: &mut Tx<'_>, after: LicenseId, at_most: u32) -> Result<Option<LicenseId>> {
    if !tx.claim_index(BitmapIndex::Licenses)? {
        return Ok(None);
    }
    let stale = list_stale(tx, after, at_most)?;
    let Some((last, _)) = stale.last().copied() else { return Ok(None) };
    let ids: Vec<_> = stale.iter().map(|(id, _)| *id).collect();
    let mut licenses: HashMap<_, _> =
        load(tx, &ids)?.into_iter().map(|it| (it.license.id, it)).collect();
    let (mut changes, mut next) = (PostingChanges::default(), next_number(tx)?);
    for id in ids {
        renew(tx, id, licenses.remove(&id).as_ref(), &mut next, &mut changes)?;
    }
    bitmap::apply(tx, BitmapIndex::Licenses, &changes)?;
    for (id, mark) in stale {
        // A license that changed again since it was read stays marked.
        tx.execute(
            sql!("DELETE FROM license_stale WHERE license_id = $1 AND mark = $2"),
            params![id, mark],
        )?;
    }
    Ok(Some(last))
}

fn list_stale(tx: &mut Tx<'_>, after: LicenseId, at_most: u32) -> Result<Vec<(LicenseId, i64)>> {
    tx.query(
        sql!(
            "SELECT license_id, mark FROM license_stale WHERE license_id > $1
             ORDER BY license_id LIMIT $2"
        ),
        params![after, at_most],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

fn next_number(tx: &mut Tx<'_>) -> Result<i64> {
    let last = tx.find(sql!("SELECT max(number) FROM license_numbers"), params![], |row| {
        row.get::<Option<i64>>(0)
    })?;
    Ok(last.flatten().map_or(0, |it| it + 1))
}

/// Collects the changes of one license.
fn renew(
    tx: &mut Tx<'_>,
    id: LicenseId,
    shown: Option<&LicenseRecord>,
    next: &mut i64,
    changes: &mut PostingChanges,
) -> Result<()> {
    let known: Option<(i64, String)> = tx.find(
        sql!("SELECT number, terms FROM license_numbers WHERE license_id = $1"),
        params![id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let after = match shown {
        Some(shown) => {
            let tags = tag::keys_of(tx, TaggedKind::License, id.as_uuid())?;
            term::all(shown, readers(tx, id)?, &tags)
        }
        None => BTreeSet::new(),
    };
    let number = known.as_ref().map_or(*next, |(number, _)| *number);
    *next = (*next).max(number + 1);
    let terms = known.as_ref().map(|(_, terms)| terms.as_str()).unwrap_or_default();
    let before: BTreeSet<_> = terms.split_whitespace().collect();
    for gone in before.iter().filter(|it| !after.contains(**it)) {
        changes.add(gone, number, false);
    }
    for new in after.iter().filter(|it| !before.contains(it.as_str())) {
        changes.add(new, number, true);
    }
    if shown.is_some() { number_is(tx, id, number, &after) } else { forget(tx, id) }
}

fn readers(tx: &mut Tx<'_>, id: LicenseId) -> Result<Vec<Uuid>> {
    Ok(reader::list(tx, id)?.into_keys().collect())
}

fn number_is(tx: &mut Tx<'_>, id: LicenseId, number: i64, terms: &BTreeSet<String>) -> Result<()> {
    let terms = terms.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    tx.execute(
        sql!(
            "INSERT INTO license_numbers (number, license_id, terms) VALUES ($1, $2, $3)
             ON CONFLICT (number) DO UPDATE SET terms = $3"
        ),
        params![number, id, terms],
    )?;
    Ok(())
}

fn forget(tx: &mut Tx<'_>, id: LicenseId) -> Result<()> {
    tx.execute(sql!("DELETE FROM license_numbers WHERE license_id = $1"), params![id])?;
    Ok(())
}
