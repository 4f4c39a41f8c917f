//! Webhooks.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::event::EventTypes;
use grantor_domain::id::{TenantId, UserId, WebhookId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::{Role, TenantType};
use grantor_domain::usage::LimitedResource;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column, usage};

/// The sealed secrets of a webhook.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The current secret.
    pub secret: Vec<u8>,
    /// The previous secret, and until when it also signs.
    pub old: Option<(Vec<u8>, Timestamp)>,
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(…)")
    }
}

/// Inserts a webhook.
pub fn insert(tx: &mut Tx<'_>, webhook: &Webhook, secret: &[u8]) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO webhooks (webhook_id, tenant_id, user_id, url, description, events,
               status, secret, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        params![
            webhook.id,
            webhook.tenant,
            webhook.user,
            webhook.url.as_str(),
            webhook.description.as_str(),
            webhook.events.bits(),
            webhook.status.name(),
            secret,
            webhook.created_at,
            webhook.updated_at,
        ],
    )?;
    usage::add(tx, webhook.tenant, LimitedResource::Webhooks, 1)
}

/// Updates a webhook. Its failure state is reset if the URL changes or it is enabled again.
pub fn update(tx: &mut Tx<'_>, webhook: &Webhook) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE webhooks SET url = $2, description = $3, events = $4, status = $5,
               updated_at = $6, failing_since = $7,
               rests_until = CASE WHEN url = $2 AND status = $5 THEN rests_until END
             WHERE webhook_id = $1"
        ),
        params![
            webhook.id,
            webhook.url.as_str(),
            webhook.description.as_str(),
            webhook.events.bits(),
            webhook.status.name(),
            webhook.updated_at,
            webhook.failing_since,
        ],
    )?;
    Ok(())
}

/// Sets a new secret; the previous one also signs until `old_until`.
pub fn rotate(
    tx: &mut Tx<'_>,
    id: WebhookId,
    secret: &[u8],
    old_until: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE webhooks SET old_secret = secret, old_secret_until = $3, secret = $2,
               updated_at = $4
             WHERE webhook_id = $1"
        ),
        params![id, secret, old_until, now],
    )?;
    Ok(())
}

/// Replaces the newest secret; the previous one also signs until its expiry.
pub fn replace_secret(tx: &mut Tx<'_>, id: WebhookId, secret: &[u8], now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE webhooks SET secret = $2, updated_at = $3 WHERE webhook_id = $1"),
        params![id, secret, now],
    )?;
    Ok(())
}

/// Marks a webhook as deleted; its deliveries are swept later.
pub fn delete(tx: &mut Tx<'_>, id: WebhookId, now: Timestamp) -> Result<()> {
    let tenant: Option<TenantId> = tx.find(
        sql!(
            "UPDATE webhooks SET status = 'deleted', updated_at = $2
             WHERE webhook_id = $1 AND status <> 'deleted' RETURNING tenant_id"
        ),
        params![id, now],
        only_column,
    )?;
    match tenant {
        Some(tenant) => usage::add(tx, tenant, LimitedResource::Webhooks, -1),
        None => Ok(()),
    }
}

/// Restores a tenant's webhook that was deleted and not swept yet, with this status. False if there is
/// none.
pub fn restore(
    tx: &mut Tx<'_>,
    (tenant, id): (TenantId, WebhookId),
    status: WebhookStatus,
    now: Timestamp,
) -> Result<bool> {
    let restored = tx.execute(
        sql!(
            "UPDATE webhooks SET status = $3, updated_at = $4
             WHERE webhook_id = $1 AND tenant_id = $2 AND status = 'deleted'"
        ),
        params![id, tenant, status.name(), now],
    )?;
    if restored == 1 {
        usage::add(tx, tenant, LimitedResource::Webhooks, 1)?;
    }
    Ok(restored == 1)
}

/// Returns a tenant's webhook.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: WebhookId) -> Result<Option<Webhook>> {
    Ok(find_anywhere(tx, id)?.filter(|it| it.tenant == tenant))
}

/// Returns a webhook of any tenant, for the sender.
pub fn find_anywhere(tx: &mut Tx<'_>, id: WebhookId) -> Result<Option<Webhook>> {
    tx.find(
        sql!(
            "SELECT webhook_id, tenant_id, user_id, url, description, events, status, created_at,
               updated_at, last_success_at, failing_since
             FROM webhooks WHERE webhook_id = $1 AND status <> 'deleted'"
        ),
        params![id],
        read,
    )
}

/// Like [`find`], and locks the webhook until the unit ends.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: WebhookId) -> Result<Option<Webhook>> {
    tx.lock(
        sql!("SELECT 1 FROM webhooks WHERE webhook_id = $1 AND tenant_id = $2 /*for update*/"),
        params![id, tenant],
    )?;
    find(tx, tenant, id)
}

/// What the sender needs to know of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// The URL to which events are sent.
    pub url: String,
    /// The webhook's tenant.
    pub tenant: TenantId,
    /// The tenant's type.
    pub kind: TenantType,
    /// The user who created it, with their role, while they are an active member.
    pub maker: Option<(UserId, Role)>,
    /// The sealed secrets.
    pub sealed: Sealed,
}

