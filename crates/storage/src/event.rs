//! Events and the feeds that number them. Only the act framework inserts events.

use grantor_domain::Timestamp;
use grantor_domain::event::{Event, EventType};
use grantor_domain::growth::first_id_at;
use grantor_domain::id::{EventId, LicenseId, TenantId};
use grantor_domain::trace::TraceContext;
use serde_json::Value;

use crate::license::reader::Reader;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// Inserts an event with the next number in each recipient's feed, and returns those numbers.
pub fn insert(tx: &mut Tx<'_>, event: &Event) -> Result<Vec<(TenantId, i64)>> {
    let content = &event.content;
    tx.send(
        sql!(
            "INSERT INTO events (event_id, owner_id, type, license_id, resource_version, data,
               created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            event.id,
            content.owner,
            content.kind.name(),
            content.license,
            content.resource_version,
            content.data.to_string(),
            event.at,
        ],
    )?;
    // Feeds are always locked in the same order, so that two changes cannot deadlock.
    let mut recipients = content.recipients.clone();
    recipients.sort_unstable();
    recipients.dedup();
    let mut places = Vec::with_capacity(recipients.len());
    for feed in recipients {
        let sequence = next_sequence(tx, feed)?;
        places.push((feed, sequence));
        tx.note_feed(feed);
        tx.send(
            sql!("INSERT INTO feed_entries (feed_id, sequence, event_id) VALUES ($1, $2, $3)"),
            params![feed, sequence, event.id],
        )?;
    }
    Ok(places)
}

/// Notes the trace that an event belongs to, which its deliveries continue.
pub fn set_trace(tx: &mut Tx<'_>, id: EventId, trace: TraceContext) -> Result<()> {
    tx.send(
        sql!("UPDATE events SET trace_context = $2 WHERE event_id = $1"),
        params![id, trace.to_string()],
    )
}

/// Reads a trace context. One that is not valid is none.
pub(crate) fn read_trace(row: &Row<'_>) -> Result<Option<TraceContext>> {
    let text: Option<String> = row.get("trace_context")?;
    Ok(text.as_deref().and_then(TraceContext::parse))
}

/// Takes the next number of a feed, which stays locked. Two statements, because `SQLite` builds a
/// table for what a statement returns, which takes longer than the second one.
fn next_sequence(tx: &mut Tx<'_>, feed: TenantId) -> Result<i64> {
    tx.send(
        sql!(
            "INSERT INTO feeds (feed_id, last_sequence) VALUES ($1, 1)
             ON CONFLICT (feed_id) DO UPDATE SET last_sequence = feeds.last_sequence + 1"
        ),
        params![feed],
    )?;
    last_sequence(tx, feed)
}

/// An event in a recipient's feed.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedEvent {
    /// The event's id, the same in every delivery.
    pub id: EventId,
    /// The event's type.
    pub kind: EventType,
    /// The license that it concerns.
    pub license: Option<LicenseId>,
    /// The record's version after the change.
    pub resource_version: u32,
    /// The event's data.
    pub data: Value,
    /// When it was written.
    pub at: Timestamp,
    /// The event's number in the recipient's feed.
    pub sequence: i64,
}

/// Returns the newest number of a feed, or zero if it is empty.
pub fn last_sequence(tx: &mut Tx<'_>, feed: TenantId) -> Result<i64> {
    let last = tx.find(
        sql!("SELECT last_sequence FROM feeds WHERE feed_id = $1"),
        params![feed],
        only_column,
    )?;
    Ok(last.unwrap_or(0))
}

/// Lists the events of a feed after a number, oldest first. Numbers are assigned under the feed's
/// lock in commit order, so a reader who has read up to a number has missed none before it.
pub fn list_feed(
    tx: &mut Tx<'_>,
    feed: TenantId,
    after: i64,
    limit: u32,
) -> Result<Vec<FeedEvent>> {
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

/// Like [`list_feed`], each event with whether its license is visible to the reader.
pub fn list_seen(
    tx: &mut Tx<'_>,
    (feed, reader): (TenantId, Reader),
    after: i64,
    limit: u32,
) -> Result<Vec<(FeedEvent, bool)>> {
    let [one, other] = reader.ids();
    tx.query(
        sql!(
            "SELECT e.event_id, e.type, e.license_id, e.resource_version, e.data, e.created_at,
               f.sequence,
               (SELECT count(*) FROM license_readers r
                WHERE r.license_id = e.license_id AND r.reader_id IN ($4, $5)) AS readers
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             WHERE f.feed_id = $1 AND f.sequence > $2 ORDER BY f.sequence LIMIT $3"
        ),
        params![feed, after, limit, one, other],
        |row| Ok((read(row)?, row.get::<i64>("readers")? > 0)),
    )
}

pub(crate) fn read(row: &Row<'_>) -> Result<FeedEvent> {
    let data = serde_json::from_str(&row.get::<String>("data")?);
    Ok(FeedEvent {
        id: row.get("event_id")?,
        kind: row.get::<String>("type")?.parse().map_err(Error::Fault)?,
        license: row.get("license_id")?,
        resource_version: row.get("resource_version")?,
        data: data.map_err(|error| Error::Fault(format!("invalid event: {error}")))?,
        at: row.get("created_at")?,
        sequence: row.get("sequence")?,
    })
}

/// Deletes events older than their retention, a limited number at a time. Events with pending
/// deliveries are kept, and so are those whose deliveries finished after `settled`, because the
/// deliveries can still be viewed.
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
               WHERE e.event_id < $1 AND NOT EXISTS (
                 SELECT 1 FROM deliveries d
                 WHERE d.event_id = e.event_id AND (d.status = 'pending' OR d.finished_at > $3))
               ORDER BY e.event_id LIMIT $2)"
        ),
        params![first_id_at(before), at_most, settled],
    )
}
