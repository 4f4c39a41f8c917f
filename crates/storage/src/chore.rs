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
    insert_due(tx, id, chore, (now, Timestamp::from_micros(0)))
}

/// Queues a chore that becomes due later.
pub fn insert_due(
    tx: &mut Tx<'_>,
    id: ChoreId,
    chore: &Chore,
    (now, due_at): (Timestamp, Timestamp),
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO chores (chore_id, subject_id, chore, created_at, due_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![id, chore.subject(), written(chore)?, now, due_at],
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

/// Claims the first due chore that no other worker has claimed, until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<(ChoreId, Chore)>> {
    tx.find(
        sql!(
            "SELECT chore_id, chore FROM chores WHERE due_at <= $1
             ORDER BY due_at, created_at, chore_id LIMIT 1 /*skip locked*/"
        ),
        params![now],
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

/// Lets a chore wait: while a worker has it, or until others that are due had their turn.
pub fn postpone(tx: &mut Tx<'_>, id: ChoreId, until: Timestamp) -> Result<()> {
    tx.execute(sql!("UPDATE chores SET due_at = $2 WHERE chore_id = $1"), params![id, until])?;
    Ok(())
}

/// Deletes the chores of a record.
pub fn delete_of(tx: &mut Tx<'_>, subject: Uuid) -> Result<()> {
    tx.execute(sql!("DELETE FROM chores WHERE subject_id = $1"), params![subject])?;
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
