//! The sender's queries: due deliveries, claims, and the outcomes of attempts.

use std::collections::HashSet;

use grantor_domain::Timestamp;
use grantor_domain::delivery::{Attempt, DeliveryStatus, DropReason};
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::trace::TraceContext;

use super::day::Ended;
use super::{fault, read_tries};
use crate::event::FeedEvent;
use crate::license::reader::Reader;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, event, only_column};

/// How many outcomes one statement writes.
const AT_ONCE: usize = 8;

/// A delivery claimed for sending.
#[derive(Clone, Debug, PartialEq)]
pub struct Claimed {
    /// The delivery's id.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook: WebhookId,
    /// Number of started attempts including this one; identifies the claim.
    pub attempts: u32,
    /// Number of failed attempts since the delivery was queued or retried.
    pub failed: u32,
    /// The previous attempts.
    pub tries: Vec<Attempt>,
    /// The event to send.
    pub event: FeedEvent,
    /// The trace that the event belongs to.
    pub trace: Option<TraceContext>,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The delivery.
    pub id: DeliveryId,
    /// The attempt number of the claim.
    pub attempts: u32,
    /// The delivery's status.
    pub status: DeliveryStatus,
    /// Number of failed attempts.
    pub failed: u32,
    /// All attempts.
    pub tries: Vec<Attempt>,
    /// When the next attempt is due, if there is one.
    pub due_at: Timestamp,
}

/// Lists the webhooks with pending deliveries, each with the time its first delivery is due or, if
/// later, the end of its pause, soonest first. The statement skips from webhook to webhook in the
/// index of pending deliveries, however many wait for each; the order, which only this index has,
/// keeps the engine from scanning finished deliveries.
pub fn waiting(tx: &mut Tx<'_>) -> Result<Vec<(WebhookId, Timestamp)>> {
    let mut waiting: Vec<(WebhookId, Timestamp)> = tx.query(
        sql!(
            "WITH RECURSIVE receivers (webhook_id) AS (
               SELECT (SELECT webhook_id FROM deliveries WHERE status = 'pending'
                       ORDER BY webhook_id, due_at LIMIT 1)
               UNION ALL
               SELECT (SELECT d.webhook_id FROM deliveries d
                       WHERE d.status = 'pending' AND d.webhook_id > r.webhook_id
                       ORDER BY d.webhook_id, d.due_at LIMIT 1)
               FROM receivers r WHERE r.webhook_id IS NOT NULL)
             SELECT w.webhook_id,
               (SELECT d.due_at FROM deliveries d
                WHERE d.status = 'pending' AND d.webhook_id = w.webhook_id
                ORDER BY d.due_at LIMIT 1) AS due_at, w.rests_until
             FROM receivers r CROSS JOIN webhooks w CROSS JOIN tenants t
             WHERE w.webhook_id = r.webhook_id AND t.tenant_id = w.tenant_id
               AND w.status = 'active' AND t.status = 'active'"
        ),
        params![],
        |row| Ok((row.get("webhook_id")?, row.get::<Timestamp>("due_at")?.max(read_pause(row)?))),
    )?;
    waiting.sort_unstable_by_key(|it| it.1);
    Ok(waiting)
}

/// Returns when a webhook's pause ends; long past if it is not paused.
pub(super) fn read_pause(row: &Row<'_>) -> Result<Timestamp> {
    let until: Option<Timestamp> = row.get("rests_until")?;
    Ok(until.unwrap_or(Timestamp::from_micros(i64::MIN)))
}

