//! What takes back the changes of a batch, record by record.

use grantor_domain::Timestamp;
use grantor_domain::batch::BatchUndo;
use grantor_domain::id::BatchId;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx, only_column};

/// Stores what takes back the change of an item.
pub fn insert(tx: &mut Tx<'_>, batch: BatchId, item: u32, undo: &BatchUndo) -> Result<()> {
    let undo = serde_json::to_string(undo);
    let undo = undo.map_err(|error| Error::Fault(format!("undo of a batch: {error}")))?;
    tx.send(
        sql!("INSERT INTO batch_undos (batch_id, item, undo) VALUES ($1, $2, $3)"),
        params![batch, item, undo],
    )
}

/// Takes out what undoes a batch, each as JSON, in the order of its items. Afterwards it can no longer
/// be undone.
pub fn take(tx: &mut Tx<'_>, batch: BatchId) -> Result<Vec<String>> {
    let undos = tx.query(
        sql!("SELECT undo FROM batch_undos WHERE batch_id = $1 ORDER BY item"),
        params![batch],
        only_column,
    )?;
    tx.send(sql!("DELETE FROM batch_undos WHERE batch_id = $1"), params![batch])?;
    end(tx, batch)?;
    Ok(undos)
}

/// Deletes a limited number of those that undo a batch which could be undone until before this time.
/// False if there is no such batch.
pub fn forget_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<bool> {
    let expired: Option<BatchId> = tx.find(
        sql!(
            "SELECT batch_id FROM batches WHERE undo_until IS NOT NULL AND undo_until < $1
             ORDER BY undo_until, batch_id LIMIT 1"
        ),
        params![before],
        only_column,
    )?;
    let Some(batch) = expired else { return Ok(false) };
    let deleted = tx.execute(
        sql!(
            "DELETE FROM batch_undos WHERE batch_id = $1 AND item IN (
               SELECT item FROM batch_undos WHERE batch_id = $1 ORDER BY item LIMIT $2)"
        ),
        params![batch, at_most],
    )?;
    if deleted < u64::from(at_most) {
        end(tx, batch)?;
    }
    Ok(true)
}

/// Marks a batch as one that can no longer be undone.
fn end(tx: &mut Tx<'_>, batch: BatchId) -> Result<()> {
    tx.send(sql!("UPDATE batches SET undo_until = NULL WHERE batch_id = $1"), params![batch])
}
