//! What fails and what waits on the whole server, for staff. Everything is counted up to a bound, by
//! indexes of what fails alone.

use grantor_domain::Timestamp;
use grantor_domain::id::{MailId, PodId, TenantId, WebhookId};
use grantor_domain::page::{Listing, Page};

use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Something that fails or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// Sources whose feed cannot be read.
    FailingSources,
    /// Mails that were given up.
    FailedMails,
    /// Active webhooks whose deliveries fail.
    FailingWebhooks,
    /// Subscriptions whose payment was declined.
    DeclinedPayments,
    /// Platforms whose organizations asked for a scanner.
    WaitingPlatforms,
    /// Requests for help without an answer.
    OpenHelpRequests,
}

/// Counts what fails or waits, up to a bound. `at` is the current time, for mails the time since
/// which they are counted.
pub fn count(tx: &mut Tx<'_>, what: Concern, at: Timestamp, bound: u32) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql_choice!(
            what as usize,
            "SELECT count(*) FROM (SELECT 1 FROM ",
            [
                "watched_feeds f CROSS JOIN sources s
                 WHERE f.failing_since <= $1 AND s.feed_id = f.feed_id AND s.status = 'running'
                   AND s.stopped_at IS NULL",
                "mails WHERE state = 'failed' AND finished_at >= $1",
                "webhooks WHERE status = 'active' AND failing_since <= $1",
                "subscriptions WHERE status = 'past_due' AND created_at <= $1",
                "scanner_requests r CROSS JOIN platforms p
                 WHERE r.requested_at <= $1 AND p.platform_id = r.platform_id
                   AND p.deleted_at IS NULL",
                "help_requests WHERE answered_at IS NULL AND created_at <= $1",
            ],
            " LIMIT $2) found"
        ),
        params![at, bound],
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Lists the running pods whose last finished run failed. There are few pods.
pub fn failing_pods(tx: &mut Tx<'_>) -> Result<Vec<PodId>> {
    tx.query(
        sql!(
            "SELECT d.pod_id FROM pods d CROSS JOIN platforms p
             WHERE d.status = 'running' AND p.platform_id = d.platform_id AND p.deleted_at IS NULL
               AND (SELECT r.outcome FROM pod_runs r
                    WHERE r.pod_id = d.pod_id AND r.ended_at IS NOT NULL
                    ORDER BY r.started_at DESC, r.run_id DESC LIMIT 1) = 'failed'"
        ),
        params![],
        only_column,
    )
}

/// A webhook whose deliveries fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingWebhook {
    /// The webhook.
    pub id: WebhookId,
    /// The organization.
    pub tenant: TenantId,
    /// The organization's name.
    pub tenant_name: String,
    /// The URL, which may contain a secret.
    pub url: String,
    /// Since when all deliveries fail.
    pub failing_since: Timestamp,
    /// When an event was last delivered.
    pub last_success_at: Option<Timestamp>,
}

/// Lists failing webhooks, longest failing first.
pub fn failing_webhooks(
    tx: &mut Tx<'_>,
    now: Timestamp,
    page: Page,
) -> Result<Listing<FailingWebhook>> {
    let items = tx.query(
        sql!(
            "SELECT w.webhook_id, w.tenant_id, t.name, w.url, w.failing_since, w.last_success_at
             FROM webhooks w CROSS JOIN tenants t
             WHERE w.status = 'active' AND w.failing_since <= $1 AND t.tenant_id = w.tenant_id
             ORDER BY w.failing_since, w.webhook_id LIMIT $2 OFFSET $3"
        ),
        params![now, page.size() + 1, page.offset()],
        |row| {
            Ok(FailingWebhook {
                id: row.get("webhook_id")?,
                tenant: row.get("tenant_id")?,
                tenant_name: row.get("name")?,
                url: row.get("url")?,
                failing_since: row.get("failing_since")?,
                last_success_at: row.get("last_success_at")?,
            })
        },
    )?;
    total::listing(page, items, || total_of(tx, Concern::FailingWebhooks, now))
}

/// A mail that was given up. Its content and address are erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedMail {
    /// The mail.
    pub id: MailId,
    /// The kind of mail.
    pub kind: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub reason: Option<String>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it was given up.
    pub failed_at: Timestamp,
}

/// Lists mails that were given up since a time, newest first.
pub fn failed_mails(tx: &mut Tx<'_>, since: Timestamp, page: Page) -> Result<Listing<FailedMail>> {
    let items = tx.query(
        sql!(
            "SELECT mail_id, kind, attempts, last_error, created_at, finished_at FROM mails
             WHERE state = 'failed' AND finished_at >= $1
             ORDER BY finished_at DESC, mail_id DESC LIMIT $2 OFFSET $3"
        ),
        params![since, page.size() + 1, page.offset()],
        |row| {
            Ok(FailedMail {
                id: row.get("mail_id")?,
                kind: row.get("kind")?,
                attempts: row.get("attempts")?,
                reason: row.get("last_error")?,
                created_at: row.get("created_at")?,
                failed_at: row.get("finished_at")?,
            })
        },
    )?;
    total::listing(page, items, || total_of(tx, Concern::FailedMails, since))
}

/// A subscription whose payment was declined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclinedPayment {
    /// The organization.
    pub tenant: TenantId,
    /// The organization's name.
    pub tenant_name: String,
    /// The plan.
    pub plan: String,
    /// How often the payment was declined.
    pub failures: u32,
    /// When the payment is tried again.
    pub due_at: Timestamp,
}

/// Lists subscriptions whose payment was declined, oldest first.
pub fn declined_payments(
    tx: &mut Tx<'_>,
    now: Timestamp,
    page: Page,
) -> Result<Listing<DeclinedPayment>> {
    let items = tx.query(
        sql!(
            "SELECT b.tenant_id, t.name, b.plan, b.failures, b.due_at
             FROM subscriptions b CROSS JOIN tenants t
             WHERE b.status = 'past_due' AND b.created_at <= $1 AND t.tenant_id = b.tenant_id
             ORDER BY b.created_at, b.subscription_id LIMIT $2 OFFSET $3"
        ),
        params![now, page.size() + 1, page.offset()],
        |row| {
            Ok(DeclinedPayment {
                tenant: row.get("tenant_id")?,
                tenant_name: row.get("name")?,
                plan: row.get("plan")?,
                failures: row.get("failures")?,
                due_at: row.get("due_at")?,
            })
        },
    )?;
    total::listing(page, items, || total_of(tx, Concern::DeclinedPayments, now))
}

fn total_of(tx: &mut Tx<'_>, what: Concern, at: Timestamp) -> Result<Total> {
    let found = count(tx, what, at, BOUND)?;
    Ok(if found == u64::from(BOUND) { Total::About(found) } else { Total::Exact(found) })
}
