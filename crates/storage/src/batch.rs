//! Batches, their items, and what became of them.

pub mod undo;

use grantor_domain::Timestamp;
use grantor_domain::batch::{
    Batch, BatchCommand, BatchProblem, BatchStatus, BatchStep, ItemOutcome, Progress,
};
use grantor_domain::id::{BatchId, TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use uuid::Uuid;

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// Inserts a batch before its first item.
pub fn insert(tx: &mut Tx<'_>, batch: &Batch) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO batches (batch_id, tenant_id, user_id, command, status, total, progress,
               done, created, skipped, failed, attempts, reason, undoes_id, undo_until, request_id,
               created_at, finished_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, 0, 0, NULL, $8, NULL, $9, $10, NULL)"
        ),
        params![
            batch.id,
            batch.tenant,
            batch.user,
            written(&batch.command)?,
            batch.status.name(),
            batch.total,
            batch.progress.as_stored(),
            batch.undoes,
            batch.request_id,
            batch.created_at,
        ],
    )?;
    Ok(())
}

/// Inserts a part of the items, as JSON.
pub fn insert_part(tx: &mut Tx<'_>, batch: BatchId, part: u32, items: &str) -> Result<()> {
    tx.execute(
        sql!("INSERT INTO batch_parts (batch_id, part, items) VALUES ($1, $2, $3)"),
        params![batch, part, items],
    )?;
    Ok(())
}

/// Returns a part of the items, as JSON.
pub fn part(tx: &mut Tx<'_>, batch: BatchId, part: u32) -> Result<Option<String>> {
    tx.find(
        sql!("SELECT items FROM batch_parts WHERE batch_id = $1 AND part = $2"),
        params![batch, part],
        only_column,
    )
}

/// Returns a batch.
pub fn find(tx: &mut Tx<'_>, id: BatchId) -> Result<Option<Batch>> {
    Ok(select(tx, 0, params![id])?.pop())
}

/// Like [`find`], and locks the batch until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: BatchId) -> Result<Option<Batch>> {
    tx.lock(sql!("SELECT 1 FROM batches WHERE batch_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Lists the batches that a person started in a tenant, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, user: UserId, page: Page) -> Result<Listing<Batch>> {
    let total: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM batches WHERE user_id = $1 AND tenant_id = $2"),
        params![user, tenant],
        only_column,
    )?;
    let items = select(tx, 1, params![user, tenant, page.size(), page.offset()])?;
    Ok(Listing::new(page, items, total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0)))
}

/// Counts the batches of a person that are in progress, in all tenants.
pub fn count_running(tx: &mut Tx<'_>, user: UserId) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM batches WHERE user_id = $1 AND status = 'running'"),
        params![user],
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns the batch that takes another one back.
pub fn find_undo(tx: &mut Tx<'_>, undone: BatchId) -> Result<Option<BatchId>> {
    tx.find(
        sql!(
            "SELECT batch_id FROM batches WHERE undoes_id = $1 AND undoes_id IS NOT NULL
             ORDER BY batch_id LIMIT 1"
        ),
        params![undone],
        only_column,
    )
}

/// Starts a checked import with its final command.
pub fn start(tx: &mut Tx<'_>, id: BatchId, command: &BatchCommand) -> Result<()> {
    tx.execute(
        sql!("UPDATE batches SET command = $2, status = 'running' WHERE batch_id = $1"),
        params![id, written(command)?],
    )?;
    Ok(())
}

/// How a batch ends.
#[derive(Clone, Copy, Debug)]
pub struct BatchEnd {
    /// Finished or stopped.
    pub status: BatchStatus,
    /// Why it stopped.
    pub reason: Option<&'static str>,
    /// When it ends.
    pub at: Timestamp,
    /// Until when what it changed can be taken back.
    pub undo_until: Timestamp,
}

/// Ends a batch that is in progress. False if it has ended already.
pub fn finish(tx: &mut Tx<'_>, id: BatchId, end: BatchEnd) -> Result<bool> {
    let ended = tx.execute(
        sql!(
            "UPDATE batches SET status = $2, reason = $3, finished_at = $4,
               undo_until = CASE WHEN EXISTS (SELECT 1 FROM batch_undos WHERE batch_id = $1)
                 THEN CAST($5 AS bigint) END
             WHERE batch_id = $1 AND status IN ('checked', 'running')"
        ),
        params![id, end.status.name(), end.reason, end.at, end.undo_until],
    )?;
    // Rows of a file may be about people, and nobody needs them any more.
    tx.execute(sql!("DELETE FROM batch_parts WHERE batch_id = $1"), params![id])?;
    Ok(ended == 1)
}

/// Counts an attempt at the current item.
pub fn count_attempt(tx: &mut Tx<'_>, id: BatchId) -> Result<()> {
    tx.execute(
        sql!("UPDATE batches SET attempts = attempts + 1 WHERE batch_id = $1"),
        params![id],
    )?;
    Ok(())
}

/// Moves a batch one step on. False if it is no longer at the place before the step: another worker
/// was faster, or the batch was stopped.
pub fn advance(tx: &mut Tx<'_>, step: &BatchStep, record: Option<Uuid>) -> Result<bool> {
    let count = |outcomes: &[ItemOutcome]| i64::from(outcomes.contains(&step.outcome));
    let moved = tx.execute(
        sql!(
            "UPDATE batches SET progress = $3, done = done + $4, created = created + $5,
               skipped = skipped + $6, failed = failed + $7, attempts = 0
             WHERE batch_id = $1 AND progress = $2 AND status = 'running'"
        ),
        params![
            step.batch,
            step.from.as_stored(),
            step.to.as_stored(),
            count(&[ItemOutcome::Created, ItemOutcome::Changed]),
            count(&[ItemOutcome::Created]),
            count(&[ItemOutcome::Skipped]),
            count(&[ItemOutcome::Failed]),
        ],
    )?;
    if let (Some(created), Some(record), 1) = (step.notes_created, record, moved) {
        tx.execute(
            sql!(
                "INSERT INTO batch_records (batch_id, item, record_id, created)
                 VALUES ($1, $2, $3, $4)"
            ),
            params![step.batch, step.from.item(), record, created],
        )?;
    }
    Ok(moved == 1)
}

/// Stores a problem with an item.
pub fn insert_problem(tx: &mut Tx<'_>, batch: BatchId, problem: &BatchProblem) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO batch_problems (batch_id, item, name, problem) VALUES ($1, $2, $3, $4)
             ON CONFLICT (batch_id, item) DO NOTHING"
        ),
        params![batch, problem.item, problem.name, problem.problem],
    )?;
    Ok(())
}

