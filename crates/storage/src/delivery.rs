//! Webhook deliveries: queued with the change that caused the event, claimed by the sender, and
//! kept with the outcome of each attempt.

mod claim;
mod day;

use grantor_domain::Timestamp;
use grantor_domain::chore::Replay;
use grantor_domain::delivery::{Attempt, DeliveryStatus, DropReason, LEASE};
use grantor_domain::event::{Event, EventType};
use grantor_domain::id::{
    DeliveryId, EventId, IdGenerator, LicenseId, NodeId, TenantId, WebhookId,
};
use grantor_domain::page::{Listing, Page};

use crate::event::{self, FeedEvent};
use crate::statement::sql;
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

use self::claim::read_pause;
pub use self::claim::{
    Claimed, Outcome, claim, drop_claimed, drop_expired, find_claimed, settle, waiting,
};
pub use self::day::{Totals, daily, totals};

/// A delivery as shown to the webhook's owner.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The delivery's id.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook: WebhookId,
    /// The event.
    pub event: EventId,
    /// The event's type.
    pub kind: EventType,
    /// The license that the event concerns.
    pub license: Option<LicenseId>,
    /// The event's number in the tenant's feed.
    pub sequence: i64,
    /// The delivery's status.
    pub status: DeliveryStatus,
    /// Why it was dropped.
    pub reason: Option<DropReason>,
    /// When the next attempt is due; `None` once the delivery is finished.
    pub next_attempt_at: Option<Timestamp>,
    /// The finished attempts.
    pub attempts: Vec<Attempt>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it was finished.
    pub finished_at: Option<Timestamp>,
}

/// Queues an event for every webhook of a feed that subscribes to its type, due at `due_at`. An
/// event for a single webhook is sent by the caller, so its delivery is queued as claimed.
pub fn enqueue(
    tx: &mut Tx<'_>,
    ids: &IdGenerator,
    event: &Event,
    (feed, sequence): (TenantId, i64),
    due_at: Timestamp,
) -> Result<()> {
    if let Some((webhook, id)) = event.content.receiver {
        let (place, node) = ((event.id, sequence), tx.node());
        return insert_held(tx, id, webhook, place, (event.at.plus(LEASE), event.at), node);
    }
    let wanted: Vec<WebhookId> = tx.query(
        sql!(
            "SELECT webhook_id FROM webhooks
             WHERE tenant_id = $1 AND status = 'active' AND events & $2 <> 0"
        ),
        params![feed, event.content.kind.bit()],
        only_column,
    )?;
    for webhook in wanted {
        insert(tx, ids.at(event.at), webhook, (event.id, sequence), due_at, event.at)?;
    }
    Ok(())
}

/// Queues one event for one webhook.
pub fn insert(
    tx: &mut Tx<'_>,
    id: DeliveryId,
    webhook: WebhookId,
    (event, sequence): (EventId, i64),
    due_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    insert_held(tx, id, webhook, (event, sequence), (due_at, now), None)
}

/// The same, held by a node until it is due.
fn insert_held(
    tx: &mut Tx<'_>,
    id: DeliveryId,
    webhook: WebhookId,
    (event, sequence): (EventId, i64),
    (due_at, now): (Timestamp, Timestamp),
    node: Option<NodeId>,
) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO deliveries (delivery_id, webhook_id, event_id, sequence, status, attempts,
               failed, tries, due_at, created_at, node_id)
             VALUES ($1, $2, $3, $4, 'pending', 0, 0, '[]', $5, $6, $7)"
        ),
        params![id, webhook, event, sequence, due_at, now, node],
    )
}

/// Makes a delivery due now, whatever its status, and restarts its schedule. If an attempt is in
/// progress, the delivery is due again at once and the outcome of that attempt is ignored.
pub fn retry(tx: &mut Tx<'_>, id: DeliveryId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE deliveries SET status = 'pending', attempts = attempts + 1, failed = 0,
               due_at = $2, finished_at = NULL, drop_reason = NULL, node_id = NULL
             WHERE delivery_id = $1"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// A page of events to replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayPage {
    /// Events to send again, oldest first, with their numbers.
    pub found: Vec<(EventId, i64)>,
    /// The number to continue after, if there is more.
    pub next: Option<i64>,
}

