//! The runs of a feed as a tenant that watches it sees them: those that were for its own source, and
//! with what the source found. Other tenants may watch the same feed.

use grantor_domain::id::{RunId, SourceId};
use grantor_domain::source::{FeedRun, Source};

use crate::feed::read_run;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// The last runs that were for a source, newest first. Older runs do not say for whom they were; of
/// these, all since the source was created.
pub fn runs(tx: &mut Tx<'_>, source: &Source, at_most: u32) -> Result<Vec<FeedRun>> {
    tx.query(
        sql!(
            "SELECT r.run_id, r.feed_id, r.started_at, r.ended_at, r.outcome, r.reason,
               r.request_count, r.error_count, r.item_count, r.new_item_count,
               COALESCE(c.mention_count, 0) AS mention_count, r.skipped
             FROM feed_runs r
             LEFT JOIN source_runs c ON c.run_id = r.run_id AND c.source_id = $1
             WHERE r.feed_id = $2 AND r.started_at >= $3 AND (NOT r.by_source OR c.shown)
             ORDER BY r.started_at DESC, r.run_id DESC LIMIT $4"
        ),
        params![source.id, source.feed, source.created_at, at_most],
        read_run,
    )
}

/// Makes the next run one for a source, because its tenant requested it.
pub fn want_scan(tx: &mut Tx<'_>, id: SourceId) -> Result<()> {
    tx.execute(sql!("UPDATE sources SET scan_wanted = TRUE WHERE source_id = $1"), params![id])?;
    Ok(())
}

/// Adds mentions that a source found first in a run.
pub fn count_found(tx: &mut Tx<'_>, run: RunId, id: SourceId, mentions: u32) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO source_runs (run_id, source_id, mention_count) VALUES ($1, $2, $3)
             ON CONFLICT (run_id, source_id) DO UPDATE
               SET mention_count = source_runs.mention_count + $3"
        ),
        params![run, id, mentions],
    )?;
    Ok(())
}
