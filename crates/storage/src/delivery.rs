//! Events on their way to receivers: queued with the change they tell of, claimed by whoever sends,
//! and kept with what became of each attempt.

mod claim;
mod day;

use grantor_domain::Timestamp;
use grantor_domain::chore::Replay;
use grantor_domain::delivery::{Attempt, DeliveryStatus, DropReason, LEASE};
use grantor_domain::event::{Event, EventType};
use grantor_domain::id::{DeliveryId, EventId, IdSource, LicenseId, TenantId, WebhookId};
use grantor_domain::page::{Listing, Page};

use crate::statement::sql;
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Error, Result, Row, Tx};

use self::claim::read_rest;
pub use self::claim::{
    Claimed, Outcome, claim, drop_claimed, drop_expired, find_claimed, settle, waiting,
};
pub use self::day::{Totals, totals};

/// A delivery as its receiver's owner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// To whom.
    pub webhook: WebhookId,
    /// What is sent.
    pub event: EventId,
    /// The event's kind.
    pub kind: EventType,
    /// The license the event concerns.
    pub license: Option<LicenseId>,
    /// The event's number in the receiver's feed.
    pub sequence: i64,
    /// What became of it.
    pub status: DeliveryStatus,
    /// Why it was dropped, where it was.
    pub reason: Option<DropReason>,
    /// When it is tried next; nothing once that is settled.
    pub next_attempt_at: Option<Timestamp>,
    /// Each attempt that ended.
    pub attempts: Vec<Attempt>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it was settled.
    pub finished_at: Option<Timestamp>,
}

/// Queues an event for every receiver in a feed that wants its kind, due at `due_at`. One that is
/// for a single receiver belongs to whoever tells of it, as if it were claimed.
pub fn enqueue(
    tx: &mut Tx<'_>,
    ids: &IdSource,
    event: &Event,
    (feed, sequence): (TenantId, i64),
    due_at: Timestamp,
) -> Result<()> {
    if let Some((webhook, id)) = event.told.receiver {
        let place = (event.id, sequence);
        return insert(tx, id, webhook, place, event.at.plus(LEASE), event.at);
    }
    let wanted: Vec<WebhookId> = tx.query(
        sql!(
            "SELECT webhook_id FROM webhooks
             WHERE tenant_id = $1 AND status = 'active' AND events & $2 <> 0"
        ),
        params![feed, u32::from(event.told.kind.bit())],
        |row| row.get(0),
    )?;
    for webhook in wanted {
        insert(tx, ids.at(event.at), webhook, (event.id, sequence), due_at, event.at)?;
    }
    Ok(())
}

/// Queues one event for one receiver.
pub fn insert(
    tx: &mut Tx<'_>,
    id: DeliveryId,
    webhook: WebhookId,
    (event, sequence): (EventId, i64),
    due_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO deliveries (delivery_id, webhook_id, event_id, sequence, status, attempts,
               failed, tries, due_at, created_at)
             VALUES ($1, $2, $3, $4, 'pending', 0, 0, '[]', $5, $6)"
        ),
        params![id, webhook, event, sequence, due_at, now],
    )?;
    Ok(())
}

/// Makes a delivery due now, whatever became of it; its schedule begins anew. One that is being
/// attempted is due again at once, and its outcome counts no more.
pub fn retry(tx: &mut Tx<'_>, id: DeliveryId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE deliveries SET status = 'pending', attempts = attempts + 1, failed = 0,
               due_at = $2, finished_at = NULL, drop_reason = NULL
             WHERE delivery_id = $1"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// What was found of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Events to be sent again, oldest first, with their numbers.
    pub found: Vec<(EventId, i64)>,
    /// The number to go on after, where there is more.
    pub next: Option<i64>,
}

