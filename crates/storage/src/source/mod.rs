//! Sources: the addresses that tenants watch. Each source watches one feed, which it may share with
//! sources of other tenants.

mod list;
mod run;
mod watch;

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, RunId, SourceId, TalentId, TenantId};
use grantor_domain::source::{Feed, FeedRun, Source, SourceName, WatchedTalents};
use grantor_domain::usage::LimitedResource;
use grantor_domain::websub::KnownHub;

pub use self::list::{StaffSource, list, list_all};
pub use self::run::{count_found, runs, want_scan};
pub use self::watch::{
    SourceRef, claim_watching, count_mention, detach_mentions, find_watching, is_watched,
    list_failing, note_failing,
};
use crate::feed::{self, read_feed, read_run};
use crate::record_index::{self, RecordKind};
use crate::statement::{sql, sql_choice};
use crate::value::{Value, padded, params};
use crate::{Error, Result, Row, Tx, only_column, usage};

/// The constraint violated if the tenant already watches the feed.
pub const FEED_IS_WATCHED: &str = "sources_watched";

/// How many talents one statement inserts, or sources it looks up.
const AT_ONCE: usize = 10;

/// A source with its feed and its last run, without what happened for other tenants that watch the
/// feed, or have watched it before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSource {
    /// The source.
    pub source: Source,
    /// The feed it watches.
    pub feed: Feed,
    /// The last run that was for the source, ended or not, with the mentions that it found.
    pub last_run: Option<FeedRun>,
    /// The feed's subscription to its hub.
    pub hub: Option<KnownHub>,
    /// The number of mentions that the source found first.
    pub mention_count: u64,
}

/// Inserts a source.
pub fn insert(tx: &mut Tx<'_>, source: &Source) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO sources (source_id, tenant_id, feed_id, url, name, frequency, status,
               stopped_at, all_talents, asked_at, mention_count, created_by, created_at, updated_at,
               version, scan_wanted)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12, $13, $14, TRUE)"
        ),
        params![
            source.id,
            source.tenant,
            source.feed,
            source.url,
            source.name.as_str(),
            source.frequency.name(),
            source.status.name(),
            source.stopped,
            source.talents.is_all(),
            source.asked_at,
            source.created_by,
            source.created_at,
            source.updated_at,
            source.version,
        ],
    )?;
    put_talents(tx, source)?;
    record_index::mark(tx, RecordKind::Source, source.id.as_uuid())?;
    usage::add(tx, source.tenant, LimitedResource::Sources, 1)
}

/// Inserts a source that was deleted again, with the number of its mentions.
pub fn restore(tx: &mut Tx<'_>, source: &Source, mention_count: u64) -> Result<()> {
    insert(tx, source)?;
    let count = i64::try_from(mention_count).unwrap_or(i64::MAX);
    tx.execute(
        sql!("UPDATE sources SET mention_count = $2 WHERE source_id = $1"),
        params![source.id, count],
    )?;
    tx.execute(
        sql!("UPDATE watched_feeds SET unwatched_at = NULL WHERE feed_id = $1"),
        params![source.feed],
    )?;
    Ok(())
}

/// Updates what users and staff can change.
pub fn update(tx: &mut Tx<'_>, source: &Source) -> Result<()> {
    record_index::source_renamed(tx, source.id, source.name.as_str())?;
    tx.execute(
        sql!(
            "UPDATE sources SET name = $2, frequency = $3, status = $4, stopped_at = $5,
               all_talents = $6, asked_at = $7, updated_at = $8, version = $9,
               regular_at = CASE WHEN frequency = $3 THEN regular_at ELSE NULL END
             WHERE source_id = $1"
        ),
        params![
            source.id,
            source.name.as_str(),
            source.frequency.name(),
            source.status.name(),
            source.stopped,
            source.talents.is_all(),
            source.asked_at,
            source.updated_at,
            source.version,
        ],
    )?;
    record_index::mark(tx, RecordKind::Source, source.id.as_uuid())
}

/// Replaces the talents that a source is limited to.
pub fn replace_talents(tx: &mut Tx<'_>, source: &Source) -> Result<()> {
    tx.execute(sql!("DELETE FROM source_talents WHERE source_id = $1"), params![source.id])?;
    put_talents(tx, source)
}

fn put_talents(tx: &mut Tx<'_>, source: &Source) -> Result<()> {
    for chunk in source.talents.as_slice().chunks(AT_ONCE) {
        let talents = padded::<_, AT_ONCE>(chunk);
        let values: Vec<Value<'_>> = params![source.id].iter().chain(&talents).copied().collect();
        tx.execute(
            sql!(
                "INSERT INTO source_talents (source_id, talent_id)
                 SELECT s.source_id, t.talent_id FROM sources s, talents t
                 WHERE s.source_id = $1
                   AND t.talent_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
            ),
            &values,
        )?;
    }
    Ok(())
}