/// Reads `at_once` events of a feed and returns those to send again, except events that are being
/// delivered to the webhook. The statement must not order by another index than the event's, or
/// PostgreSQL might scan all deliveries of the webhook for each event.
pub fn list_for_replay(tx: &mut Tx<'_>, replay: &Replay, at_once: u32) -> Result<ReplayPage> {
    let Replay { tenant, webhook, since, until, after, .. } = *replay;
    let looked = tx.query(
        sql!(
            "SELECT e.event_id, f.sequence, e.type,
               (SELECT d.status FROM deliveries d
                WHERE d.event_id = e.event_id AND d.webhook_id = $2
                ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT 1) AS status,
               (SELECT count(*) FROM deliveries d
                WHERE d.event_id = e.event_id AND d.webhook_id = $2 AND d.finished_at IS NULL)
                  AS pending
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             WHERE f.feed_id = $1 AND f.sequence > $5
               AND e.created_at >= $3 AND e.created_at < $4
             ORDER BY f.sequence LIMIT $6"
        ),
        params![tenant, webhook, since, until, after, at_once],
        |row| {
            let kind: EventType = row.get::<String>("type")?.parse().map_err(Error::Fault)?;
            let status = row.get::<Option<String>>("status")?;
            Ok((
                (row.get("event_id")?, row.get("sequence")?),
                kind,
                status,
                row.get::<i64>("pending")? > 0,
            ))
        },
    )?;
    let full = looked.len() == at_once as usize;
    let next = looked.last().filter(|_| full).map(|it| it.0.1);
    let fits = |kind: EventType, status: Option<&str>| {
        // Test events of other webhooks do not concern this one.
        (kind != EventType::WebhookTest || status.is_some())
            && replay.kinds.contains(kind)
            && replay.status.is_none_or(|wanted| status == Some(wanted.name()))
    };
    let found = looked.into_iter().filter(|it| !it.3 && fits(it.1, it.2.as_deref()));
    Ok(ReplayPage { found: found.map(|it| it.0).collect(), next })
}

/// Returns a delivery of a webhook.
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

/// Returns the event of a webhook's delivery.
pub fn find_event(
    tx: &mut Tx<'_>,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<FeedEvent>> {
    tx.find(
        sql!(
            "SELECT e.event_id, e.type, e.license_id, e.resource_version, e.data, e.created_at,
               d.sequence
             FROM deliveries d JOIN events e ON e.event_id = d.event_id
             WHERE d.delivery_id = $1 AND d.webhook_id = $2"
        ),
        params![id, webhook],
        event::read,
    )
}

/// Lists the deliveries of a webhook, newest first, optionally of one status.
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

/// Counts them up to a limit.
fn count(tx: &mut Tx<'_>, webhook: WebhookId, status: Option<&str>) -> Result<Total> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT delivery_id FROM deliveries
               WHERE webhook_id = $1 AND (CAST($2 AS text) IS NULL OR status = $2)
               ORDER BY delivery_id DESC LIMIT $3) newest"
        ),
        params![webhook, status, BOUND],
        only_column,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(if total < u64::from(BOUND) { Total::Exact(total) } else { Total::About(total) })
}

fn read(row: &Row<'_>) -> Result<Delivery> {
    let status: DeliveryStatus = row.get::<String>("status")?.parse().map_err(fault)?;
    let due_at = row.get::<Timestamp>("due_at")?.max(read_pause(row)?);
    let reason: Option<String> = row.get("drop_reason")?;
    Ok(Delivery {
        id: row.get("delivery_id")?,
        webhook: row.get("webhook_id")?,
        event: row.get("event_id")?,
        kind: row.get::<String>("type")?.parse().map_err(fault)?,
        license: row.get("license_id")?,
        sequence: row.get("sequence")?,
        status,
        reason: reason.map(|it| it.parse().map_err(fault)).transpose()?,
        next_attempt_at: Some(due_at).filter(|_| status == DeliveryStatus::Pending),
        attempts: read_tries(row)?,
        created_at: row.get("created_at")?,
        finished_at: row.get("finished_at")?,
    })
}

fn read_tries(row: &Row<'_>) -> Result<Vec<Attempt>> {
    serde_json::from_str(&row.get::<String>("tries")?).map_err(fault)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid delivery: {what}"))
}
