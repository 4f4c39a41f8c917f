//! Runs of feeds. While a feed is scanned, its `due_at` is the lease and its `run_id` the owner, so
//! that a late worker cannot change a later run.

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, RunId};
use grantor_domain::scan::{RunCounts, RunOutcome};
use grantor_domain::source::{Feed, FeedRun, FoundItems, Skipped};
use serde::{Deserialize, Serialize};

use super::{FeedState, fault, find, found, share, state};
use crate::scan::{release_hosts, renew_hosts};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// A feed claimed for scanning.
#[derive(Clone, Debug)]
pub struct ClaimedFeed {
    /// The run.
    pub run: RunId,
    /// The feed.
    pub feed: Feed,
    /// Which sources are scanned.
    pub state: FeedState,
    /// When it was last fetched, not counting what hubs pushed.
    pub fetched_at: Option<Timestamp>,
    /// When the next regular scan is due; `None` if this is one.
    pub regular_at: Option<Timestamp>,
    /// Whether somebody asked for a scan now.
    pub fetch_wanted: bool,
}

/// How a run of a feed ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedFeed {
    /// The outcome.
    pub outcome: RunOutcome,
    /// The reason, if there is one to report.
    pub reason: Option<String>,
    /// What was skipped.
    pub skipped: Vec<Skipped>,
    /// When the feed is due again; `None` if nothing is scheduled.
    pub due_at: Option<Timestamp>,
    /// When the next regular scan is due; `None` if the next scan is one.
    pub regular_at: Option<Timestamp>,
    /// Whether this was a regular scan.
    pub regular: bool,
    /// When it was fetched, if it was.
    pub fetched_at: Option<Timestamp>,
    /// What was read; `None` if nothing changed or could be read.
    pub found: Option<FoundItems>,
}

/// The JSON form of what was skipped.
#[derive(Serialize, Deserialize)]
struct SkippedForm {
    what: String,
    why: String,
}

/// Claims the feed that has been due longest for a run, with a lease until `until`. An earlier run
/// that never ended is marked as interrupted.
pub fn claim(
    tx: &mut Tx<'_>,
    run: RunId,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<ClaimedFeed>> {
    let node = tx.node();
    let claimed = tx.find(
        sql!(
            "UPDATE watched_feeds SET due_at = $2, run_id = $3, node_id = $4 WHERE feed_id IN (
               SELECT feed_id FROM watched_feeds WHERE due_at IS NOT NULL AND due_at <= $1
               ORDER BY due_at LIMIT 1 /*skip locked*/)
             RETURNING feed_id, fetched_at, regular_at, fetch_wanted /*unwatched*/"
        ),
        params![now, until, run, node],
        |row| {
            Ok((
                row.get::<FeedId>("feed_id")?,
                row.get("fetched_at")?,
                row.get("regular_at")?,
                row.get("fetch_wanted")?,
            ))
        },
    )?;
    let Some((id, fetched_at, regular_at, fetch_wanted)) = claimed else { return Ok(None) };
    let Some(feed) = find(tx, id)? else { return Ok(None) };
    let state = state(tx, id)?;
    Ok(Some(ClaimedFeed { run, feed, state, fetched_at, regular_at, fetch_wanted }))
}

/// Writes the start of a run. It is for the sources whose regular scan is due by `regular_by`, and
/// for those that want a scan.
pub fn start(
    tx: &mut Tx<'_>,
    claimed: &ClaimedFeed,
    regular_by: Option<Timestamp>,
    now: Timestamp,
) -> Result<()> {
    let id = claimed.feed.id;
    share::want_interrupted(tx, id)?;
    tx.execute(
        sql!(
            "UPDATE feed_runs SET ended_at = $2, outcome = 'interrupted', reason = $3
             WHERE feed_id = $1 AND ended_at IS NULL"
        ),
        params![id, now, "the worker stopped unexpectedly"],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO feed_runs (run_id, feed_id, started_at, request_count, error_count,
               item_count, new_item_count, mention_count, skipped, by_source)
             VALUES ($1, $2, $3, 0, 0, 0, 0, 0, '[]', TRUE)"
        ),
        params![claimed.run, id, now],
    )?;
    share::put(tx, claimed.run, regular_by)?;
    share::delete_old(tx, id)
}

/// Puts a claimed feed back without a run, because its host is busy or rests, or because no source
/// is active.
pub fn put_back(tx: &mut Tx<'_>, claimed: &ClaimedFeed, due_at: Option<Timestamp>) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET run_id = NULL, node_id = NULL, due_at = $3
             WHERE feed_id = $1 AND run_id = $2 /*unwatched*/"
        ),
        params![claimed.feed.id, claimed.run, due_at],
    )?;
    release_hosts(tx, claimed.run)
}

