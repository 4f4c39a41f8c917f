//! Idempotency keys and the responses stored for them.

use grantor_domain::Timestamp;
use grantor_domain::id::NodeId;
use grantor_domain::idempotency::Claim;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// The outcome of claiming a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The key was free; this run may proceed.
    Claimed,
    /// Another run of the same request is in progress, on this node or on another.
    Running {
        /// Whether it runs on this node.
        here: bool,
    },
    /// Another run released the key or took it over meanwhile; try again.
    Released,
    /// The same request changed something, but its response was lost.
    Applied {
        /// The record that it changed, if it changed one.
        changed: Option<String>,
    },
    /// The same request was answered; contains the sealed response.
    Answered(Vec<u8>),
    /// The key was used with another body or query.
    Mismatch,
}

struct StoredKey {
    run: uuid::Uuid,
    body_hash: Vec<u8>,
    state: String,
    sealed: Option<Vec<u8>>,
    claimed_until: Timestamp,
    node: Option<NodeId>,
    /// Whether its node is there; also true for a process that is not registered.
    is_alive: bool,
    changed: Option<String>,
}

/// The times that decide the outcome of a claim.
#[derive(Clone, Copy, Debug)]
pub struct ClaimTimes {
    /// Now.
    pub now: Timestamp,
    /// When this claim expires.
    pub until: Timestamp,
    /// Keys created before this time are deleted.
    pub forget_before: Timestamp,
}

/// Claims a key for this run, or returns the key's state.
pub fn claim(
    tx: &mut Tx<'_>,
    claim: &Claim,
    body_hash: &[u8],
    times: ClaimTimes,
) -> Result<ClaimOutcome> {
    let (ClaimTimes { now, until, forget_before }, node) = (times, tx.node());
    tx.send(
        sql!(
            "DELETE FROM idempotency_keys
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND created_at <= $5"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), forget_before],
    )?;
    let made = tx.execute(
        sql!(
            "INSERT INTO idempotency_keys (caller, method, path, key, claim, body_hash, state,
               claimed_until, created_at, node_id)
             VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9)
             ON CONFLICT (caller, method, path, key) DO NOTHING"
        ),
        params![
            claim.caller,
            claim.method,
            claim.path,
            claim.key.as_str(),
            claim.run,
            body_hash,
            until,
            now,
            node,
        ],
    )?;
    if made == 1 {
        return Ok(ClaimOutcome::Claimed);
    }
    let Some(kept) = find(tx, claim)? else { return Ok(ClaimOutcome::Released) };
    if kept.body_hash != body_hash {
        return Ok(ClaimOutcome::Mismatch);
    }
    let under_way = kept.claimed_until > now && kept.is_alive;
    match (kept.state.as_str(), kept.sealed) {
        ("answered", Some(sealed)) => Ok(ClaimOutcome::Answered(sealed)),
        ("running", _) if !under_way => take_over(tx, claim, kept.run, until),
        ("applied", _) if !under_way => Ok(ClaimOutcome::Applied { changed: kept.changed }),
        _ => Ok(ClaimOutcome::Running { here: kept.node == node }),
    }
}

fn find(tx: &mut Tx<'_>, claim: &Claim) -> Result<Option<StoredKey>> {
    tx.find(
        sql!(
            "SELECT claim, body_hash, state, sealed_answer, claimed_until, node_id,
               node_id IS NULL OR EXISTS (
                 SELECT 1 FROM nodes n WHERE n.node_id = idempotency_keys.node_id) AS is_alive,
                 changed
             FROM idempotency_keys
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str()],
        |row| {
            Ok(StoredKey {
                run: row.get("claim")?,
                body_hash: row.get("body_hash")?,
                state: row.get("state")?,
                sealed: row.get("sealed_answer")?,
                claimed_until: row.get("claimed_until")?,
                node: row.get("node_id")?,
                is_alive: row.get("is_alive")?,
                changed: row.get("changed")?,
            })
        },
    )
}

fn take_over(
    tx: &mut Tx<'_>,
    claim: &Claim,
    from: uuid::Uuid,
    until: Timestamp,
) -> Result<ClaimOutcome> {
    let node = tx.node();
    let taken = tx.execute(
        sql!(
            "UPDATE idempotency_keys SET claim = $5, claimed_until = $6, node_id = $8
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4
               AND claim = $7 AND state = 'running'"
        ),
        params![
            claim.caller,
            claim.method,
            claim.path,
            claim.key.as_str(),
            claim.run,
            until,
            from,
            node,
        ],
    )?;
    // If another run was faster, the next look says where it runs.
    Ok(if taken == 1 { ClaimOutcome::Claimed } else { ClaimOutcome::Released })
}

/// Records, in the transaction of the change, that this run changed this record. False if another
/// run has taken over the key; then this run must change nothing.
pub fn mark_applied(tx: &mut Tx<'_>, claim: &Claim, changed: Option<&str>) -> Result<bool> {
    let marked = tx.execute(
        sql!(
            "UPDATE idempotency_keys SET state = 'applied', changed = $6
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
               AND state IN ('running', 'applied')"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run, changed],
    )?;
    Ok(marked == 1)
}

/// Extends a claim while its run continues.
pub fn renew(tx: &mut Tx<'_>, claim: &Claim, until: Timestamp) -> Result<()> {
    tx.send(
        sql!(
            "UPDATE idempotency_keys SET claimed_until = $6
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
               AND state IN ('running', 'applied')"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run, until],
    )
}

/// Stores the response of this run.
pub fn answer(tx: &mut Tx<'_>, claim: &Claim, sealed: &[u8]) -> Result<()> {
    tx.send(
        sql!(
            "UPDATE idempotency_keys SET state = 'answered', sealed_answer = $6
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run, sealed],
    )
}

/// Ends this run without a response. The key is free, unless the run changed something: then
/// whoever repeats the request is told so.
pub fn release(tx: &mut Tx<'_>, claim: &Claim) -> Result<()> {
    let released = tx.execute(
        sql!(
            "DELETE FROM idempotency_keys
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
               AND state = 'running'"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run],
    )?;
    if released == 0 {
        tx.execute(
            sql!(
                "UPDATE idempotency_keys SET claimed_until = 0
                 WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
                   AND state = 'applied'"
            ),
            params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run],
        )?;
    }
    Ok(())
}

/// Deletes old keys, a limited number at a time.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM idempotency_keys WHERE (caller, method, path, key) IN (
               SELECT caller, method, path, key FROM idempotency_keys WHERE created_at <= $1
               ORDER BY created_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}
