//! Pods: the workers that scan platforms. Pods of deleted platforms are not returned.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::id::{PlatformId, PodId, TenantId};
use grantor_domain::platform::PlatformStatus;
use grantor_domain::pod::{Pod, PodAction, PodStatus};

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// The constraint violated if a platform already has a pod.
pub const PLATFORM_HAS_POD: &str = "pods_platform_id";

/// A pod with details of its platform, for staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPod {
    /// The pod.
    pub pod: Pod,
    /// The platform's tenant.
    pub tenant: TenantId,
    /// The platform's name.
    pub platform_name: String,
    /// Whether the platform's domain is verified.
    pub verified: bool,
    /// Whether the platform may be scanned.
    pub crawling_enabled: bool,
    /// Whether the platform has feeds, without which there is nothing to scan.
    pub has_feeds: bool,
}

/// Inserts a pod.
pub fn insert(tx: &mut Tx<'_>, pod: &Pod) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO pods (pod_id, platform_id, scopes, status, due_at, last_started_at, uptime,
               request_count, error_count, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)"
        ),
        params![
            pod.id,
            pod.platform,
            pod.scopes.to_string(),
            pod.status.name(),
            pod.due_at,
            pod.last_started_at,
            micros(pod.uptime),
            pod.request_count,
            pod.error_count,
            pod.created_at,
        ],
    )?;
    Ok(())
}

/// Updates a pod's state; the scan counters stay unchanged.
pub fn update(tx: &mut Tx<'_>, pod: &Pod, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pods SET status = $2, due_at = $3, last_started_at = $4, uptime = $5,
               updated_at = $6
             WHERE pod_id = $1"
        ),
        params![
            pod.id,
            pod.status.name(),
            pod.due_at,
            pod.last_started_at,
            micros(pod.uptime),
            now,
        ],
    )?;
    Ok(())
}

/// Returns the pod with this id.
pub fn find(tx: &mut Tx<'_>, id: PodId) -> Result<Option<ListedPod>> {
    Ok(select(tx, 0, params![id])?.pop())
}

/// Like [`find`], and locks the pod until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: PodId) -> Result<Option<ListedPod>> {
    tx.lock(sql!("SELECT 1 FROM pods WHERE pod_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Returns the pod of a platform.
pub fn find_of(tx: &mut Tx<'_>, platform: PlatformId) -> Result<Option<ListedPod>> {
    Ok(select(tx, 1, params![platform])?.pop())
}

/// Like [`find_of`], and locks the pod until the unit of work ends.
pub fn claim_of(tx: &mut Tx<'_>, platform: PlatformId) -> Result<Option<ListedPod>> {
    tx.lock(sql!("SELECT 1 FROM pods WHERE platform_id = $1 /*for update*/"), params![platform])?;
    find_of(tx, platform)
}

/// Makes a platform's pod due now, if it runs and is not scanning, because the platform has
/// changed.
pub fn make_due(tx: &mut Tx<'_>, platform: PlatformId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pods SET due_at = $2
             WHERE platform_id = $1 AND run_id IS NULL AND due_at IS NOT NULL AND due_at > $2"
        ),
        params![platform, now],
    )?;
    Ok(())
}

/// Makes every pod due now that runs and is not scanning, because there is something new to look
/// for. A pod that started to scan after `recent` is due at `later`, and pods that are due before
/// `later` anyway or that another unit of work has locked stay as they are.
pub fn make_all_due(
    tx: &mut Tx<'_>,
    now: Timestamp,
    (recent, later): (Timestamp, Timestamp),
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pods SET due_at = CASE WHEN EXISTS (
                 SELECT 1 FROM pod_runs r WHERE r.pod_id = pods.pod_id AND r.started_at > $2)
               THEN CAST($3 AS bigint) ELSE CAST($1 AS bigint) END
             WHERE pod_id IN (
               SELECT pod_id FROM pods
               WHERE due_at IS NOT NULL AND due_at > $3 AND run_id IS NULL
               ORDER BY pod_id /*skip locked*/)"
        ),
        params![now, recent, later],
    )?;
    Ok(())
}

/// Lists every pod, newest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<ListedPod>> {
    select(tx, 2, params![])
}

/// Counts the pods, without those of deleted platforms.
pub fn count(tx: &mut Tx<'_>) -> Result<u64> {
    let count = tx.find(
        sql!(
            "SELECT count(*) FROM pods d JOIN platforms p ON p.platform_id = d.platform_id
             WHERE p.deleted_at IS NULL"
        ),
        params![],
        only_column::<i64>,
    )?;
    Ok(count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Applies a move to every pod that it changes, like `Pod::make` does to one, and returns their
/// number.
pub fn move_all(tx: &mut Tx<'_>, moved: PodAction, now: Timestamp) -> Result<u64> {
    let (to, from) = moved.changes();
    let from = |at: usize| from.get(at).copied().map(PodStatus::name);
    tx.execute(
        sql!(
            "UPDATE pods SET status = $1, updated_at = $4,
               uptime = uptime + CASE WHEN status = 'running' AND last_started_at < $4
                 THEN $4 - last_started_at ELSE 0 END,
               due_at = CASE WHEN CAST($1 AS text) = 'running' THEN $4 ELSE NULL END,
               last_started_at = CASE WHEN CAST($1 AS text) = 'running' THEN $4
                 ELSE last_started_at END
             WHERE (status = $2 OR status = $3)
               AND platform_id IN (SELECT platform_id FROM platforms WHERE deleted_at IS NULL)"
        ),
        params![to.name(), from(0), from(1), now],
    )
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<ListedPod>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT d.pod_id, d.platform_id, d.scopes, d.status, d.due_at, d.last_started_at,
               d.uptime, d.request_count, d.error_count, d.created_at, p.tenant_id, p.name,
               p.status AS platform_status, p.crawling_enabled, p.feed_urls <> '[]' AS has_feeds
             FROM pods d JOIN platforms p ON p.platform_id = d.platform_id
             WHERE p.deleted_at IS NULL",
            [
                " AND d.pod_id = $1",
                " AND d.platform_id = $1",
                " ORDER BY d.created_at DESC, d.pod_id DESC"
            ],
            ""
        ),
        key,
        read,
    )
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn read(row: &Row<'_>) -> Result<ListedPod> {
    let status = row.get::<String>("status")?.parse::<PodStatus>().map_err(Error::Fault)?;
    let uptime = u64::try_from(row.get::<i64>("uptime")?).unwrap_or(0);
    let pod = Pod {
        id: row.get("pod_id")?,
        platform: row.get("platform_id")?,
        scopes: row.get::<String>("scopes")?.parse().map_err(Error::Fault)?,
        status,
        due_at: row.get("due_at")?,
        last_started_at: row.get("last_started_at")?,
        uptime: Duration::from_micros(uptime),
        request_count: row.get("request_count")?,
        error_count: row.get("error_count")?,
        created_at: row.get("created_at")?,
    };
    let verified = row.get::<String>("platform_status")? == PlatformStatus::Verified.name();
    Ok(ListedPod {
        pod,
        tenant: row.get("tenant_id")?,
        platform_name: row.get("name")?,
        verified,
        crawling_enabled: row.get("crawling_enabled")?,
        has_feeds: row.get("has_feeds")?,
    })
}
