//! Subscriptions of feeds to their WebSub hubs, and what the hubs pushed. `due_at` is when the hub
//! is asked next, and the lease of the worker that asks it; a worker stores an outcome only if
//! `attempts` is still its own.

mod push;

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, WebSubId};
use grantor_domain::secret::SecretHash;
use grantor_domain::websub::{HubStatus, HubSubscription};

pub use self::push::{
    Push, delete as delete_push, delete_before as delete_pushes_before, has_any as has_pushes,
    insert as insert_push, list as list_pushes,
};
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx};

/// A subscription with its sealed token and secret.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSubscription {
    /// The subscription.
    pub subscription: HubSubscription,
    /// The token and the secret, sealed.
    pub sealed: Vec<u8>,
}

/// Inserts a subscription, or replaces that of the feed.
pub fn put(tx: &mut Tx<'_>, new: &SealedSubscription, token_hash: &SecretHash) -> Result<()> {
    let it = &new.subscription;
    tx.execute(
        sql!(
            "INSERT INTO websub_subscriptions (subscription_id, feed_id, hub, topic, token_hash,
               sealed, status, attempts, due_at, lease_ends_at, note, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
             ON CONFLICT (feed_id) DO UPDATE SET subscription_id = $1, hub = $3, topic = $4,
               token_hash = $5, sealed = $6, status = $7, attempts = $8, due_at = $9,
               lease_ends_at = $10, note = $11, created_at = $12, node_id = NULL"
        ),
        params![
            it.id,
            it.feed,
            it.hub,
            it.topic,
            token_hash.as_bytes().as_slice(),
            new.sealed,
            it.status.name(),
            it.attempts,
            it.due_at,
            it.lease_ends_at,
            it.note,
            it.created_at,
        ],
    )?;
    Ok(())
}

/// Returns the subscription of a feed.
pub fn find(tx: &mut Tx<'_>, feed: FeedId) -> Result<Option<HubSubscription>> {
    Ok(select(tx, 0, params![feed])?.pop().map(|it| it.subscription))
}

/// Like [`find`], and locks the subscription until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, feed: FeedId) -> Result<Option<HubSubscription>> {
    tx.lock(
        sql!("SELECT 1 FROM websub_subscriptions WHERE feed_id = $1 /*for update*/"),
        params![feed],
    )?;
    find(tx, feed)
}

/// Returns the subscription whose callback URL has the token with this hash.
pub fn find_by_token(tx: &mut Tx<'_>, token: &SecretHash) -> Result<Option<SealedSubscription>> {
    Ok(select(tx, 1, params![token.as_bytes().as_slice()])?.pop())
}

/// Like [`find_by_token`], and locks the subscription until the unit of work ends.
pub fn claim_by_token(tx: &mut Tx<'_>, token: &SecretHash) -> Result<Option<SealedSubscription>> {
    tx.lock(
        sql!("SELECT 1 FROM websub_subscriptions WHERE token_hash = $1 /*for update*/"),
        params![token.as_bytes().as_slice()],
    )?;
    find_by_token(tx, token)
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<SealedSubscription>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT subscription_id, feed_id, hub, topic, status, attempts, due_at, lease_ends_at,
               note, created_at, sealed
             FROM websub_subscriptions WHERE ",
            ["feed_id = $1", "token_hash = $1"],
            ""
        ),
        key,
        read,
    )
}

/// Whether a subscription is due.
pub fn is_due(tx: &mut Tx<'_>, now: Timestamp) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM websub_subscriptions WHERE due_at <= $1 LIMIT 1"),
        params![now],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Claims due subscriptions, with a lease until `until`. A denied one is requested again.
pub fn claim_due(
    tx: &mut Tx<'_>,
    now: Timestamp,
    until: Timestamp,
    at_most: u32,
) -> Result<Vec<SealedSubscription>> {
    let node = tx.node();
    tx.query(
        sql!(
            "WITH due AS MATERIALIZED (
               SELECT subscription_id FROM websub_subscriptions WHERE due_at <= $1
               ORDER BY due_at LIMIT $3 /*skip locked*/)
             UPDATE websub_subscriptions SET attempts = attempts + 1, due_at = $2, node_id = $4,
               status = CASE WHEN status = 'denied' THEN 'pending' ELSE status END
             WHERE subscription_id IN (SELECT subscription_id FROM due)
             RETURNING subscription_id, feed_id, hub, topic, status, attempts, due_at,
               lease_ends_at, note, created_at, sealed"
        ),
        params![now, until, at_most, node],
        read,
    )
}

