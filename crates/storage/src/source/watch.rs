//! Which source of a feed covers a talent, and the mentions that sources found.

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, SourceId, TalentId, TenantId};

use super::{ListedSource, find_anywhere};
use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Result, Tx, only_column};

/// A source as mentions show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRef {
    /// The source's id.
    pub id: SourceId,
    /// The source's name.
    pub name: String,
}

/// Returns the tenant's running source that watches a feed for a talent.
pub fn find_watching(
    tx: &mut Tx<'_>,
    feed: FeedId,
    (tenant, talent): (TenantId, TalentId),
) -> Result<Option<SourceRef>> {
    watching(tx, 0, feed, (tenant, talent))
}

/// Like [`find_watching`], and locks the source until the unit of work ends.
pub fn claim_watching(
    tx: &mut Tx<'_>,
    feed: FeedId,
    (tenant, talent): (TenantId, TalentId),
) -> Result<Option<SourceRef>> {
    watching(tx, 1, feed, (tenant, talent))
}

fn watching(
    tx: &mut Tx<'_>,
    lock: usize,
    feed: FeedId,
    (tenant, talent): (TenantId, TalentId),
) -> Result<Option<SourceRef>> {
    tx.find(
        sql_choice!(
            lock,
            "SELECT s.source_id, s.name FROM sources s
             WHERE s.tenant_id = $1 AND s.feed_id = $2 AND s.status = 'running'
               AND s.stopped_at IS NULL AND (s.all_talents OR EXISTS (
                 SELECT 1 FROM source_talents l
                 WHERE l.source_id = s.source_id AND l.talent_id = $3))",
            ["", " /*for update*/"],
            ""
        ),
        params![tenant, feed, talent],
        |row| Ok(SourceRef { id: row.get("source_id")?, name: row.get("name")? }),
    )
}

/// Counts a mention that a source found first.
pub fn count_mention(tx: &mut Tx<'_>, id: SourceId) -> Result<()> {
    tx.execute(
        sql!("UPDATE sources SET mention_count = mention_count + 1 WHERE source_id = $1"),
        params![id],
    )?;
    Ok(())
}

/// Removes the reference to a source from up to `at_most` mentions, which stay, and returns their
/// number.
pub fn detach_mentions(tx: &mut Tx<'_>, id: SourceId, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE mentions SET source_id = NULL WHERE mention_id IN (
               SELECT mention_id FROM mentions WHERE source_id = $1 LIMIT $2)"
        ),
        params![id, at_most],
    )
}

/// Returns up to `at_most` running sources of a failing feed whose tenants were not notified yet.
pub fn list_failing(tx: &mut Tx<'_>, feed: FeedId, at_most: u32) -> Result<Vec<ListedSource>> {
    let ids: Vec<SourceId> = tx.query(
        sql!(
            "SELECT source_id FROM sources
             WHERE feed_id = $1 AND failing_noticed_at IS NULL AND status = 'running'
               AND stopped_at IS NULL
             ORDER BY source_id LIMIT $2"
        ),
        params![feed, at_most],
        only_column,
    )?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(find_anywhere(tx, id)?);
    }
    Ok(found)
}

/// Records that a source's tenant was notified that its feed fails.
pub fn note_failing(tx: &mut Tx<'_>, id: SourceId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE sources SET failing_noticed_at = $2 WHERE source_id = $1"),
        params![id, now],
    )?;
    Ok(())
}

/// Whether any source watches a feed.
pub fn is_watched(tx: &mut Tx<'_>, feed: FeedId) -> Result<bool> {
    let found =
        tx.find(sql!("SELECT 1 FROM sources WHERE feed_id = $1 LIMIT 1"), params![feed], |_| {
            Ok(())
        })?;
    Ok(found.is_some())
}
