//! Email addresses that a mail server refused for good.

use grantor_domain::Timestamp;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Records that an address was refused.
pub fn insert(tx: &mut Tx<'_>, address: &str, reason: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO refused_addresses (address, reason, refused_at) VALUES ($1, $2, $3)
             ON CONFLICT (address)
             DO UPDATE SET reason = excluded.reason, refused_at = excluded.refused_at"
        ),
        params![address, reason, now],
    )?;
    Ok(())
}

/// Returns why an address was refused, and when.
pub fn find(tx: &mut Tx<'_>, address: &str) -> Result<Option<(String, Timestamp)>> {
    tx.find(
        sql!("SELECT reason, refused_at FROM refused_addresses WHERE address = $1"),
        params![address],
        |row| Ok((row.get("reason")?, row.get("refused_at")?)),
    )
}

/// Forgets that an address was refused. False if it was not.
pub fn delete(tx: &mut Tx<'_>, address: &str) -> Result<bool> {
    let deleted =
        tx.execute(sql!("DELETE FROM refused_addresses WHERE address = $1"), params![address])?;
    Ok(deleted == 1)
}
