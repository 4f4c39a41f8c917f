//! What was last read at the address of a feed. A tenant that wants to watch the same address gets it
//! as the answer, and the site no request.

use grantor_domain::Timestamp;
use grantor_domain::id::FeedId;
use grantor_domain::source::{Feed, FoundItems, LookedItem};
use serde::{Deserialize, Serialize};

use super::{fault, read_feed};
use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Result, Tx};

/// The JSON form.
#[derive(Serialize, Deserialize)]
struct FoundForm {
    items: usize,
    sample: Vec<ItemForm>,
}

#[derive(Serialize, Deserialize)]
struct ItemForm {
    title: String,
    url: String,
    published_at: Option<Timestamp>,
}

/// Returns the feed that is watched at one of these addresses, with what was read there: the address
/// as it was pasted, or else that of the feed. Only a feed that was fetched after `since` without an
/// error.
pub fn find_read(
    tx: &mut Tx<'_>,
    pasted: &str,
    feed: &str,
    since: Timestamp,
) -> Result<Option<(Feed, FoundItems)>> {
    for (by, url) in [(0, pasted), (1, feed)] {
        let found = tx.find(
            sql_choice!(
                by,
                "SELECT feed_id, url, kind, service, profile, title, push_only, due_at,
                   last_scan_at, failing_since, failures, created_at, found
                 FROM watched_feeds WHERE ",
                [
                    "feed_id = (SELECT s.feed_id FROM sources s WHERE s.url = $1
                       ORDER BY s.source_id DESC LIMIT 1)",
                    "url = $1",
                ],
                " AND fetched_at > $2 AND failing_since IS NULL AND unwatched_at IS NULL
                   AND NOT push_only AND found IS NOT NULL"
            ),
            params![url, since],
            |row| Ok((read_feed(row)?, row.get::<String>("found")?)),
        )?;
        if let Some((feed, found)) = found {
            return Ok(Some((feed, read(&found)?)));
        }
    }
    Ok(None)
}

/// When a feed that is watched was last fetched without an error, if that was after `since`. A run in
/// progress counts as now.
pub fn last_read(
    tx: &mut Tx<'_>,
    url: &str,
    (since, now): (Timestamp, Timestamp),
) -> Result<Option<Timestamp>> {
    let found: Option<(Option<Timestamp>, bool)> = tx.find(
        sql!(
            "SELECT fetched_at, run_id IS NOT NULL AS is_running FROM watched_feeds
             WHERE url = $1 AND failing_since IS NULL AND unwatched_at IS NULL AND NOT push_only"
        ),
        params![url],
        |row| Ok((row.get("fetched_at")?, row.get("is_running")?)),
    )?;
    Ok(match found {
        Some((_, true)) => Some(now),
        Some((fetched_at, false)) => fetched_at.filter(|it| *it > since),
        None => None,
    })
}

/// Stores what was read at the address of a feed.
pub fn put_found(tx: &mut Tx<'_>, id: FeedId, found: &FoundItems) -> Result<()> {
    tx.execute(
        sql!("UPDATE watched_feeds SET found = $2 WHERE feed_id = $1 /*unwatched*/"),
        params![id, form(found)?],
    )?;
    Ok(())
}

/// The JSON form of what was read.
pub(super) fn form(found: &FoundItems) -> Result<String> {
    let item = |it: &LookedItem| ItemForm {
        title: it.title.clone(),
        url: it.url.clone(),
        published_at: it.published_at,
    };
    let sample = found.sample.iter().map(item).collect();
    serde_json::to_string(&FoundForm { items: found.items, sample }).map_err(fault)
}

fn read(text: &str) -> Result<FoundItems> {
    let FoundForm { items, sample } = serde_json::from_str(text).map_err(fault)?;
    let item = |ItemForm { title, url, published_at }| LookedItem { title, url, published_at };
    Ok(FoundItems { items, sample: sample.into_iter().map(item).collect() })
}