/// Deletes a source. Mentions must not refer to it any more: see [`detach_mentions`].
pub fn delete(tx: &mut Tx<'_>, source: &Source, now: Timestamp) -> Result<()> {
    tx.execute(sql!("DELETE FROM sources WHERE source_id = $1"), params![source.id])?;
    record_index::mark(tx, RecordKind::Source, source.id.as_uuid())?;
    feed::note_unwatched(tx, source.feed, now)?;
    usage::add(tx, source.tenant, LimitedResource::Sources, -1)
}

/// Returns a tenant's source.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: SourceId) -> Result<Option<ListedSource>> {
    Ok(find_anywhere(tx, id)?.filter(|it| it.source.tenant == tenant))
}

/// Returns a source of any tenant, for staff.
pub fn find_anywhere(tx: &mut Tx<'_>, id: SourceId) -> Result<Option<ListedSource>> {
    let found = select(tx, 0, params![id])?;
    Ok(with_talents(tx, found)?.pop())
}

/// Like [`find`], and locks the source until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: SourceId) -> Result<Option<ListedSource>> {
    Ok(claim_anywhere(tx, id)?.filter(|it| it.source.tenant == tenant))
}

/// Like [`find_anywhere`], and locks the source until the unit of work ends.
pub fn claim_anywhere(tx: &mut Tx<'_>, id: SourceId) -> Result<Option<ListedSource>> {
    tx.lock(sql!("SELECT 1 FROM sources WHERE source_id = $1 /*for update*/"), params![id])?;
    find_anywhere(tx, id)
}

/// Returns the sources with these ids, in any order.
pub(crate) fn load(tx: &mut Tx<'_>, ids: &[SourceId]) -> Result<Vec<ListedSource>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(select(tx, 6, &padded::<_, AT_ONCE>(chunk))?);
    }
    with_talents(tx, found)
}

/// Returns the tenant's source for an address: as it was pasted, or as its feed is fetched.
pub fn find_at(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    pasted: &str,
    feed: &str,
) -> Result<Option<SourceId>> {
    let own: Option<SourceId> = tx.find(
        sql!("SELECT source_id FROM sources WHERE tenant_id = $1 AND url = $2 LIMIT 1"),
        params![tenant, pasted],
        only_column,
    )?;
    if own.is_some() {
        return Ok(own);
    }
    match feed::find_at(tx, feed)? {
        Some(feed) => find_of_feed(tx, tenant, feed.id),
        None => Ok(None),
    }
}

/// Returns the tenant's source that watches a feed.
pub fn find_of_feed(tx: &mut Tx<'_>, tenant: TenantId, feed: FeedId) -> Result<Option<SourceId>> {
    tx.find(
        sql!("SELECT source_id FROM sources WHERE tenant_id = $1 AND feed_id = $2"),
        params![tenant, feed],
        only_column,
    )
}

/// Stops up to `at_most` sources that are not stopped yet, and returns the feeds they watch.
pub fn stop_some(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<FeedId>> {
    tx.query(
        sql!(
            "UPDATE sources SET stopped_at = $1, updated_at = $1, version = version + 1
             WHERE source_id IN (
               SELECT source_id FROM sources WHERE stopped_at IS NULL
               ORDER BY source_id LIMIT $2 /*skip locked*/)
             RETURNING feed_id"
        ),
        params![now, at_most],
        only_column,
    )
}

/// Selects sources: one, a page of a tenant's, or a page of all tenants', newest first.
fn select(tx: &mut Tx<'_>, by: usize, values: &[Value<'_>]) -> Result<Vec<ListedSource>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT s.source_id, s.tenant_id, s.url AS source_url, s.name, s.frequency,
               s.status AS source_status, s.stopped_at,
               s.all_talents, s.asked_at, s.mention_count AS source_mention_count, s.created_by,
               s.created_at AS source_created_at, s.updated_at,
               s.version, f.feed_id, f.url, f.kind, f.service, f.profile, f.title, f.push_only,
               f.due_at, f.last_scan_at, f.failing_since, f.failures, f.created_at,
               r.run_id, r.started_at, r.ended_at, r.outcome, r.reason, r.request_count,
               r.error_count, r.item_count, r.new_item_count,
               COALESCE(c.mention_count, 0) AS mention_count, r.skipped,
               w.hub, w.status AS hub_status, w.lease_ends_at, w.note, s.scan_wanted,
               s.scanned_at, f.regular_at
             FROM sources s JOIN watched_feeds f ON f.feed_id = s.feed_id
             LEFT JOIN websub_subscriptions w ON w.feed_id = s.feed_id
             LEFT JOIN feed_runs r ON r.run_id = (
               SELECT n.run_id FROM feed_runs n
               LEFT JOIN source_runs o ON o.run_id = n.run_id AND o.source_id = s.source_id
               WHERE n.feed_id = s.feed_id AND n.started_at >= s.created_at
                 AND (NOT n.by_source OR o.shown)
               ORDER BY n.started_at DESC, n.run_id DESC LIMIT 1)
             LEFT JOIN source_runs c ON c.run_id = r.run_id AND c.source_id = s.source_id
             WHERE ",
            [
                "s.source_id = $1",
                "s.tenant_id = $1 ORDER BY s.source_id DESC LIMIT $2 OFFSET $3",
                "s.tenant_id = $1 AND s.status = $4 ORDER BY s.source_id DESC LIMIT $2 OFFSET $3",
                "s.stopped_at IS NOT NULL ORDER BY s.source_id DESC LIMIT $1 OFFSET $2",
                "s.stopped_at IS NULL ORDER BY s.source_id DESC LIMIT $1 OFFSET $2",
                "s.source_id IS NOT NULL ORDER BY s.source_id DESC LIMIT $1 OFFSET $2",
                "s.source_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            ],
            ""
        ),
        values,
        read,
    )
}

