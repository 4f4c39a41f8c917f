//! How much work waits, and since when. What is due is counted up to a bound, by the indexes with
//! which workers find it, so that looking costs the same however much waits.

use grantor_domain::Timestamp;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, delivery, only_column};

/// The largest depth that is counted.
pub const MAX_DEPTH: u32 = 10_000;

/// The state of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueState {
    /// The name of the queue.
    pub name: &'static str,
    /// How much of it is due, up to [`MAX_DEPTH`]; of webhooks, how much is pending.
    pub depth: u32,
    /// Since when the oldest has been due.
    pub oldest: Option<Timestamp>,
}

/// Measures all queues.
pub fn measure(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<QueueState>> {
    let due = [mails, chores, chat_messages, pods, feeds];
    let mut queues = vec![deliveries(tx, now)?];
    for measure in due {
        queues.extend(measure(tx, now)?);
    }
    Ok(queues)
}

fn read(row: &Row<'_>, name: &'static str) -> Result<QueueState> {
    Ok(QueueState { name, depth: row.get("depth")?, oldest: row.get("oldest")? })
}

fn mails(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<QueueState>> {
    tx.find(
        sql!(
            "SELECT count(*) AS depth, min(next_attempt_at) AS oldest FROM (
               SELECT next_attempt_at FROM mails WHERE state = 'queued' AND next_attempt_at <= $1
               ORDER BY next_attempt_at LIMIT $2) AS due"
        ),
        params![now, MAX_DEPTH],
        |row| read(row, "mail"),
    )
}

/// Most chores are due from the beginning of time, so that they come before those put back.
fn chores(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<QueueState>> {
    tx.find(
        sql!(
            "SELECT count(*) AS depth, min(created_at) AS oldest FROM (
               SELECT created_at FROM chores WHERE due_at <= $1
               ORDER BY due_at, created_at, chore_id LIMIT $2) AS due"
        ),
        params![now, MAX_DEPTH],
        |row| read(row, "chores"),
    )
}

fn chat_messages(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<QueueState>> {
    tx.find(
        sql!(
            "SELECT count(*) AS depth, min(due_at) AS oldest FROM (
               SELECT due_at FROM chat_messages WHERE due_at <= $1
               ORDER BY due_at, chat_message_id LIMIT $2) AS due"
        ),
        params![now, MAX_DEPTH],
        |row| read(row, "chat"),
    )
}

fn pods(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<QueueState>> {
    tx.find(
        sql!(
            "SELECT count(*) AS depth, min(due_at) AS oldest FROM (
               SELECT due_at FROM pods WHERE due_at IS NOT NULL AND due_at <= $1
               ORDER BY due_at LIMIT $2) AS due"
        ),
        params![now, MAX_DEPTH],
        |row| read(row, "pods"),
    )
}

fn feeds(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<QueueState>> {
    tx.find(
        sql!(
            "SELECT count(*) AS depth, min(due_at) AS oldest FROM (
               SELECT due_at FROM watched_feeds WHERE due_at IS NOT NULL AND due_at <= $1
               ORDER BY due_at LIMIT $2) AS due"
        ),
        params![now, MAX_DEPTH],
        |row| read(row, "sources"),
    )
}

/// Deliveries to disabled or resting receivers are pending, but not due.
fn deliveries(tx: &mut Tx<'_>, now: Timestamp) -> Result<QueueState> {
    let depth = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT webhook_id FROM deliveries WHERE status = 'pending'
               ORDER BY webhook_id, due_at LIMIT $1) AS due"
        ),
        params![MAX_DEPTH],
        only_column,
    )?;
    let oldest = delivery::waiting(tx)?.first().map(|it| it.1).filter(|it| *it <= now);
    Ok(QueueState { name: "webhooks", depth: depth.unwrap_or(0), oldest })
}
