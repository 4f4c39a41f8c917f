//! Deletes data after its retention period (contract section 10).

use std::time::Duration;

use grantor_domain::audit::Class;
use grantor_domain::idempotency::RETENTION;
use grantor_domain::scan::FORGOTTEN_AFTER;
use grantor_domain::websub::PUSH_RETENTION;
use grantor_domain::{Result, Timestamp};
use grantor_storage::{
    Tx, admin, authenticator_app, ceremony, challenge, delivery, device, event, evidence, exchange,
    expired_token, feed, idempotency, invitation, log, mail, notice, platform, scan, session,
    webhook, websub,
};

use crate::App;
use crate::licensing::license;
use crate::operations::{batch, log_retention};

/// Rows deleted per unit of work, kept small so that other writers do not wait long.
pub(super) const BATCH: u32 = 500;
/// How long finished mails are kept, so that operators can see what happened to them.
const FINISHED_MAILS: Duration = Duration::from_hours(7 * 24);

/// How long mails that were written to files are kept. They contain codes and links.
const MAIL_FILES: Duration = Duration::from_hours(30 * 24);

/// How long expired codes and sessions are kept, to tell expired from unknown.
const DEAD_LOGINS: Duration = Duration::from_hours(24);

/// How long a device stays known after the last sign-in from it.
const IDLE_DEVICES: Duration = Duration::from_hours(180 * 24);

/// How long expired refresh tokens are told from unknown ones: at least a year (contract section 3,
/// "Error codes").
const EXPIRED_TOKENS: Duration = Duration::from_hours(366 * 24);

/// How long a deleted webhook is kept, so that its deletion can be taken back.
const DELETED_WEBHOOKS: Duration = Duration::from_mins(2);

/// How long notices stay on the bell.
const NOTICES: Duration = Duration::from_hours(90 * 24);

/// How long it is remembered that a lasting state was told.
const TOLD_STATES: Duration = Duration::from_hours(366 * 24);

/// How long the time of the last request to a host is remembered.
const IDLE_HOSTS: Duration = Duration::from_hours(24);

/// How long a feed that nobody watches is kept, with its runs: somebody may watch it again.
const UNWATCHED_FEEDS: Duration = Duration::from_hours(24);

/// The configured retention periods.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// Events and their feeds.
    pub events: Duration,
    /// Access log entries.
    pub access: Duration,
    /// Audit log entries.
    pub audit: Duration,
    /// Evidence of mentions.
    pub evidence: Duration,
}

/// How long finished deliveries are kept at least, so that the webhook's owner can see them.
const SETTLED_DELIVERIES: Duration = Duration::from_hours(24);

type Delete = fn(&mut Tx<'_>, Timestamp) -> grantor_storage::Result<u64>;

/// Deletes everything older than its retention period and returns the number of rows.
pub async fn sweep(app: &App, retention: Retention) -> Result<u64> {
    let steps: [(Delete, Duration); 24] = [
        (|tx, before| webhook::sweep_deleted(tx, before, BATCH), DELETED_WEBHOOKS),
        (|tx, before| platform::purge_deleted(tx, before, BATCH), retention.audit),
        (|tx, before| evidence::delete_before(tx, before, BATCH), retention.evidence),
        (|tx, before| idempotency::delete_before(tx, before, BATCH), RETENTION),
        (|tx, before| mail::delete_finished(tx, before, BATCH), FINISHED_MAILS),
        (|tx, before| notice::delete_before(tx, before, BATCH), NOTICES),
        (|tx, before| notice::forget_told(tx, before, BATCH), TOLD_STATES),
        (|tx, before| challenge::delete_expired(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| ceremony::delete_expired(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| authenticator_app::delete_expired(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| session::delete_expired(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| admin::delete_expired_tokens(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| invitation::delete_expired(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| exchange::delete_expired(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| exchange::delete_expired_tokens(tx, before, BATCH), DEAD_LOGINS),
        (|tx, before| expired_token::delete_before(tx, before, BATCH), EXPIRED_TOKENS),
        (|tx, before| log::delete_expired_exports(tx, before, BATCH), Duration::ZERO),
        (|tx, before| device::delete_idle(tx, before, BATCH), IDLE_DEVICES),
        (|tx, before| scan::delete_items(tx, before, BATCH), FORGOTTEN_AFTER),
        (|tx, before| scan::delete_images(tx, before, BATCH), FORGOTTEN_AFTER),
        (|tx, before| scan::delete_cursors(tx, before, BATCH), FORGOTTEN_AFTER),
        (|tx, before| feed::delete_unwatched(tx, before, BATCH), UNWATCHED_FEEDS),
        (|tx, before| scan::delete_idle_hosts(tx, before, BATCH), IDLE_HOSTS),
        (|tx, before| websub::delete_pushes_before(tx, before, BATCH), PUSH_RETENTION),
    ];
    let mut deleted = 0;
    for (delete, kept) in steps {
        let before = app.clock.now().minus(kept);
        deleted += in_batches(app, move |tx| delete(tx, before)).await?;
    }
    deleted += log_retention::sweep(app, Class::Access, retention.access).await?;
    deleted += log_retention::sweep(app, Class::Audit, retention.audit).await?;
    deleted += license::forget_kept_images(app).await?;
    if let Some(mailbox) = app.mailer.mailbox() {
        deleted += mailbox.delete_before(app.clock.now().minus(MAIL_FILES)).await?;
    }
    deleted += batch::forget_old(app).await?;
    Ok(deleted + sweep_events(app, retention.events).await?)
}

/// Drops deliveries to disabled webhooks once their event is too old, and deletes the event a day
/// later, so that its owner can see that it was dropped.
async fn sweep_events(app: &App, kept: Duration) -> Result<u64> {
    let now = app.clock.now();
    let (before, settled) = (now.minus(kept), now.minus(SETTLED_DELIVERIES));
    in_batches(app, move |tx| delivery::drop_expired(tx, before, now, BATCH)).await?;
    in_batches(app, move |tx| event::delete_before(tx, before, settled, BATCH)).await
}

/// Repeats a bounded step until nothing is left, and returns the number of rows.
pub(super) async fn in_batches(
    app: &App,
    step: impl Fn(&mut Tx<'_>) -> grantor_storage::Result<u64> + Copy + Send + Sync + 'static,
) -> Result<u64> {
    let mut done = 0;
    loop {
        let rows: Result<u64> = app.store.write(move |tx| Ok(step(tx)?)).await;
        let rows = rows?;
        done += rows;
        if rows < u64::from(BATCH) {
            return Ok(done);
        }
    }
}
