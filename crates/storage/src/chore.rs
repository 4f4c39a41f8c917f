//! Work that is left to do, and how far it has come.

use grantor_domain::Timestamp;
use grantor_domain::chore::Chore;
use grantor_domain::id::ChoreId;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// Leaves something to do.
pub fn insert(tx: &mut Tx<'_>, id: ChoreId, chore: &Chore, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO chores (chore_id, subject_id, chore, created_at) VALUES ($1, $2, $3, $4)"
        ),
        params![id, chore.subject(), written(chore)?, now],
    )?;
    Ok(())
}

/// Whether anything is left to do.
pub fn is_any(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM chores LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Whether something is left to do about this record.
pub fn is_about(tx: &mut Tx<'_>, subject: Uuid) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM chores WHERE subject_id = $1 LIMIT 1"),
        params![subject],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// The oldest that nobody else is about, held until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>) -> Result<Option<(ChoreId, Chore)>> {
    tx.find(
        sql!(
            "SELECT chore_id, chore FROM chores ORDER BY created_at, chore_id LIMIT 1
             /*skip locked*/"
        ),
        params![],
        |row| {
            let chore = serde_json::from_str(&row.get::<String>(1)?);
            Ok((row.get(0)?, chore.map_err(|error| Error::Fault(format!("a chore: {error}")))?))
        },
    )
}

/// Writes how far it has come.
pub fn update(tx: &mut Tx<'_>, id: ChoreId, chore: &Chore) -> Result<()> {
    tx.execute(
        sql!("UPDATE chores SET chore = $2 WHERE chore_id = $1"),
        params![id, written(chore)?],
    )?;
    Ok(())
}

/// Writes that it is done.
pub fn delete(tx: &mut Tx<'_>, id: ChoreId) -> Result<()> {
    tx.execute(sql!("DELETE FROM chores WHERE chore_id = $1"), params![id])?;
    Ok(())
}

fn written(chore: &Chore) -> Result<String> {
    serde_json::to_string(chore).map_err(|error| Error::Fault(format!("a chore: {error}")))
}
