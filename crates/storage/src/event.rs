//! Events and the feeds that number them. Written by the frame of a change and by nothing else.

use grantor_domain::Timestamp;
use grantor_domain::event::{Event, EventType};
use grantor_domain::id::{EventId, LicenseId, TenantId};
use serde_json::Value;

use crate::license::reader::Reader;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// Adds an event and gives it the next number in the feed of each recipient; gives those.
pub fn insert(tx: &mut Tx<'_>, event: &Event) -> Result<Vec<(TenantId, i64)>> {
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
    let mut places = Vec::with_capacity(recipients.len());
    for feed in recipients {
        let sequence = next_sequence(tx, feed)?;
        places.push((feed, sequence));
        tx.note_feed(feed);
        tx.execute(
            sql!("INSERT INTO feed_entries (feed_id, sequence, event_id) VALUES ($1, $2, $3)"),
            params![feed, sequence, event.id],
        )?;
    }
    Ok(places)
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

/// An event as one recipient's feed holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Its id, the same at every delivery.
    pub id: EventId,
    /// Its kind.
    pub kind: EventType,
    /// The license it concerns.
    pub license: Option<LicenseId>,
    /// The record's version after the change.
    pub resource_version: u32,
    /// What is told.
    pub data: Value,
    /// When it was written.
    pub at: Timestamp,
    /// Its number in the recipient's feed.
    pub sequence: i64,
}

/// The newest number of a feed; zero where it never had one.
pub fn last_sequence(tx: &mut Tx<'_>, feed: TenantId) -> Result<i64> {
    let last = tx.find(
        sql!("SELECT last_sequence FROM feeds WHERE feed_id = $1"),
        params![feed],
        |row| row.get(0),
    )?;
    Ok(last.unwrap_or(0))
}

/// What a feed holds after a number, oldest first. Numbers are given under the feed's lock, in the
/// order of commits: whoever has read up to one has missed none before it.
pub fn list_feed(tx: &mut Tx<'_>, feed: TenantId, after: i64, limit: u32) -> Result<Vec<Told>> {
    tx.query(
        sql!(
            "SELECT e.event_id, e.type, e.license_id, e.resource_version, e.data, e.created_at,
               f.sequence
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             WHERE f.feed_id = $1 AND f.sequence > $2 ORDER BY f.sequence LIMIT $3"
        ),
        params![feed, after, limit],
        read,
    )
}

/// The same, each with whether the license that it tells of is in the reader's list.
pub fn list_seen(
    tx: &mut Tx<'_>,
    (feed, reader): (TenantId, Reader),
    after: i64,
    limit: u32,
) -> Result<Vec<(Told, bool)>> {
    let [one, other] = reader.ids();
    tx.query(
        sql!(
            "SELECT e.event_id, e.type, e.license_id, e.resource_version, e.data, e.created_at,
               f.sequence,
               (SELECT count(*) FROM license_readers r
                WHERE r.license_id = e.license_id AND r.reader_id IN ($4, $5))
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             WHERE f.feed_id = $1 AND f.sequence > $2 ORDER BY f.sequence LIMIT $3"
        ),
        params![feed, after, limit, one, other],
        |row| Ok((read(row)?, row.get::<i64>(7)? > 0)),
    )
}

/// Reads the first seven columns: id, kind, license, version, data, moment, number.
pub(crate) fn read(row: &Row<'_>) -> Result<Told> {
    let data = serde_json::from_str(&row.get::<String>(4)?);
    Ok(Told {
        id: row.get(0)?,
        kind: row.get::<String>(1)?.parse().map_err(Error::Fault)?,
        license: row.get(2)?,
        resource_version: row.get(3)?,
        data: data.map_err(|error| Error::Fault(format!("an event: {error}")))?,
        at: row.get(5)?,
        sequence: row.get(6)?,
    })
}

/// Deletes events older than their retention, a bounded number at a time. What is still on its way
/// to somebody stays, and so does what was settled after `settled`: somebody may yet look.
pub fn delete_before(
    tx: &mut Tx<'_>,
    before: Timestamp,
    settled: Timestamp,
    at_most: u32,
) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM events WHERE event_id IN (
               SELECT e.event_id FROM events e
               WHERE e.created_at < $1 AND NOT EXISTS (
                 SELECT 1 FROM deliveries d
                 WHERE d.event_id = e.event_id AND (d.status = 'pending' OR d.finished_at > $3))
               ORDER BY e.created_at LIMIT $2)"
        ),
        params![before, at_most, settled],
    )
}