/// Records the outcome of a request that the hub has not confirmed yet: when to ask again, and why
/// it failed. Nothing changes if the hub has confirmed it meanwhile, or another worker asks.
pub fn postpone(
    tx: &mut Tx<'_>,
    asked: &HubSubscription,
    due_at: Timestamp,
    note: Option<&str>,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE websub_subscriptions SET due_at = $3, note = $4, node_id = NULL
             WHERE subscription_id = $1 AND attempts = $2"
        ),
        params![asked.id, asked.attempts, due_at, note],
    )?;
    Ok(())
}

/// Records that the hub confirmed the subscription until `lease_ends_at`; it is renewed at
/// `due_at`.
pub fn activate(
    tx: &mut Tx<'_>,
    id: WebSubId,
    lease_ends_at: Timestamp,
    due_at: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE websub_subscriptions SET status = 'active', attempts = 0, lease_ends_at = $2,
               due_at = $3, note = NULL, node_id = NULL
             WHERE subscription_id = $1"
        ),
        params![id, lease_ends_at, due_at],
    )?;
    Ok(())
}

/// Records that the hub denied the subscription; it is requested again at `due_at`.
pub fn deny(tx: &mut Tx<'_>, id: WebSubId, note: &str, due_at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE websub_subscriptions SET status = 'denied', attempts = 0, lease_ends_at = NULL,
               due_at = $3, note = $2, node_id = NULL
             WHERE subscription_id = $1"
        ),
        params![id, note, due_at],
    )?;
    Ok(())
}

/// Requests a subscription again that ends or has ended.
pub fn restart(tx: &mut Tx<'_>, id: WebSubId, due_at: Timestamp) -> Result<()> {
    set_status(tx, id, HubStatus::Pending, due_at)
}

/// Marks a subscription as no longer wanted. The hub is asked to end it at `due_at`.
pub fn end(tx: &mut Tx<'_>, id: WebSubId, due_at: Timestamp) -> Result<()> {
    set_status(tx, id, HubStatus::Ending, due_at)
}

/// Records that a subscription has ended. Whether it is wanted again is checked at `due_at`.
pub fn mark_ended(tx: &mut Tx<'_>, id: WebSubId, due_at: Timestamp) -> Result<()> {
    set_status(tx, id, HubStatus::Ended, due_at)
}

fn set_status(tx: &mut Tx<'_>, id: WebSubId, status: HubStatus, due_at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE websub_subscriptions SET status = $2, attempts = 0, due_at = $3, note = NULL,
               node_id = NULL
             WHERE subscription_id = $1"
        ),
        params![id, status.name(), due_at],
    )?;
    Ok(())
}

/// Deletes a subscription.
pub fn delete(tx: &mut Tx<'_>, id: WebSubId) -> Result<()> {
    tx.execute(sql!("DELETE FROM websub_subscriptions WHERE subscription_id = $1"), params![id])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<SealedSubscription> {
    let subscription = HubSubscription {
        id: row.get("subscription_id")?,
        feed: row.get("feed_id")?,
        hub: row.get("hub")?,
        topic: row.get("topic")?,
        status: row.get::<String>("status")?.parse::<HubStatus>().map_err(Error::Fault)?,
        attempts: row.get("attempts")?,
        due_at: row.get("due_at")?,
        lease_ends_at: row.get("lease_ends_at")?,
        note: row.get("note")?,
        created_at: row.get("created_at")?,
    };
    Ok(SealedSubscription { subscription, sealed: row.get("sealed")? })
}
