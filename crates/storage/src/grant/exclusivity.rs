//! Grants that exclude others.

use grantor_domain::Timestamp;
use grantor_domain::grant::{GrantNumber, GrantTerms};
use grantor_domain::id::TalentId;

use crate::request::{fault, from_json};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// Returns the number of a talent's grant that excludes these terms: one that has not ended, shares
/// a use, a territory and a moment with them, and is exclusive unless they are. The talent must be
/// locked.
pub fn find_conflict(
    tx: &mut Tx<'_>,
    talent: TalentId,
    terms: &GrantTerms,
    now: Timestamp,
) -> Result<Option<GrantNumber>> {
    let from = terms.coverage.starts_at.max(now);
    let until = terms.coverage.ends_at.unwrap_or(Timestamp::from_micros(i64::MAX));
    let read = |row: &Row<'_>| overlapping(row, terms);
    let found = if terms.exclusive {
        tx.query(
            sql!(
                "SELECT year, serial, terms FROM grants
                 WHERE talent_id = $1 AND status IN ('scheduled', 'active')
                   AND (ends_at IS NULL OR ends_at > $2) AND starts_at < $3"
            ),
            params![talent, from, until],
            read,
        )?
    } else {
        tx.query(
            sql!(
                "SELECT year, serial, terms FROM grants
                 WHERE talent_id = $1 AND status IN ('scheduled', 'active') AND exclusive
                   AND (ends_at IS NULL OR ends_at > $2) AND starts_at < $3"
            ),
            params![talent, from, until],
            read,
        )?
    };
    Ok(found.into_iter().flatten().min())
}

/// The number of a grant that overlaps with the terms.
fn overlapping(row: &Row<'_>, terms: &GrantTerms) -> Result<Option<GrantNumber>> {
    let other: GrantTerms = from_json(&row.get::<String>(2)?)?;
    if !other.coverage.overlaps(&terms.coverage) {
        return Ok(None);
    }
    let year = u16::try_from(row.get::<u32>(0)?).map_err(fault)?;
    Ok(Some(GrantNumber { year, serial: row.get(1)? }))
}
