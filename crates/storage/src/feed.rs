//! Feeds: the addresses that are fetched for sources, and when each is due.

mod found;
mod run;
mod share;

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, TenantId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{Feed, HostedService};

pub use self::found::{find_read, last_read, put_found};
pub(crate) use self::run::read as read_run;
pub use self::run::{
    ClaimedFeed, EndedFeed, claim, count, find_state, finish, put_back, renew, start,
};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// Which sources of a feed are scanned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedState {
    /// The shortest frequency among its active sources; `None` if there are none.
    pub frequency: Option<DetectionFrequency>,
    /// Whether there are running sources of suspended tenants.
    pub suspended: bool,
}

/// Inserts a feed, or returns the one that has its address already. A feed that nobody watched any
/// more is kept.
pub fn put(tx: &mut Tx<'_>, feed: &Feed) -> Result<Feed> {
    tx.execute(
        sql!(
            "INSERT INTO watched_feeds (feed_id, url, kind, service, profile, title, push_only, due_at,
               fetch_wanted, failures, changed_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, FALSE, 0, $8, $8)
             ON CONFLICT (url) DO UPDATE SET kind = $3, service = $4, profile = $5, title = $6,
               push_only = $7, changed_at = $8, unwatched_at = NULL"
        ),
        params![
            feed.id,
            feed.url,
            feed.kind.name(),
            feed.service.map(HostedService::name),
            feed.profile,
            feed.title,
            feed.push_only,
            feed.created_at,
        ],
    )?;
    let kept = find_at(tx, &feed.url)?;
    kept.ok_or_else(|| Error::Fault("the feed that was just stored is missing".to_owned()))
}

/// Returns the feed with this address.
pub fn find_at(tx: &mut Tx<'_>, url: &str) -> Result<Option<Feed>> {
    tx.find(
        sql!(
            "SELECT feed_id, url, kind, service, profile, title, push_only, due_at, last_scan_at,
               failing_since, failures, created_at
             FROM watched_feeds WHERE url = $1"
        ),
        params![url],
        read_feed,
    )
}

/// Returns the feed with this id.
pub fn find(tx: &mut Tx<'_>, id: FeedId) -> Result<Option<Feed>> {
    tx.find(
        sql!(
            "SELECT feed_id, url, kind, service, profile, title, push_only, due_at, last_scan_at,
               failing_since, failures, created_at
             FROM watched_feeds WHERE feed_id = $1"
        ),
        params![id],
        read_feed,
    )
}

/// When the next feed is due, in the past or the future.
pub fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    tx.find(
        sql!("SELECT due_at FROM watched_feeds WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1"),
        params![],
        only_column,
    )
}

/// Which sources of a feed are scanned now.
pub fn state(tx: &mut Tx<'_>, id: FeedId) -> Result<FeedState> {
    let found: Vec<(String, String)> = tx.query(
        sql!(
            "SELECT DISTINCT s.frequency, t.status
             FROM sources s JOIN tenants t ON t.tenant_id = s.tenant_id
             WHERE s.feed_id = $1 AND s.status = 'running' AND s.stopped_at IS NULL"
        ),
        params![id],
        |row| Ok((row.get("frequency")?, row.get("status")?)),
    )?;
    let is_active = |it: &&(String, String)| it.1 == OrganizationStatus::Active.name();
    let active = found.iter().filter(is_active).map(|it| it.0.parse::<DetectionFrequency>());
    let active = active.collect::<Result<Vec<_>, _>>().map_err(Error::Fault)?;
    let frequency = active.into_iter().min_by_key(|it| it.period());
    Ok(FeedState { frequency, suspended: !found.iter().all(|it| is_active(&it)) })
}

/// Makes a feed due now, because somebody asked for a scan (`fetch`) or a hub pushed it. A run in
/// progress is followed by another.
pub fn make_due(tx: &mut Tx<'_>, id: FeedId, now: Timestamp, fetch: bool) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET again_at = $2,
               fetch_wanted = CASE WHEN $3 THEN TRUE ELSE fetch_wanted END,
               due_at = CASE WHEN run_id IS NULL THEN $2 ELSE due_at END
             WHERE feed_id = $1"
        ),
        params![id, now, fetch],
    )?;
    Ok(())
}

/// Makes a feed due at this time at the latest. A run in progress schedules the feed itself.
pub fn make_due_by(tx: &mut Tx<'_>, id: FeedId, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET due_at = $2
             WHERE feed_id = $1 AND run_id IS NULL AND (due_at IS NULL OR due_at > $2)"
        ),
        params![id, at],
    )?;
    Ok(())
}

/// Whether an active source of a feed was created after this time.
pub fn has_source_since(tx: &mut Tx<'_>, id: FeedId, at: Timestamp) -> Result<bool> {
    let found = tx.find(
        sql!(
            "SELECT 1 FROM sources WHERE feed_id = $1 AND created_at > $2 AND status = 'running'
               AND stopped_at IS NULL LIMIT 1"
        ),
        params![id, at],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Makes the feeds due now that a tenant's active sources watch, because there is something new to
/// look for. A feed that was fetched after `recent` is due at `later`, and feeds that are due before
/// `later` anyway or that another unit of work has locked stay as they are. The scans are for the
/// tenant's own sources.
pub fn make_due_for(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    now: Timestamp,
    (recent, later): (Timestamp, Timestamp),
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE sources SET scan_wanted = TRUE WHERE source_id IN (
               SELECT source_id FROM sources
               WHERE tenant_id = $1 AND status = 'running' AND stopped_at IS NULL
                 AND NOT scan_wanted
               ORDER BY source_id /*skip locked*/)"
        ),
        params![tenant],
    )?;
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET due_at = CASE WHEN fetched_at > $3 THEN CAST($4 AS bigint)
               ELSE CAST($2 AS bigint) END
             WHERE feed_id IN (
               SELECT feed_id FROM watched_feeds
               WHERE feed_id IN (
                   SELECT feed_id FROM sources
                   WHERE tenant_id = $1 AND status = 'running' AND stopped_at IS NULL)
                 AND due_at IS NOT NULL AND due_at > $4 AND run_id IS NULL AND NOT push_only
               ORDER BY feed_id /*skip locked*/)"
        ),
        params![tenant, now, recent, later],
    )?;
    Ok(())
}

