//! Queued chores and their progress.

use grantor_domain::Timestamp;
use grantor_domain::chore::Chore;
use grantor_domain::id::{ChoreId, NodeId};
use grantor_domain::trace::TraceContext;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx, event};

/// Queues a chore.
pub fn insert(tx: &mut Tx<'_>, id: ChoreId, chore: &Chore, now: Timestamp) -> Result<()> {
    insert_due(tx, id, chore, (now, Timestamp::from_micros(0)))
}

/// Queues a chore that becomes due later, or when the node dies that queues it.
pub fn insert_due(
    tx: &mut Tx<'_>,
    id: ChoreId,
    chore: &Chore,
    (now, due_at): (Timestamp, Timestamp),
) -> Result<()> {
    // Until it is due, whoever queues it does it.
    let node = tx.node().filter(|_| due_at > now);
    tx.execute(
        sql!(
            "INSERT INTO chores (chore_id, subject_id, chore, created_at, due_at, node_id)
             VALUES ($1, $2, $3, $4, $5, $6)"
        ),
        params![id, chore.subject(), written(chore)?, now, due_at, node],
    )?;
    Ok(())
}

/// Notes the trace that a chore belongs to.
pub fn set_trace(tx: &mut Tx<'_>, id: ChoreId, trace: TraceContext) -> Result<()> {
    tx.execute(
        sql!("UPDATE chores SET trace_context = $2 WHERE chore_id = $1"),
        params![id, trace.to_string()],
    )?;
    Ok(())
}

/// The trace that the chore of a record belongs to.
pub fn find_trace(tx: &mut Tx<'_>, subject: Uuid) -> Result<Option<TraceContext>> {
    let found = tx.find(
        sql!("SELECT trace_context FROM chores WHERE subject_id = $1 LIMIT 1"),
        params![subject],
        event::read_trace,
    )?;
    Ok(found.flatten())
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
pub fn claim(
    tx: &mut Tx<'_>,
    now: Timestamp,
) -> Result<Option<(ChoreId, Chore, Option<TraceContext>)>> {
    tx.find(
        sql!(
            "SELECT chore_id, chore, trace_context FROM chores WHERE due_at <= $1
             ORDER BY due_at, created_at, chore_id LIMIT 1 /*skip locked*/"
        ),
        params![now],
        |row| {
            let chore = serde_json::from_str(&row.get::<String>("chore")?);
            Ok((
                row.get("chore_id")?,
                chore.map_err(|error| Error::Fault(format!("invalid chore: {error}")))?,
                event::read_trace(row)?,
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

/// Takes a chore until `until`, or until the node dies; then it is due again.
pub fn hold(tx: &mut Tx<'_>, id: ChoreId, until: Timestamp) -> Result<()> {
    let node = tx.node();
    set_due(tx, id, until, node)
}

/// Puts a chore back behind others that are due.
pub fn put_back(tx: &mut Tx<'_>, id: ChoreId, now: Timestamp) -> Result<()> {
    set_due(tx, id, now, None)
}

fn set_due(tx: &mut Tx<'_>, id: ChoreId, due_at: Timestamp, node: Option<NodeId>) -> Result<()> {
    tx.execute(
        sql!("UPDATE chores SET due_at = $2, node_id = $3 WHERE chore_id = $1"),
        params![id, due_at, node],
    )?;
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
