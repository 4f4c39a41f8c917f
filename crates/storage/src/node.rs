//! The nodes that use the database, and what each of them holds.
//!
//! A row that a node claims carries the node's id, which `Tx::node` gives to every claim. Whoever
//! deletes a dead node frees its rows in the same transaction.

use grantor_domain::Timestamp;
use grantor_domain::id::NodeId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, migrate};

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node's id; every start of a process has another.
    pub id: NodeId,
    /// The number of its heartbeats.
    pub beats: i64,
    /// The last migration that its program knows.
    pub schema_version: i64,
    /// The version of the key ring that it has loaded.
    pub key_ring: String,
    /// The version of its program.
    pub program: String,
    /// When it started.
    pub started_at: Timestamp,
}

impl Node {
    /// Whether its program lacks migrations of this one.
    #[must_use]
    pub fn is_older(&self) -> bool {
        self.schema_version < migrate::latest()
    }
}

/// Adds a heartbeat of a node, and the node if it is new or was taken for dead.
pub fn beat(tx: &mut Tx<'_>, node: &Node) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO nodes (node_id, beats, schema_version, key_ring, program, started_at)
             VALUES ($1, 1, $2, $3, $4, $5)
             ON CONFLICT (node_id) DO UPDATE SET beats = nodes.beats + 1, key_ring = $3"
        ),
        params![node.id, node.schema_version, node.key_ring, node.program, node.started_at],
    )?;
    Ok(())
}

/// Lists all nodes, oldest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Node>> {
    tx.query(
        sql!(
            "SELECT node_id, beats, schema_version, key_ring, program, started_at
             FROM nodes ORDER BY node_id"
        ),
        params![],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<Node> {
    Ok(Node {
        id: row.get("node_id")?,
        beats: row.get("beats")?,
        schema_version: row.get("schema_version")?,
        key_ring: row.get("key_ring")?,
        program: row.get("program")?,
        started_at: row.get("started_at")?,
    })
}

/// Deletes a node that has not added a heartbeat since it had this many, and frees what it holds.
/// False if it has, or if another node was faster.
pub fn remove(tx: &mut Tx<'_>, id: NodeId, beats: i64, now: Timestamp) -> Result<bool> {
    let deleted = tx
        .execute(sql!("DELETE FROM nodes WHERE node_id = $1 AND beats = $2"), params![id, beats])?;
    if deleted == 0 {
        return Ok(false);
    }
    free(tx, id, now)?;
    Ok(true)
}

/// Makes everything due now that a node holds. Its idempotency keys need nothing: they are free
/// once the node's row is gone.
fn free(tx: &mut Tx<'_>, id: NodeId, now: Timestamp) -> Result<()> {
    free_messages(tx, id, now)?;
    free_scans(tx, id, now)?;
    tx.execute(
        sql!("UPDATE chores SET due_at = $2, node_id = NULL WHERE node_id = $1"),
        params![id, now],
    )?;
    tx.execute(
        sql!(
            "UPDATE subscriptions SET leased_until = $2, wakes_at = $2, node_id = NULL
             WHERE node_id = $1 AND leased_until IS NOT NULL"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// Frees what a node was sending.
fn free_messages(tx: &mut Tx<'_>, id: NodeId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE deliveries SET due_at = $2, node_id = NULL
             WHERE node_id = $1 AND status = 'pending'"
        ),
        params![id, now],
    )?;
    tx.execute(
        sql!(
            "UPDATE mails SET next_attempt_at = $2, node_id = NULL
             WHERE node_id = $1 AND state = 'queued'"
        ),
        params![id, now],
    )?;
    tx.execute(
        sql!("UPDATE chat_messages SET due_at = $2, node_id = NULL WHERE node_id = $1"),
        params![id, now],
    )?;
    tx.execute(
        sql!("UPDATE websub_subscriptions SET due_at = $2, node_id = NULL WHERE node_id = $1"),
        params![id, now],
    )?;
    Ok(())
}

/// Frees what a node was looking at. A pod that was stopped meanwhile is not due.
fn free_scans(tx: &mut Tx<'_>, id: NodeId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pods SET due_at = $2, node_id = NULL
             WHERE node_id = $1 AND due_at IS NOT NULL"
        ),
        params![id, now],
    )?;
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET due_at = $2, node_id = NULL
             WHERE node_id = $1 AND due_at IS NOT NULL"
        ),
        params![id, now],
    )?;
    tx.execute(
        sql!("UPDATE scan_hosts SET run_id = NULL, node_id = NULL WHERE node_id = $1"),
        params![id],
    )?;
    tx.execute(
        sql!(
            "UPDATE cases SET next_look_at = $2, look_id = NULL, node_id = NULL
             WHERE node_id = $1 AND next_look_at IS NOT NULL"
        ),
        params![id, now],
    )?;
    Ok(())
}
