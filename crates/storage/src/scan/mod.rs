//! Scans of pods: which pod is due, which run has it, and what each run did. While a pod is scanned, its
//! `due_at` is the lease and its `run_id` the owner, so that a late worker cannot change a later
//! run.

mod host;
mod image;
mod item;
mod target;

use grantor_domain::Timestamp;
use grantor_domain::id::{PlatformId, PodId, RunId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::platform::Platform;
use grantor_domain::scan::{KEPT_RUNS, PodRun, RunCounts, RunOutcome};

pub use self::host::{
    claim as claim_host, delete_idle as delete_idle_hosts, release as release_host,
};
pub(crate) use self::host::{release_all as release_hosts, renew as renew_hosts};
pub use self::image::{
    ScannedImage, delete as delete_images, find as find_image, put as put_image,
};
pub use self::item::{
    Known, Scanned, delete_cursors, delete_items, find_cursor, find_item, last_change, put_cursor,
    put_item,
};
pub use self::target::TargetId;
use crate::pod::ListedPod;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column, platform, pod};

/// A pod claimed for scanning.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The run.
    pub run: RunId,
    /// The pod's state when it was claimed.
    pub state: ScanState,
    /// The platform.
    pub platform: Platform,
}

/// A pod with everything that decides whether it may scan.
#[derive(Clone, Debug)]
pub struct ScanState {
    /// The pod.
    pub pod: ListedPod,
    /// Whether its organization is suspended.
    pub suspended: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The outcome.
    pub outcome: RunOutcome,
    /// The reason, if there is one to report.
    pub reason: Option<String>,
    /// When the pod is due again, if it still runs.
    pub due_at: Timestamp,
}

/// When the next pod is due, in the past or the future.
pub fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    tx.find(
        sql!("SELECT due_at FROM pods WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1"),
        params![],
        only_column,
    )
}

/// Claims the pod that has been due longest for a run, with a lease until `until`. An earlier run
/// that never ended is marked as interrupted.
pub fn claim(
    tx: &mut Tx<'_>,
    run: RunId,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Claimed>> {
    let node = tx.node();
    let claimed: Option<PodId> = tx.find(
        sql!(
            "UPDATE pods SET due_at = $2, run_id = $3, node_id = $4 WHERE pod_id IN (
               SELECT pod_id FROM pods WHERE due_at IS NOT NULL AND due_at <= $1
               ORDER BY due_at LIMIT 1 /*skip locked*/)
             RETURNING pod_id"
        ),
        params![now, until, run, node],
        only_column,
    )?;
    let Some(id) = claimed else { return Ok(None) };
    let Some(state) = find_state(tx, id, run)? else { return Ok(None) };
    let platform = platform::find_anywhere(tx, state.pod.pod.platform)?;
    let Some(platform) = platform else { return Ok(None) };
    tx.execute(
        sql!(
            "UPDATE pod_runs SET ended_at = $2, outcome = 'interrupted', reason = $3
             WHERE pod_id = $1 AND ended_at IS NULL"
        ),
        params![id, now, "the worker stopped unexpectedly"],
    )?;
    insert(tx, run, id, now)?;
    Ok(Some(Claimed { run, state, platform }))
}

fn insert(tx: &mut Tx<'_>, run: RunId, pod: PodId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO pod_runs (run_id, pod_id, started_at, request_count, error_count,
               item_count, new_item_count, mention_count)
             VALUES ($1, $2, $3, 0, 0, 0, 0, 0)"
        ),
        params![run, pod, now],
    )?;
    tx.execute(
        sql!(
            "DELETE FROM pod_runs WHERE pod_id = $1 AND run_id NOT IN (
               SELECT run_id FROM pod_runs WHERE pod_id = $1
               ORDER BY started_at DESC, run_id DESC LIMIT $2)"
        ),
        params![pod, KEPT_RUNS],
    )?;
    Ok(())
}

/// Returns a pod's state while a run has it; `None` once another run does.
pub fn find_state(tx: &mut Tx<'_>, pod: PodId, run: RunId) -> Result<Option<ScanState>> {
    let status: Option<String> = tx.find(
        sql!(
            "SELECT t.status FROM pods d JOIN platforms p ON p.platform_id = d.platform_id
             JOIN tenants t ON t.tenant_id = p.tenant_id
             WHERE d.pod_id = $1 AND d.run_id = $2"
        ),
        params![pod, run],
        only_column,
    )?;
    let Some(status) = status else { return Ok(None) };
    let suspended = status != OrganizationStatus::Active.name();
    Ok(pod::find(tx, pod)?.map(|pod| ScanState { pod, suspended }))
}

