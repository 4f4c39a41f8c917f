//! When the owner of a license is told that it expires.

use grantor_domain::Timestamp;
use grantor_domain::id::LicenseId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Lists licenses whose owners are to be told that they expire, with when that was due.
pub fn list(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<(LicenseId, Timestamp)>> {
    tx.query(
        sql!(
            "SELECT license_id, remind_at FROM licenses
             WHERE status IN ('private', 'public') AND deleted_at IS NULL AND remind_at <= $1
             ORDER BY remind_at LIMIT $2"
        ),
        params![now, at_most],
        |row| Ok((row.get("license_id")?, row.get("remind_at")?)),
    )
}

/// Takes a reminder, so that it is given once, and stores when the next is due. False if another
/// node took it.
pub fn take(
    tx: &mut Tx<'_>,
    id: LicenseId,
    due: Timestamp,
    next: Option<Timestamp>,
) -> Result<bool> {
    let taken = tx.execute(
        sql!("UPDATE licenses SET remind_at = $3 WHERE license_id = $1 AND remind_at = $2"),
        params![id, due, next],
    )?;
    Ok(taken == 1)
}
