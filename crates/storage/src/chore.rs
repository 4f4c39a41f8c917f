//! Queued chores and their progress.

use grantor_domain::Timestamp;
use grantor_domain::chore::Chore;
use grantor_domain::id::ChoreId;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// Queues a chore.
pub fn insert(tx: &mut Tx<'_>, id: ChoreId, chore: &Chore, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO chores (chore_id, subject_id, chore, created_at) VALUES ($1, $2, $3, $4)"
        ),
        params![id, chore.subject(), written(chore)?, now],
    )?;
    Ok(())
}

/// Whether any chore is queued.
pub fn any_exists(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM chores LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Whether a chore for this record is queued.
pub fn exists_for(tx: &mut Tx<'_>, subject: Uuid) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM chores WHERE subject_id = $1 LIMIT 1"),
        params![subject],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Claims the oldest chore that no other worker has claimed, until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>) -> Result<Option<(ChoreId, Chore)>> {
    tx.find(
        sql!(
            "SELECT chore_id, chore FROM chores ORDER BY created_at, chore_id LIMIT 1
             /*skip locked*/"
        ),
        params![],
        |row| {
            let chore = serde_json::from_str(&row.get::<String>(1)?);
            Ok((
                row.get(0)?,
                chore.map_err(|error| Error::Fault(format!("invalid chore: {error}")))?,
            ))
        },
    )
}

/// Stores a chore's progress.
pub fn update(tx: &mut Tx<'_>, id: ChoreId, chore: &Chore) -> Result<()> {
    tx.execute(
        sql!("UPDATE chores SET chore = $2 WHERE chore_id = $1"),
        params![id, written(chore)?],
    )?;
    Ok(())
}

/// Deletes a finished chore.
pub fn delete(tx: &mut Tx<'_>, id: ChoreId) -> Result<()> {
    tx.execute(sql!("DELETE FROM chores WHERE chore_id = $1"), params![id])?;
    Ok(())
}

fn written(chore: &Chore) -> Result<String> {
    serde_json::to_string(chore).map_err(|error| Error::Fault(format!("invalid chore: {error}")))
}