/// Adds the talents that sources are limited to.
fn with_talents(tx: &mut Tx<'_>, mut found: Vec<ListedSource>) -> Result<Vec<ListedSource>> {
    let limited: Vec<SourceId> =
        found.iter().filter(|it| !it.source.talents.is_all()).map(|it| it.source.id).collect();
    for chunk in limited.chunks(AT_ONCE) {
        let rows: Vec<(SourceId, TalentId)> = tx.query(
            sql!(
                "SELECT source_id, talent_id FROM source_talents
                 WHERE source_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                 ORDER BY source_id, talent_id"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("source_id")?, row.get("talent_id")?)),
        )?;
        for (source, talent) in rows {
            let listed = found.iter_mut().find(|it| it.source.id == source);
            if let Some(WatchedTalents::Listed(talents)) = listed.map(|it| &mut it.source.talents) {
                talents.push(talent);
            }
        }
    }
    Ok(found)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid source: {what}"))
}

fn read(row: &Row<'_>) -> Result<ListedSource> {
    let text = |name| row.get::<String>(name);
    let mut feed = read_feed(row)?;
    let all_talents = row.get::<bool>("all_talents")?;
    let talents = if all_talents { WatchedTalents::All } else { WatchedTalents::Listed(vec![]) };
    let source = Source {
        id: row.get("source_id")?,
        tenant: row.get("tenant_id")?,
        feed: feed.id,
        url: text("source_url")?,
        name: SourceName::parse(&text("name")?).map_err(fault)?,
        frequency: text("frequency")?.parse().map_err(fault)?,
        status: text("source_status")?.parse().map_err(fault)?,
        stopped: row.get("stopped_at")?,
        talents,
        asked_at: row.get("asked_at")?,
        created_by: row.get("created_by")?,
        created_at: row.get("source_created_at")?,
        updated_at: row.get("updated_at")?,
        version: row.get("version")?,
    };
    let last_run = match row.get::<Option<RunId>>("run_id")? {
        Some(_) => Some(read_run(row)?),
        None => None,
    };
    keep_own(row, &mut feed, &source, last_run.as_ref())?;
    let mention_count = u64::try_from(row.get::<i64>("source_mention_count")?).unwrap_or(0);
    Ok(ListedSource { source, feed, last_run, hub: read_hub(row)?, mention_count })
}

/// Leaves of a feed what the source has to do with: when it was read for the source, whether that
/// fails, and when it is scanned next without requests of others.
fn keep_own(
    row: &Row<'_>,
    feed: &mut Feed,
    source: &Source,
    last_run: Option<&FeedRun>,
) -> Result<()> {
    let (wanted, scanned_at): (bool, Option<Timestamp>) =
        (row.get("scan_wanted")?, row.get("scanned_at")?);
    let regular_at: Option<Timestamp> = row.get("regular_at")?;
    if !wanted {
        feed.due_at = feed.due_at.map(|due_at| regular_at.map_or(due_at, |it| it.max(due_at)));
    }
    let read_at = last_run.filter(|it| it.has_read()).and_then(|it| it.ended_at);
    feed.last_scan_at = scanned_at.or(read_at);
    let fails = last_run.is_some_and(|it| !it.has_read());
    feed.failing_since = feed.failing_since.filter(|_| fails).map(|it| it.max(source.created_at));
    Ok(())
}

fn read_hub(row: &Row<'_>) -> Result<Option<KnownHub>> {
    let Some(hub) = row.get::<Option<String>>("hub")? else { return Ok(None) };
    let status = row.get::<String>("hub_status")?.parse().map_err(fault)?;
    Ok(Some(KnownHub {
        hub,
        status,
        lease_ends_at: row.get("lease_ends_at")?,
        note: row.get("note")?,
    }))
}