/// Extends a run's leases of its pod and hosts.
pub fn renew(tx: &mut Tx<'_>, pod: PodId, run: RunId, until: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pods SET due_at = $3 WHERE pod_id = $1 AND run_id = $2 AND due_at IS NOT NULL"
        ),
        params![pod, run, until],
    )?;
    host::renew(tx, run, until)
}

/// Adds new counts to a run, its pod and its platform.
pub fn count(tx: &mut Tx<'_>, claimed: &Claimed, counts: RunCounts) -> Result<()> {
    let RunCounts { requests, errors, items, new_items, mentions } = counts;
    tx.execute(
        sql!(
            "UPDATE pod_runs SET request_count = request_count + $2, error_count = error_count + $3,
               item_count = item_count + $4, new_item_count = new_item_count + $5,
               mention_count = mention_count + $6
             WHERE run_id = $1"
        ),
        params![claimed.run, requests, errors, items, new_items, mentions],
    )?;
    tx.execute(
        sql!(
            "UPDATE pods SET request_count = request_count + $2, error_count = error_count + $3
             WHERE pod_id = $1"
        ),
        params![claimed.state.pod.pod.id, requests, errors],
    )?;
    tx.execute(
        sql!("UPDATE platforms SET content_scanned = content_scanned + $2 WHERE platform_id = $1"),
        params![claimed.platform.id, new_items],
    )?;
    Ok(())
}

/// Ends a run. The pod is due again at `due_at`, unless staff moved it or another run has it.
pub fn finish(tx: &mut Tx<'_>, claimed: &Claimed, ended: &Ended, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pod_runs SET ended_at = $2, outcome = $3, reason = $4
             WHERE run_id = $1 AND ended_at IS NULL"
        ),
        params![claimed.run, now, ended.outcome.name(), ended.reason.as_deref()],
    )?;
    tx.execute(
        sql!(
            "UPDATE pods SET run_id = NULL, node_id = NULL,
               due_at = CASE WHEN due_at IS NULL THEN NULL ELSE CAST($3 AS bigint) END
             WHERE pod_id = $1 AND run_id = $2"
        ),
        params![claimed.state.pod.pod.id, claimed.run, ended.due_at],
    )?;
    if matches!(ended.outcome, RunOutcome::Ok | RunOutcome::Partial) {
        note_scan(tx, claimed.platform.id, now)?;
    }
    host::release_all(tx, claimed.run)
}

/// Mentions are counted when they are recorded, so an interrupted run counts none twice.
fn note_scan(tx: &mut Tx<'_>, platform: PlatformId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE platforms SET last_scan_at = $2, nil_detections =
               (SELECT count(*) FROM mentions m WHERE m.platform_id = platforms.platform_id)
             WHERE platform_id = $1"
        ),
        params![platform, now],
    )?;
    Ok(())
}

/// The last runs of a pod, newest first.
pub fn list(tx: &mut Tx<'_>, pod: PodId, at_most: u32) -> Result<Vec<PodRun>> {
    tx.query(
        sql!(
            "SELECT run_id, pod_id, started_at, ended_at, outcome, reason, request_count,
               error_count, item_count, new_item_count, mention_count
             FROM pod_runs WHERE pod_id = $1 ORDER BY started_at DESC, run_id DESC LIMIT $2"
        ),
        params![pod, at_most],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<PodRun> {
    let outcome: Option<String> = row.get("outcome")?;
    Ok(PodRun {
        id: row.get("run_id")?,
        pod: row.get("pod_id")?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
        outcome: outcome.map(|it| it.parse().map_err(Error::Fault)).transpose()?,
        reason: row.get("reason")?,
        counts: RunCounts {
            requests: row.get("request_count")?,
            errors: row.get("error_count")?,
            items: row.get("item_count")?,
            new_items: row.get("new_item_count")?,
            mentions: row.get("mention_count")?,
        },
    })
}
