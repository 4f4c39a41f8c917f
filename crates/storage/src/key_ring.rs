//! The key ring of an installation that keeps it in the database, sealed.

use grantor_domain::Timestamp;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// The name of the one row.
const NAME: &str = "main";

/// Returns the version of the row, if there is one.
pub fn version(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    tx.find(sql!("SELECT version FROM key_rings WHERE name = $1"), params![NAME], only_column)
}

/// Returns the version and the sealed key ring, if there is one.
pub fn find(tx: &mut Tx<'_>) -> Result<Option<(i64, Vec<u8>)>> {
    tx.find(sql!("SELECT version, sealed FROM key_rings WHERE name = $1"), params![NAME], |row| {
        Ok((row.get("version")?, row.get("sealed")?))
    })
}

/// Inserts the first version. False if there is one already.
pub fn insert(tx: &mut Tx<'_>, sealed: &[u8], now: Timestamp) -> Result<bool> {
    let made = tx.execute(
        sql!(
            "INSERT INTO key_rings (name, version, sealed, updated_at) VALUES ($1, 1, $2, $3)
             ON CONFLICT (name) DO NOTHING"
        ),
        params![NAME, sealed, now],
    )?;
    Ok(made == 1)
}

/// Replaces a version by the next one. False if another was faster.
pub fn update(tx: &mut Tx<'_>, from: i64, sealed: &[u8], now: Timestamp) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE key_rings SET version = version + 1, sealed = $3, updated_at = $4
             WHERE name = $1 AND version = $2"
        ),
        params![NAME, from, sealed, now],
    )?;
    Ok(changed == 1)
}