/// Lets up to `at_most` feeds of a service be fetched that only hubs pushed so far, because there
/// is now a key for the service's API, and returns their number. Those that are watched are due at
/// `due_at`.
pub fn clear_push_only(
    tx: &mut Tx<'_>,
    service: HostedService,
    due_at: Timestamp,
    at_most: u32,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET push_only = FALSE, regular_at = NULL,
               due_at = CASE WHEN run_id IS NULL AND EXISTS (
                 SELECT 1 FROM sources s WHERE s.feed_id = watched_feeds.feed_id
                   AND s.status = 'running' AND s.stopped_at IS NULL)
               THEN CAST($2 AS bigint) ELSE due_at END
             WHERE feed_id IN (
               SELECT feed_id FROM watched_feeds WHERE push_only AND service = $1
               ORDER BY feed_id LIMIT $3 /*skip locked*/)"
        ),
        params![service.name(), due_at, at_most],
    )
}

/// Records that known content has to be read again, because the sources that watch a feed changed.
pub fn note_change(tx: &mut Tx<'_>, id: FeedId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE watched_feeds SET changed_at = $2 WHERE feed_id = $1"),
        params![id, now],
    )?;
    Ok(())
}

/// Schedules a feed after its sources changed: not at all if none is active, at once if it was not
/// scheduled, and earlier if a source now asks for it more often. A run in progress does so itself.
pub fn reschedule(tx: &mut Tx<'_>, id: FeedId, now: Timestamp) -> Result<()> {
    let FeedState { frequency, suspended } = state(tx, id)?;
    if frequency.is_none() && !suspended {
        tx.execute(
            sql!(
                "UPDATE watched_feeds SET due_at = NULL, regular_at = NULL
                 WHERE feed_id = $1 AND run_id IS NULL"
            ),
            params![id],
        )?;
        return Ok(());
    }
    let latest = now.plus(frequency.unwrap_or_default().period());
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET due_at = CASE
               WHEN push_only THEN due_at
               WHEN due_at IS NULL THEN $2
               WHEN due_at > $3 THEN $3
               ELSE due_at END,
               regular_at = CASE WHEN regular_at > $3 THEN $3 ELSE regular_at END
             WHERE feed_id = $1 AND run_id IS NULL"
        ),
        params![id, now, latest],
    )?;
    Ok(())
}

/// Records that nobody watches a feed any more, if so.
pub(crate) fn note_unwatched(tx: &mut Tx<'_>, id: FeedId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET unwatched_at = $2 WHERE feed_id = $1
               AND NOT EXISTS (SELECT 1 FROM sources s WHERE s.feed_id = $1)"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// Deletes feeds that nobody has watched since this time, with their runs.
pub fn delete_unwatched(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM watched_feeds WHERE feed_id IN (
               SELECT feed_id FROM watched_feeds
               WHERE unwatched_at IS NOT NULL AND unwatched_at < $1 AND run_id IS NULL LIMIT $2)"
        ),
        params![before, at_most],
    )
}

/// When anything last changed that affects what is found in a feed: its sources, or the licenses,
/// talents or grants of the tenants that watch it.
pub fn last_change(tx: &mut Tx<'_>, id: FeedId) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "SELECT max(at) FROM (
               SELECT changed_at AS at FROM watched_feeds WHERE feed_id = $1
               UNION ALL SELECT (SELECT max(l.updated_at) FROM licenses l
                 WHERE l.tenant_id = s.tenant_id) FROM sources s WHERE s.feed_id = $1
               UNION ALL SELECT (SELECT max(t.updated_at) FROM talents t
                 WHERE t.tenant_id = s.tenant_id) FROM sources s WHERE s.feed_id = $1
               UNION ALL SELECT (SELECT g.created_at FROM grants g
                 WHERE g.licensor_id = s.tenant_id ORDER BY g.grant_id DESC LIMIT 1)
                 FROM sources s WHERE s.feed_id = $1) changes"
        ),
        params![id],
        only_column,
    )
    .map(Option::flatten)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid feed: {what}"))
}

pub(crate) fn read_feed(row: &Row<'_>) -> Result<Feed> {
    let service: Option<String> = row.get("service")?;
    Ok(Feed {
        id: row.get("feed_id")?,
        url: row.get("url")?,
        kind: row.get::<String>("kind")?.parse().map_err(fault)?,
        service: service.map(|it| it.parse().map_err(fault)).transpose()?,
        profile: row.get("profile")?,
        title: row.get("title")?,
        push_only: row.get("push_only")?,
        due_at: row.get("due_at")?,
        last_scan_at: row.get("last_scan_at")?,
        failing_since: row.get("failing_since")?,
        failures: row.get("failures")?,
        created_at: row.get("created_at")?,
    })
}