/// Returns the receiver of a webhook of any tenant.
pub fn find_receiver(tx: &mut Tx<'_>, id: WebhookId) -> Result<Option<Receiver>> {
    tx.find(
        sql!(
            "SELECT w.secret, w.old_secret, w.old_secret_until, w.url, w.tenant_id, t.type,
               m.user_id, m.role
             FROM webhooks w JOIN tenants t ON t.tenant_id = w.tenant_id
             LEFT JOIN memberships m
               ON m.user_id = w.user_id AND m.tenant_id = w.tenant_id AND m.status = 'active'
             WHERE w.webhook_id = $1 AND w.status <> 'deleted'"
        ),
        params![id],
        |row| {
            let sealed = read_sealed(row)?;
            let kind = row.get::<String>("type")?.parse().map_err(Error::Fault)?;
            let role = row.get::<Option<String>>("role")?;
            let role = role.map(|it| it.parse().map_err(Error::Fault)).transpose()?;
            let maker = row.get::<Option<UserId>>("user_id")?.zip(role);
            Ok(Receiver {
                url: row.get("url")?,
                tenant: row.get("tenant_id")?,
                kind,
                maker,
                sealed,
            })
        },
    )
}

/// Returns the sealed secrets.
pub fn secrets(tx: &mut Tx<'_>, id: WebhookId) -> Result<Option<Sealed>> {
    tx.find(
        sql!("SELECT secret, old_secret, old_secret_until FROM webhooks WHERE webhook_id = $1"),
        params![id],
        read_sealed,
    )
}

fn read_sealed(row: &Row<'_>) -> Result<Sealed> {
    let old = row.get::<Option<Vec<u8>>>("old_secret")?.zip(row.get("old_secret_until")?);
    Ok(Sealed { secret: row.get("secret")?, old })
}

/// Lists the tenant's webhooks, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, page: Page) -> Result<Listing<Webhook>> {
    let total = count(tx, tenant)?;
    let items = tx.query(
        sql!(
            "SELECT webhook_id, tenant_id, user_id, url, description, events, status, created_at,
               updated_at, last_success_at, failing_since
             FROM webhooks WHERE tenant_id = $1 AND status <> 'deleted'
             ORDER BY created_at DESC, webhook_id DESC LIMIT $2 OFFSET $3"
        ),
        params![tenant, page.size(), page.offset()],
        read,
    )?;
    Ok(Listing::new(page, items, total))
}

/// Counts the tenant's webhooks.
pub fn count(tx: &mut Tx<'_>, tenant: TenantId) -> Result<u64> {
    let found = tx.find(
        sql!("SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND status <> 'deleted'"),
        params![tenant],
        only_column::<i64>,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Records a successful delivery.
pub fn record_success(tx: &mut Tx<'_>, id: WebhookId, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE webhooks SET last_success_at = $2, failing_since = NULL, rests_until = NULL
             WHERE webhook_id = $1 AND (last_success_at IS NULL OR last_success_at < $2)"
        ),
        params![id, at],
    )?;
    Ok(())
}

/// Pauses deliveries until this time; `None` ends the pause.
pub fn set_pause(tx: &mut Tx<'_>, id: WebhookId, until: Option<Timestamp>) -> Result<()> {
    tx.execute(
        sql!("UPDATE webhooks SET rests_until = $2 WHERE webhook_id = $1"),
        params![id, until],
    )?;
    Ok(())
}

/// Records a failed delivery; returns since when deliveries have been failing.
pub fn record_failure(tx: &mut Tx<'_>, id: WebhookId, at: Timestamp) -> Result<Option<Timestamp>> {
    tx.execute(
        sql!(
            "UPDATE webhooks SET failing_since = $2
             WHERE webhook_id = $1 AND failing_since IS NULL
               AND (last_success_at IS NULL OR last_success_at < $2)"
        ),
        params![id, at],
    )?;
    let found = tx.find(
        sql!("SELECT failing_since FROM webhooks WHERE webhook_id = $1"),
        params![id],
        only_column::<Option<Timestamp>>,
    )?;
    Ok(found.flatten())
}

/// Deletes deliveries of webhooks that were deleted before this time and then the webhooks, a limited
/// number at a time.
pub fn sweep_deleted(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let swept = tx.execute(
        sql!(
            "DELETE FROM deliveries WHERE delivery_id IN (
               SELECT d.delivery_id FROM webhooks w
               JOIN deliveries d ON d.webhook_id = w.webhook_id
               WHERE w.status = 'deleted' AND w.updated_at <= $2 LIMIT $1)"
        ),
        params![at_most, before],
    )?;
    if swept == u64::from(at_most) {
        return Ok(swept);
    }
    let deleted = tx.execute(
        sql!(
            "DELETE FROM webhooks WHERE webhook_id IN (
               SELECT w.webhook_id FROM webhooks w
               WHERE w.status = 'deleted' AND w.updated_at <= $2 AND NOT EXISTS (
                 SELECT 1 FROM deliveries d WHERE d.webhook_id = w.webhook_id)
               LIMIT $1)"
        ),
        params![at_most, before],
    )?;
    Ok(swept + deleted)
}

fn read(row: &Row<'_>) -> Result<Webhook> {
    let fault = |what: String| Error::Fault(format!("invalid webhook: {what}"));
    let bits = u32::try_from(row.get::<i64>("events")?).unwrap_or(0);
    Ok(Webhook {
        id: row.get("webhook_id")?,
        tenant: row.get("tenant_id")?,
        user: row.get("user_id")?,
        url: row.get("url")?,
        description: WebhookNote::parse(&row.get::<String>("description")?).map_err(fault)?,
        events: EventTypes::from_bits(bits),
        status: row.get::<String>("status")?.parse().map_err(fault)?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        last_success_at: row.get("last_success_at")?,
        failing_since: row.get("failing_since")?,
    })
}