/// Claims due deliveries of one webhook, oldest first. The sender has until `until` to report the
/// outcome; then, or when its node dies, they are due again, so that a crash loses none. Each comes
/// with whether its license is visible to the reader. This is a single statement, because the
/// sender's next turn waits for each round trip.
pub fn claim(
    tx: &mut Tx<'_>,
    (webhook, reader): (WebhookId, Reader),
    now: Timestamp,
    until: Timestamp,
    at_most: u32,
) -> Result<Vec<(Claimed, bool)>> {
    let ([one, other], node) = (reader.ids(), tx.node());
    let mut claimed: Vec<(Claimed, bool)> = tx.query(
        sql!(
            "WITH due AS MATERIALIZED (
               SELECT delivery_id FROM deliveries
               WHERE webhook_id = $1 AND status = 'pending' AND due_at <= $2
               ORDER BY due_at, delivery_id LIMIT $4 /*skip locked*/)
             UPDATE deliveries SET attempts = attempts + 1, due_at = $3, node_id = $7
             WHERE delivery_id IN (SELECT delivery_id FROM due)
             RETURNING event_id,
               (SELECT e.type FROM events e WHERE e.event_id = deliveries.event_id) AS type,
               (SELECT e.license_id FROM events e
                WHERE e.event_id = deliveries.event_id) AS license_id,
               (SELECT e.resource_version FROM events e
                WHERE e.event_id = deliveries.event_id) AS resource_version,
               (SELECT e.data FROM events e WHERE e.event_id = deliveries.event_id) AS data,
               (SELECT e.created_at FROM events e
                WHERE e.event_id = deliveries.event_id) AS created_at,
               sequence, delivery_id, webhook_id, attempts, failed, tries,
               (SELECT e.trace_context FROM events e
                WHERE e.event_id = deliveries.event_id) AS trace_context,
               (SELECT count(*) FROM events e JOIN license_readers r ON r.license_id = e.license_id
                WHERE e.event_id = deliveries.event_id AND r.reader_id IN ($5, $6)) AS readers"
        ),
        params![webhook, now, until, at_most, one, other, node],
        |row| Ok((read_claimed(row)?, row.get::<i64>("readers")? > 0)),
    )?;
    claimed.sort_by_key(|(it, _)| (it.event.sequence, it.id));
    Ok(claimed)
}

fn read_claimed(row: &Row<'_>) -> Result<Claimed> {
    Ok(Claimed {
        event: event::read(row)?,
        id: row.get("delivery_id")?,
        webhook: row.get("webhook_id")?,
        attempts: row.get("attempts")?,
        failed: row.get("failed")?,
        tries: read_tries(row)?,
        trace: event::read_trace(row)?,
    })
}

/// Returns a delivery that was queued as claimed.
pub fn find_claimed(tx: &mut Tx<'_>, id: DeliveryId) -> Result<Option<Claimed>> {
    tx.find(
        sql!(
            "SELECT e.event_id, e.type, e.license_id, e.resource_version, e.data, e.created_at,
               d.sequence, d.delivery_id, d.webhook_id, d.attempts, d.failed, d.tries,
               e.trace_context
             FROM deliveries d JOIN events e ON e.event_id = d.event_id
             WHERE d.delivery_id = $1 AND d.status = 'pending'"
        ),
        params![id],
        read_claimed,
    )
}

/// Writes the outcomes of attempts and returns those whose claim was lost.
pub fn settle(
    tx: &mut Tx<'_>,
    outcomes: &[&Outcome],
    now: Timestamp,
) -> Result<HashSet<DeliveryId>> {
    let mut lost: HashSet<_> = outcomes.iter().map(|it| it.id).collect();
    let mut ended = Ended::default();
    let arrived = |it: &&Outcome| it.status == DeliveryStatus::Delivered;
    let (arrived, rest): (Vec<_>, Vec<_>) = outcomes.iter().copied().partition(arrived);
    for chunk in arrived.chunks(AT_ONCE) {
        for (id, webhook) in settle_arrived(tx, chunk, now)? {
            lost.remove(&id);
            ended.add(webhook, DeliveryStatus::Delivered);
        }
    }
    for outcome in rest {
        if let Some(webhook) = settle_one(tx, outcome, now)? {
            lost.remove(&outcome.id);
            ended.add(webhook, outcome.status);
        }
    }
    ended.write(tx, now)?;
    Ok(lost)
}

