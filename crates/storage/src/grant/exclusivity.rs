//! Grants that exclude others.

use grantor_domain::Timestamp;
use grantor_domain::grant::{GrantNumber, GrantTerms};
use grantor_domain::id::{GrantId, TalentId};
use grantor_domain::license::Territory;
use uuid::Uuid;

use super::territory::NEVER;
use crate::request::{fault, from_json};
use crate::statement::{sql, sql_choice};
use crate::value::{padded, params};
use crate::{Result, Row, Tx};

/// How many territories one statement looks up.
const TERRITORIES: usize = 20;

/// How many grants are compared with terms at once.
const AT_ONCE: u32 = 100;

/// A grant that excludes others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockingGrant {
    /// The ID.
    pub id: GrantId,
    /// The number.
    pub number: GrantNumber,
}

/// Returns a talent's grant that excludes these terms: one that has not ended, shares a use, a
/// territory and a moment with them, and is exclusive unless they are. The talent must be locked if
/// something depends on it.
pub fn find_conflict(
    tx: &mut Tx<'_>,
    talent: TalentId,
    terms: &GrantTerms,
    now: Timestamp,
) -> Result<Option<BlockingGrant>> {
    let from = terms.coverage.starts_at.max(now);
    let period = (from, terms.coverage.ends_at.unwrap_or(NEVER));
    if terms.coverage.territories.as_slice().iter().any(|it| it.is_world()) {
        find_anywhere(tx, talent, terms, period)
    } else {
        find_in_territories(tx, talent, terms, period)
    }
}

/// Compares terms with the grants in their territories, including worldwide ones.
fn find_in_territories(
    tx: &mut Tx<'_>,
    talent: TalentId,
    terms: &GrantTerms,
    (from, until): (Timestamp, Timestamp),
) -> Result<Option<BlockingGrant>> {
    let world = Territory::WORLD;
    let territories = terms.coverage.territories.as_slice().iter();
    let codes: Vec<_> = territories.chain([&world]).map(Territory::as_str).collect();
    // Exclusive terms exclude every other grant, and other terms are excluded by exclusive grants.
    let exclusive = [true, !terms.exclusive];
    for chunk in codes.chunks(TERRITORIES) {
        let found = first_overlap(|after| {
            let limits: &[_] =
                params![talent, from, until, exclusive[0], exclusive[1], after, AT_ONCE];
            tx.query(
                sql!(
                    "SELECT g.grant_id, g.year, g.serial, g.terms FROM grants g
                     WHERE g.grant_id IN (
                       SELECT t.grant_id FROM grant_territories t
                       WHERE t.party = 'owner' AND t.talent_id = $1 AND t.until > $2
                         AND t.starts_at < $3 AND t.exclusive IN ($4, $5) AND t.grant_id > $6
                         AND t.territory IN ($8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                           $19, $20, $21, $22, $23, $24, $25, $26, $27))
                     ORDER BY g.grant_id LIMIT $7"
                ),
                &[limits, &padded::<_, TERRITORIES>(chunk)].concat(),
                |row| overlapping(row, terms),
            )
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Compares worldwide terms with all grants of the talent that have not ended.
fn find_anywhere(
    tx: &mut Tx<'_>,
    talent: TalentId,
    terms: &GrantTerms,
    (from, until): (Timestamp, Timestamp),
) -> Result<Option<BlockingGrant>> {
    first_overlap(|after| {
        tx.query(
            sql_choice!(
                usize::from(terms.exclusive),
                "SELECT grant_id, year, serial, terms FROM grants
                 WHERE talent_id = $1 AND status IN ('scheduled', 'active')",
                [" AND exclusive", ""],
                " AND (ends_at IS NULL OR ends_at > $2) AND starts_at < $3 AND grant_id > $4
                 ORDER BY grant_id LIMIT $5"
            ),
            params![talent, from, until, after, AT_ONCE],
            |row| overlapping(row, terms),
        )
    })
}

/// Reads grants after a given one, the oldest first, until one overlaps with the terms.
fn first_overlap(
    mut read: impl FnMut(GrantId) -> Result<Vec<(GrantId, Option<GrantNumber>)>>,
) -> Result<Option<BlockingGrant>> {
    let mut after = GrantId::from(Uuid::nil());
    loop {
        let found = read(after)?;
        let overlap = |(id, number): &(GrantId, Option<GrantNumber>)| {
            number.map(|number| BlockingGrant { id: *id, number })
        };
        if let Some(grant) = found.iter().find_map(overlap) {
            return Ok(Some(grant));
        }
        match found.last() {
            Some((last, _)) if found.len() == AT_ONCE as usize => after = *last,
            _ => return Ok(None),
        }
    }
}

/// The id of a grant, with its number if it overlaps with the terms.
fn overlapping(row: &Row<'_>, terms: &GrantTerms) -> Result<(GrantId, Option<GrantNumber>)> {
    let other: GrantTerms = from_json(&row.get::<String>("terms")?)?;
    let year = u16::try_from(row.get::<u32>("year")?).map_err(fault)?;
    let number = GrantNumber { year, serial: row.get("serial")? };
    Ok((row.get("grant_id")?, other.coverage.overlaps(&terms.coverage).then_some(number)))
}
