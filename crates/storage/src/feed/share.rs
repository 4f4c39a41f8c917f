//! Which of the sources that watch a feed a run is for. All of them get what it finds, but a source
//! shows only the runs that it would have had by itself: otherwise its tenant could tell that others
//! watch the same feed.

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, RunId};
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::scan::{KEPT_RUNS, RunOutcome, SHOWN_RUNS};

use super::EndedFeed;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Lets the sources of a run that never ended have the next one.
pub(super) fn want_interrupted(tx: &mut Tx<'_>, id: FeedId) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE sources SET scan_wanted = TRUE WHERE source_id IN (
               SELECT c.source_id FROM feed_runs r JOIN source_runs c ON c.run_id = r.run_id
               WHERE r.feed_id = $1 AND r.ended_at IS NULL AND c.shown)"
        ),
        params![id],
    )?;
    Ok(())
}

/// Records which active sources a new run is for: those that want a scan, and those whose regular
/// scan is due by `regular_by`, if any.
pub(super) fn put(tx: &mut Tx<'_>, run: RunId, regular_by: Option<Timestamp>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO source_runs (run_id, source_id, mention_count, shown)
             SELECT r.run_id, s.source_id, 0, TRUE
             FROM feed_runs r JOIN sources s ON s.feed_id = r.feed_id
             WHERE r.run_id = $1 AND s.status = 'running' AND s.stopped_at IS NULL
               AND (s.scan_wanted OR COALESCE(s.regular_at, 0) <= $2)"
        ),
        params![run, regular_by],
    )?;
    tx.execute(
        sql!(
            "UPDATE sources SET scan_wanted = FALSE WHERE scan_wanted AND source_id IN (
               SELECT source_id FROM source_runs WHERE run_id = $1 AND shown)"
        ),
        params![run],
    )?;
    Ok(())
}

/// Records the end of a run for its sources: they were read, or the next run is for them too. Only a
/// regular run, or the first one, moves their next regular scan.
pub(super) fn end(
    tx: &mut Tx<'_>,
    run: RunId,
    ended: &EndedFeed,
    (started, now): (Timestamp, Timestamp),
) -> Result<()> {
    if !matches!(ended.outcome, RunOutcome::Ok | RunOutcome::Partial) {
        tx.execute(
            sql!(
                "UPDATE sources SET scan_wanted = TRUE WHERE source_id IN (
                   SELECT source_id FROM source_runs WHERE run_id = $1 AND shown)"
            ),
            params![run],
        )?;
        return Ok(());
    }
    let next = |frequency: DetectionFrequency| started.plus(frequency.period());
    tx.execute(
        sql!(
            "UPDATE sources SET scanned_at = $2,
               regular_at = CASE WHEN NOT $3 AND regular_at IS NOT NULL THEN regular_at
                 ELSE CASE frequency WHEN 'hourly' THEN CAST($4 AS bigint)
                   WHEN 'daily' THEN CAST($5 AS bigint) ELSE CAST($6 AS bigint) END END
             WHERE source_id IN (
               SELECT source_id FROM source_runs WHERE run_id = $1 AND shown)"
        ),
        params![
            run,
            now,
            ended.regular,
            next(DetectionFrequency::Hourly),
            next(DetectionFrequency::Daily),
            next(DetectionFrequency::Weekly),
        ],
    )?;
    Ok(())
}

/// Deletes old runs of a feed. Those that a source still shows are kept, however many there were for
/// others since.
pub(super) fn delete_old(tx: &mut Tx<'_>, id: FeedId) -> Result<()> {
    tx.execute(
        sql!(
            "DELETE FROM feed_runs WHERE feed_id = $1 AND run_id NOT IN (
               SELECT run_id FROM feed_runs WHERE feed_id = $1
               ORDER BY started_at DESC, run_id DESC LIMIT $2)
             AND NOT EXISTS (
               SELECT 1 FROM source_runs c JOIN sources s ON s.source_id = c.source_id
               WHERE c.run_id = feed_runs.run_id AND c.shown AND $3 > (
                 SELECT count(*) FROM source_runs n
                 WHERE n.source_id = c.source_id AND n.run_id > c.run_id AND n.shown))"
        ),
        params![id, KEPT_RUNS, SHOWN_RUNS],
    )?;
    Ok(())
}
