//! Events and the feeds that number them. Written by the frame of a change and by nothing else.

use grantor_domain::Timestamp;
use grantor_domain::event::Event;
use grantor_domain::id::{EventId, TenantId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Adds an event and gives it the next number in the feed of each recipient.
pub fn insert(tx: &mut Tx<'_>, event: &Event) -> Result<()> {
    let told = &event.told;
    tx.execute(
        sql!(
            "INSERT INTO events (event_id, owner_id, type, license_id, resource_version, data,
               created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            event.id,
            told.owner,
            told.kind.name(),
            told.license,
            told.resource_version,
            told.data.to_string(),
            event.at,
        ],
    )?;
    // Everybody locks the feeds in one order, so that no two changes wait for each other.
    let mut recipients = told.recipients.clone();
    recipients.sort_unstable();
    recipients.dedup();
    for feed in recipients {
        let sequence = next_sequence(tx, feed)?;
        tx.execute(
            sql!("INSERT INTO feed_entries (feed_id, sequence, event_id) VALUES ($1, $2, $3)"),
            params![feed, sequence, event.id],
        )?;
    }
    Ok(())
}

fn next_sequence(tx: &mut Tx<'_>, feed: TenantId) -> Result<i64> {
    let given = tx.find(
        sql!(
            "INSERT INTO feeds (feed_id, last_sequence) VALUES ($1, 1)
             ON CONFLICT (feed_id) DO UPDATE SET last_sequence = feeds.last_sequence + 1
             RETURNING last_sequence"
        ),
        params![feed],
        |row| row.get(0),
    )?;
    given.ok_or_else(|| crate::Error::Fault("a feed gave no number".to_owned()))
}

/// An event's place in a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its number.
    pub sequence: i64,
    /// The event.
    pub event_id: EventId,
    /// Its kind.
    pub kind: String,
    /// When it was written.
    pub at: Timestamp,
}

/// What a feed holds after a number, oldest first.
pub fn list_feed(
    tx: &mut Tx<'_>,
    feed: TenantId,
    after: i64,
    limit: u32,
) -> Result<Vec<FeedEntry>> {
    tx.query(
        sql!(
            "SELECT f.sequence, e.event_id, e.type, e.created_at
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             WHERE f.feed_id = $1 AND f.sequence > $2 ORDER BY f.sequence LIMIT $3"
        ),
        params![feed, after, limit],
        |row| {
            Ok(FeedEntry {
                sequence: row.get(0)?,
                event_id: row.get(1)?,
                kind: row.get(2)?,
                at: row.get(3)?,
            })
        },
    )
}

/// Deletes events older than their retention, a bounded number at a time.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM events WHERE event_id IN (
               SELECT event_id FROM events WHERE created_at < $1 ORDER BY created_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}
