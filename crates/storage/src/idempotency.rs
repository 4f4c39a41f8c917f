//! Idempotency keys and the responses stored for them.

use grantor_domain::Timestamp;
use grantor_domain::idempotency::Claim;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// The outcome of claiming a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The key was free; this run may proceed.
    Claimed,
    /// Another run of the same request is in progress.
    Running,
    /// The same request changed something, but its response was lost.
    Applied,
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
    /// Claims that would have expired before this time belong to a process that no longer runs.
    pub dead_before: Timestamp,
}

/// Claims a key for this run, or returns the key's state.
pub fn claim(
    tx: &mut Tx<'_>,
    claim: &Claim,
    body_hash: &[u8],
    times: ClaimTimes,
) -> Result<ClaimOutcome> {
    let ClaimTimes { now, until, forget_before, dead_before } = times;
    tx.execute(
        sql!(
            "DELETE FROM idempotency_keys
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND created_at <= $5"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), forget_before],
    )?;
    let made = tx.execute(
        sql!(
            "INSERT INTO idempotency_keys (caller, method, path, key, claim, body_hash, state,
               claimed_until, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $8)
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
        ],
    )?;
    if made == 1 {
        return Ok(ClaimOutcome::Claimed);
    }
    // The row may be gone again by now, because its run released the key.
    let Some(kept) = find(tx, claim)? else { return Ok(ClaimOutcome::Running) };
    if kept.body_hash != body_hash {
        return Ok(ClaimOutcome::Mismatch);
    }
    let under_way = kept.claimed_until > now && kept.claimed_until >= dead_before;
    match (kept.state.as_str(), kept.sealed) {
        ("answered", Some(sealed)) => Ok(ClaimOutcome::Answered(sealed)),
        ("running", _) if !under_way => take_over(tx, claim, kept.run, until),
        ("applied", _) if !under_way => Ok(ClaimOutcome::Applied),
        _ => Ok(ClaimOutcome::Running),
    }
}

fn find(tx: &mut Tx<'_>, claim: &Claim) -> Result<Option<StoredKey>> {
    tx.find(
        sql!(
            "SELECT claim, body_hash, state, sealed_answer, claimed_until FROM idempotency_keys
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str()],
        |row| {
            Ok(StoredKey {
                run: row.get(0)?,
                body_hash: row.get(1)?,
                state: row.get(2)?,
                sealed: row.get(3)?,
                claimed_until: row.get(4)?,
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
    let taken =
        tx.execute(
            sql!(
                "UPDATE idempotency_keys SET claim = $5, claimed_until = $6
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
            ],
        )?;
    Ok(if taken == 1 { ClaimOutcome::Claimed } else { ClaimOutcome::Running })
}

/// Records, in the transaction of the change, that this run changed something. False if another run
/// has taken over the key; then this run must change nothing.
pub fn mark_applied(tx: &mut Tx<'_>, claim: &Claim) -> Result<bool> {
    let marked = tx.execute(
        sql!(
            "UPDATE idempotency_keys SET state = 'applied'
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
               AND state IN ('running', 'applied')"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run],
    )?;
    Ok(marked == 1)
}

/// Extends a claim while its run continues.
pub fn renew(tx: &mut Tx<'_>, claim: &Claim, until: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE idempotency_keys SET claimed_until = $6
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
               AND state IN ('running', 'applied')"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run, until],
    )?;
    Ok(())
}

/// Stores the response of this run.
pub fn answer(tx: &mut Tx<'_>, claim: &Claim, sealed: &[u8]) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE idempotency_keys SET state = 'answered', sealed_answer = $6
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run, sealed],
    )?;
    Ok(())
}

/// Releases the key unless this run changed something.
pub fn release(tx: &mut Tx<'_>, claim: &Claim) -> Result<()> {
    tx.execute(
        sql!(
            "DELETE FROM idempotency_keys
             WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND claim = $5
               AND state = 'running'"
        ),
        params![claim.caller, claim.method, claim.path, claim.key.as_str(), claim.run],
    )?;
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
