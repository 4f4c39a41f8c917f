//! Unused recovery codes. Only their MACs are stored.

use grantor_domain::Timestamp;
use grantor_domain::id::UserId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Replaces a person's codes.
pub fn replace(tx: &mut Tx<'_>, user: UserId, macs: &[Vec<u8>], now: Timestamp) -> Result<()> {
    delete_all(tx, user)?;
    for mac in macs {
        tx.execute(
            sql!("INSERT INTO recovery_codes (user_id, code_mac, created_at) VALUES ($1, $2, $3)"),
            params![user, mac, now],
        )?;
    }
    Ok(())
}

/// Lists the MACs of a person's codes. There are at most ten.
pub fn list(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<Vec<u8>>> {
    tx.query(
        sql!("SELECT code_mac FROM recovery_codes WHERE user_id = $1 ORDER BY code_mac"),
        params![user],
        only_column,
    )
}

/// Uses up a code. False if another caller was first.
pub fn consume(tx: &mut Tx<'_>, user: UserId, mac: &[u8]) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM recovery_codes WHERE user_id = $1 AND code_mac = $2"),
        params![user, mac],
    )?;
    Ok(deleted == 1)
}

/// Deletes all codes of a person.
pub fn delete_all(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(sql!("DELETE FROM recovery_codes WHERE user_id = $1"), params![user])?;
    Ok(())
}