/// Looks at so many events of a feed for those that shall be sent again. What is on its way to the
/// receiver is not among them. Nothing is asked in the order of another index than that of the event, or
/// PostgreSQL might walk over all deliveries of the webhook for each event.
pub fn find_again(tx: &mut Tx<'_>, replay: &Replay, at_once: u32) -> Result<Looked> {
    let Replay { tenant, webhook, since, until, after, .. } = *replay;
    let looked = tx.query(
        sql!(
            "SELECT e.event_id, f.sequence, e.type,
               (SELECT d.status FROM deliveries d
                WHERE d.event_id = e.event_id AND d.webhook_id = $2
                ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT 1),
               (SELECT count(*) FROM deliveries d
                WHERE d.event_id = e.event_id AND d.webhook_id = $2 AND d.finished_at IS NULL)
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             WHERE f.feed_id = $1 AND f.sequence > $5
               AND e.created_at >= $3 AND e.created_at < $4
             ORDER BY f.sequence LIMIT $6"
        ),
        params![tenant, webhook, since, until, after, at_once],
        |row| {
            let kind: EventType = row.get::<String>(2)?.parse().map_err(Error::Fault)?;
            let status = row.get::<Option<String>>(3)?;
            Ok(((row.get(0)?, row.get(1)?), kind, status, row.get::<i64>(4)? > 0))
        },
    )?;
    let full = looked.len() == at_once as usize;
    let next = looked.last().filter(|_| full).map(|it| it.0.1);
    let fits = |kind: EventType, status: Option<&str>| {
        // What tried another receiver out is nothing to this one.
        (kind != EventType::WebhookTest || status.is_some())
            && replay.kinds.contains(kind)
            && replay.status.is_none_or(|wanted| status == Some(wanted.name()))
    };
    let found = looked.into_iter().filter(|it| !it.3 && fits(it.1, it.2.as_deref()));
    Ok(Looked { found: found.map(|it| it.0).collect(), next })
}

/// One delivery to a receiver.
pub fn find(tx: &mut Tx<'_>, webhook: WebhookId, id: DeliveryId) -> Result<Option<Delivery>> {
    tx.find(
        sql!(
            "SELECT d.delivery_id, d.webhook_id, d.event_id, e.type, d.sequence, d.status,
               d.due_at, d.tries, d.created_at, d.finished_at, e.license_id, d.drop_reason,
               w.rests_until
             FROM deliveries d JOIN events e ON e.event_id = d.event_id
             JOIN webhooks w ON w.webhook_id = d.webhook_id
             WHERE d.delivery_id = $1 AND d.webhook_id = $2"
        ),
        params![id, webhook],
        read,
    )
}

/// Deliveries to a receiver, newest first; of one status, or all.
pub fn list(
    tx: &mut Tx<'_>,
    webhook: WebhookId,
    status: Option<DeliveryStatus>,
    page: Page,
) -> Result<Listing<Delivery>> {
    let status = status.map(DeliveryStatus::name);
    let items = tx.query(
        sql!(
            "SELECT d.delivery_id, d.webhook_id, d.event_id, e.type, d.sequence, d.status,
               d.due_at, d.tries, d.created_at, d.finished_at, e.license_id, d.drop_reason,
               w.rests_until
             FROM deliveries d JOIN events e ON e.event_id = d.event_id
             JOIN webhooks w ON w.webhook_id = d.webhook_id
             WHERE d.webhook_id = $1 AND (CAST($2 AS text) IS NULL OR d.status = $2)
             ORDER BY d.delivery_id DESC LIMIT $3 OFFSET $4"
        ),
        params![webhook, status, page.size() + 1, page.offset()],
        read,
    )?;
    total::listing(page, items, || count(tx, webhook, status))
}

/// How many there are, counted up to a bound.
fn count(tx: &mut Tx<'_>, webhook: WebhookId, status: Option<&str>) -> Result<Total> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT delivery_id FROM deliveries
               WHERE webhook_id = $1 AND (CAST($2 AS text) IS NULL OR status = $2)
               ORDER BY delivery_id DESC LIMIT $3) newest"
        ),
        params![webhook, status, BOUND],
        |row| row.get(0),
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(if total < u64::from(BOUND) { Total::Exact(total) } else { Total::About(total) })
}

fn read(row: &Row<'_>) -> Result<Delivery> {
    let status: DeliveryStatus = row.get::<String>(5)?.parse().map_err(fault)?;
    let due_at = row.get::<Timestamp>(6)?.max(read_rest(row, 12)?);
    let reason: Option<String> = row.get(11)?;
    Ok(Delivery {
        id: row.get(0)?,
        webhook: row.get(1)?,
        event: row.get(2)?,
        kind: row.get::<String>(3)?.parse().map_err(fault)?,
        license: row.get(10)?,
        sequence: row.get(4)?,
        status,
        reason: reason.map(|it| it.parse().map_err(fault)).transpose()?,
        next_attempt_at: Some(due_at).filter(|_| status == DeliveryStatus::Pending),
        attempts: read_tries(row, 7)?,
        created_at: row.get(8)?,
        finished_at: row.get(9)?,
    })
}

fn read_tries(row: &Row<'_>, index: usize) -> Result<Vec<Attempt>> {
    serde_json::from_str(&row.get::<String>(index)?).map_err(fault)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("a delivery: {what}"))
}
