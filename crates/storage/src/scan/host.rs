//! Hosts that pods and feeds are fetched from: one run at a time across all nodes.

use grantor_domain::Timestamp;
use grantor_domain::id::RunId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Leases a host to a run. Returns the earliest time of the next request, or `None` if another run
/// has the host.
pub fn claim(
    tx: &mut Tx<'_>,
    host: &str,
    run: RunId,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Timestamp>> {
    let node = tx.node();
    tx.find(
        sql!(
            "INSERT INTO scan_hosts (host, run_id, held_until, next_at, node_id)
             VALUES ($1, $2, $4, $3, $5)
             ON CONFLICT (host) DO UPDATE SET run_id = $2, held_until = $4, node_id = $5
               WHERE scan_hosts.run_id IS NULL OR scan_hosts.run_id = $2
                 OR scan_hosts.held_until <= $3
             RETURNING next_at"
        ),
        params![host, run, now, until, node],
        only_column,
    )
}

/// Releases a host; no request is made before `next_at`.
pub fn release(tx: &mut Tx<'_>, host: &str, run: RunId, next_at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE scan_hosts SET run_id = NULL, node_id = NULL, next_at = $3
             WHERE host = $1 AND run_id = $2"
        ),
        params![host, run, next_at],
    )?;
    Ok(())
}

/// Releases all hosts of a run.
pub(crate) fn release_all(tx: &mut Tx<'_>, run: RunId) -> Result<()> {
    tx.execute(
        sql!("UPDATE scan_hosts SET run_id = NULL, node_id = NULL WHERE run_id = $1"),
        params![run],
    )?;
    Ok(())
}

/// Extends a run's leases of its hosts.
pub(crate) fn renew(tx: &mut Tx<'_>, run: RunId, until: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE scan_hosts SET held_until = $2 WHERE run_id = $1"),
        params![run, until],
    )?;
    Ok(())
}

/// Deletes hosts that have not been used since this time, a limited number at a time.
pub fn delete_idle(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM scan_hosts WHERE host IN (
               SELECT host FROM scan_hosts
               WHERE next_at < $1 AND held_until < $1 LIMIT $2)"
        ),
        params![before, at_most],
    )
}