/// Returns which sources are scanned while a run has the feed; `None` once another run does.
pub fn find_state(tx: &mut Tx<'_>, id: FeedId, run: RunId) -> Result<Option<FeedState>> {
    let held = tx.find(
        sql!("SELECT 1 FROM watched_feeds WHERE feed_id = $1 AND run_id = $2"),
        params![id, run],
        |_| Ok(()),
    )?;
    if held.is_none() {
        return Ok(None);
    }
    state(tx, id).map(Some)
}

/// Extends a run's leases of its feed and hosts.
pub fn renew(tx: &mut Tx<'_>, id: FeedId, run: RunId, until: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET due_at = $3 WHERE feed_id = $1 AND run_id = $2 /*unwatched*/"
        ),
        params![id, run, until],
    )?;
    renew_hosts(tx, run, until)
}

/// Adds new counts to a run.
pub fn count(tx: &mut Tx<'_>, run: RunId, counts: RunCounts) -> Result<()> {
    let RunCounts { requests, errors, items, new_items, mentions } = counts;
    tx.execute(
        sql!(
            "UPDATE feed_runs SET request_count = request_count + $2,
               error_count = error_count + $3, item_count = item_count + $4,
               new_item_count = new_item_count + $5, mention_count = mention_count + $6
             WHERE run_id = $1"
        ),
        params![run, requests, errors, items, new_items, mentions],
    )?;
    Ok(())
}

/// Ends a run, unless another run has the feed. The feed is due again at `due_at`, or now if a scan
/// was requested during the run.
pub fn finish(
    tx: &mut Tx<'_>,
    claimed: &ClaimedFeed,
    feed: &Feed,
    ended: &EndedFeed,
    (started, now): (Timestamp, Timestamp),
) -> Result<()> {
    let written = tx.execute(
        sql!(
            "UPDATE feed_runs SET ended_at = $2, outcome = $3, reason = $4, skipped = $5
             WHERE run_id = $1 AND ended_at IS NULL"
        ),
        params![
            claimed.run,
            now,
            ended.outcome.name(),
            ended.reason.as_deref(),
            form(&ended.skipped)?,
        ],
    )?;
    if written > 0 {
        share::end(tx, claimed.run, ended, (started, now))?;
    }
    let found = ended.found.as_ref().map(found::form).transpose()?;
    tx.execute(
        sql!(
            "UPDATE watched_feeds SET run_id = NULL, node_id = NULL, last_scan_at = $3,
               failing_since = $4, failures = $5,
               fetched_at = CASE WHEN CAST($6 AS bigint) IS NULL THEN fetched_at ELSE $6 END,
               due_at = CASE WHEN again_at > $8 THEN $9 ELSE CAST($7 AS bigint) END,
               fetch_wanted = CASE WHEN again_at > $8 THEN fetch_wanted ELSE FALSE END,
               found = CASE WHEN CAST($10 AS text) IS NULL THEN found ELSE $10 END,
               regular_at = $11
             WHERE feed_id = $1 AND run_id = $2"
        ),
        params![
            claimed.feed.id,
            claimed.run,
            feed.last_scan_at,
            feed.failing_since,
            feed.failures,
            ended.fetched_at,
            ended.due_at,
            started,
            now,
            found,
            ended.regular_at,
        ],
    )?;
    if claimed.feed.failing_since.is_some() && feed.failing_since.is_none() {
        tx.execute(
            sql!(
                "UPDATE sources SET failing_noticed_at = NULL
                 WHERE feed_id = $1 AND failing_noticed_at IS NOT NULL"
            ),
            params![claimed.feed.id],
        )?;
    }
    release_hosts(tx, claimed.run)
}

fn form(skipped: &[Skipped]) -> Result<String> {
    let forms: Vec<SkippedForm> = skipped
        .iter()
        .map(|it| SkippedForm { what: it.what.clone(), why: it.why.clone() })
        .collect();
    serde_json::to_string(&forms).map_err(fault)
}

pub(crate) fn read(row: &Row<'_>) -> Result<FeedRun> {
    let outcome: Option<String> = row.get("outcome")?;
    let skipped: Vec<SkippedForm> =
        serde_json::from_str(&row.get::<String>("skipped")?).map_err(fault)?;
    Ok(FeedRun {
        id: row.get("run_id")?,
        feed: row.get("feed_id")?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
        outcome: outcome.map(|it| it.parse().map_err(fault)).transpose()?,
        reason: row.get("reason")?,
        counts: RunCounts {
            requests: row.get("request_count")?,
            errors: row.get("error_count")?,
            items: row.get("item_count")?,
            new_items: row.get("new_item_count")?,
            mentions: row.get("mention_count")?,
        },
        skipped: skipped
            .into_iter()
            .map(|SkippedForm { what, why }| Skipped { what, why })
            .collect(),
    })
}