/// Writes many successful outcomes with one statement, because most attempts succeed. Returns those
/// whose claim was still valid, and their webhooks.
fn settle_arrived(
    tx: &mut Tx<'_>,
    outcomes: &[&Outcome],
    now: Timestamp,
) -> Result<Vec<(DeliveryId, WebhookId)>> {
    let tries: Vec<_> = outcomes.iter().map(|it| write_tries(it)).collect::<Result<_>>()?;
    let mut params = params![now].to_vec();
    for at in 0..AT_ONCE {
        let at = at.min(outcomes.len() - 1);
        params.extend_from_slice(params![outcomes[at].id, tries[at], outcomes[at].attempts]);
    }
    tx.query(
        sql!(
            "UPDATE deliveries SET status = 'delivered', due_at = $1, finished_at = $1,
               node_id = NULL,
               tries = CASE delivery_id
                 WHEN $2 THEN $3 WHEN $5 THEN $6 WHEN $8 THEN $9 WHEN $11 THEN $12
                 WHEN $14 THEN $15 WHEN $17 THEN $18 WHEN $20 THEN $21 WHEN $23 THEN $24
                 ELSE tries END
             WHERE delivery_id IN ($2, $5, $8, $11, $14, $17, $20, $23)
               AND status = 'pending' AND attempts = CASE delivery_id
                 WHEN $2 THEN $4 WHEN $5 THEN $7 WHEN $8 THEN $10 WHEN $11 THEN $13
                 WHEN $14 THEN $16 WHEN $17 THEN $19 WHEN $20 THEN $22 WHEN $23 THEN $25
                 ELSE CAST(-1 AS bigint) END
             RETURNING delivery_id, webhook_id"
        ),
        &params,
        |row| Ok((row.get("delivery_id")?, row.get("webhook_id")?)),
    )
}

/// Returns the webhook if the claim was still valid.
fn settle_one(tx: &mut Tx<'_>, outcome: &Outcome, now: Timestamp) -> Result<Option<WebhookId>> {
    let finished = Some(now).filter(|_| outcome.status != DeliveryStatus::Pending);
    tx.find(
        sql!(
            "UPDATE deliveries SET status = $3, failed = $4, tries = $5, due_at = $6,
               finished_at = $7, node_id = NULL
             WHERE delivery_id = $1 AND attempts = $2 AND status = 'pending'
             RETURNING webhook_id"
        ),
        params![
            outcome.id,
            outcome.attempts,
            outcome.status.name(),
            outcome.failed,
            write_tries(outcome)?,
            outcome.due_at,
            finished,
        ],
        only_column,
    )
}

fn write_tries(outcome: &Outcome) -> Result<String> {
    serde_json::to_string(&outcome.tries).map_err(fault)
}

/// Drops a claimed delivery. False if the claim was lost.
pub fn drop_claimed(
    tx: &mut Tx<'_>,
    (id, attempts): (DeliveryId, u32),
    reason: DropReason,
    now: Timestamp,
) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE deliveries SET status = 'dropped', drop_reason = $3, finished_at = $4,
               node_id = NULL
             WHERE delivery_id = $1 AND attempts = $2 AND status = 'pending'"
        ),
        params![id, attempts, reason.name(), now],
    )?;
    Ok(changed == 1)
}

/// Drops pending deliveries of disabled webhooks whose events are past their retention, a limited
/// number at a time. Otherwise they would keep the events forever.
pub fn drop_expired(
    tx: &mut Tx<'_>,
    before: Timestamp,
    now: Timestamp,
    at_most: u32,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE deliveries SET status = 'dropped', drop_reason = $4, finished_at = $2
             WHERE delivery_id IN (
               SELECT d.delivery_id FROM webhooks w
               JOIN tenants t ON t.tenant_id = w.tenant_id
               JOIN deliveries d ON d.webhook_id = w.webhook_id
               JOIN events e ON e.event_id = d.event_id
               WHERE (w.status = 'disabled' OR t.status <> 'active') AND d.status = 'pending'
                 AND d.due_at <= $2 AND e.created_at < $1 LIMIT $3)"
        ),
        params![before, now, at_most, DropReason::Expired.name()],
    )
}