/// Deletes the problems of a checked file. Those of the import itself take their place.
pub fn delete_problems(tx: &mut Tx<'_>, batch: BatchId) -> Result<()> {
    tx.execute(sql!("DELETE FROM batch_problems WHERE batch_id = $1"), params![batch])?;
    Ok(())
}

/// A page of the problems.
pub fn problems(tx: &mut Tx<'_>, batch: BatchId, page: Page) -> Result<Listing<BatchProblem>> {
    let total: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM batch_problems WHERE batch_id = $1"),
        params![batch],
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT item, name, problem FROM batch_problems WHERE batch_id = $1
             ORDER BY item LIMIT $2 OFFSET $3"
        ),
        params![batch, page.size(), page.offset()],
        read_problem,
    )?;
    Ok(Listing::new(page, items, total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0)))
}

/// Returns the record that an item of an import created or updated, and whether it was created.
pub fn record_of(tx: &mut Tx<'_>, batch: BatchId, item: u32) -> Result<Option<(Uuid, bool)>> {
    tx.find(
        sql!("SELECT record_id, created FROM batch_records WHERE batch_id = $1 AND item = $2"),
        params![batch, item],
        |row| Ok((row.get("record_id")?, row.get("created")?)),
    )
}

/// Lists the records that an import created, in the order of its rows. There are at most as many as
/// a batch has items.
pub fn created_by(tx: &mut Tx<'_>, batch: BatchId) -> Result<Vec<Uuid>> {
    tx.query(
        sql!("SELECT record_id FROM batch_records WHERE batch_id = $1 AND created ORDER BY item"),
        params![batch],
        only_column,
    )
}

/// Deletes the oldest batch that was started before this time, and is not in progress; or else the
/// oldest file that was checked before the other time, and not imported. False if there is none.
pub fn delete_oldest(
    tx: &mut Tx<'_>,
    before: Timestamp,
    checked_before: Timestamp,
) -> Result<bool> {
    let deleted = tx.execute(
        sql!(
            "DELETE FROM batches WHERE batch_id IN (
               SELECT batch_id FROM batches WHERE created_at < $1 AND status <> 'running'
               ORDER BY created_at, batch_id LIMIT 1)"
        ),
        params![before],
    )?;
    if deleted == 1 {
        return Ok(true);
    }
    let deleted = tx.execute(
        sql!(
            "DELETE FROM batches WHERE batch_id IN (
               SELECT batch_id FROM batches WHERE created_at < $1 AND status = 'checked'
               ORDER BY created_at, batch_id LIMIT 1)"
        ),
        params![checked_before],
    )?;
    Ok(deleted == 1)
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<Batch>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT batch_id, tenant_id, user_id, command, status, total, progress, done, created,
               skipped, failed, attempts, reason, undoes_id, undo_until, request_id, created_at,
               finished_at
             FROM batches WHERE ",
            [
                "batch_id = $1",
                "user_id = $1 AND tenant_id = $2 ORDER BY batch_id DESC LIMIT $3 OFFSET $4",
            ],
            ""
        ),
        key,
        read,
    )
}

fn written(command: &BatchCommand) -> Result<String> {
    serde_json::to_string(command).map_err(|error| Error::Fault(format!("batch: {error}")))
}

fn read(row: &Row<'_>) -> Result<Batch> {
    let command = serde_json::from_str(&row.get::<String>("command")?);
    Ok(Batch {
        id: row.get("batch_id")?,
        tenant: row.get("tenant_id")?,
        user: row.get("user_id")?,
        command: command.map_err(|error| Error::Fault(format!("invalid batch: {error}")))?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        total: row.get("total")?,
        progress: Progress::from_stored(row.get("progress")?),
        done: row.get("done")?,
        created: row.get("created")?,
        skipped: row.get("skipped")?,
        failed: row.get("failed")?,
        attempts: row.get("attempts")?,
        reason: row.get("reason")?,
        undoes: row.get("undoes_id")?,
        undo_until: row.get("undo_until")?,
        request_id: row.get("request_id")?,
        created_at: row.get("created_at")?,
        finished_at: row.get("finished_at")?,
    })
}

fn read_problem(row: &Row<'_>) -> Result<BatchProblem> {
    Ok(BatchProblem {
        item: row.get("item")?,
        name: row.get("name")?,
        problem: row.get("problem")?,
    })
}
