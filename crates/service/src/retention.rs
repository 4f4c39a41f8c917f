//! What is forgotten, and when (contract section 10).

use std::time::Duration;

use grantor_domain::idempotency::KEPT;
use grantor_domain::scan::FORGOTTEN_AFTER;
use grantor_domain::{Result, Timestamp};
use grantor_storage::{
    Tx, admin, audit, challenge, delivery, device, event, exchange, expired_token, idempotency,
    invitation, log, mail, scan, session, webhook,
};

use crate::App;

/// Rows one unit of work deletes: short units keep other writers moving.
const AT_ONCE: u32 = 500;
/// How long finished mails stay, for whoever asks what became of one.
const FINISHED_MAILS: Duration = Duration::from_hours(7 * 24);

/// How long codes and sessions stay after their end: long enough to tell late from unknown.
const DEAD_LOGINS: Duration = Duration::from_hours(24);

/// How long a device counts as its owner's after the last sign-in from it.
const IDLE_DEVICES: Duration = Duration::from_hours(180 * 24);

/// How long a refresh token that expired is told from an unknown one: a year at least (contract section
/// 3, "Error codes").
const EXPIRED_TOKENS: Duration = Duration::from_hours(366 * 24);

/// How long it is remembered when a host was asked last.
const IDLE_HOSTS: Duration = Duration::from_hours(24);

/// How long each class is kept.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// Events and their feeds.
    pub events: Duration,
    /// Access log entries.
    pub access: Duration,
    /// Audit log entries.
    pub audit: Duration,
}

/// How long what became of a delivery stays at least, for its receiver's owner to see.
const SETTLED_DELIVERIES: Duration = Duration::from_hours(24);

type Delete = fn(&mut Tx<'_>, Timestamp) -> grantor_storage::Result<u64>;

/// Deletes what is older than its retention; gives the number of rows.
pub async fn sweep(app: &App, retention: Retention) -> Result<u64> {
    let steps: [(Delete, Duration); 17] = [
        (|tx, _| webhook::delete_gone(tx, AT_ONCE), Duration::ZERO),
        (|tx, before| audit::delete_before(tx, "access", before, AT_ONCE), retention.access),
        (|tx, before| audit::delete_before(tx, "audit", before, AT_ONCE), retention.audit),
        (|tx, before| idempotency::delete_before(tx, before, AT_ONCE), KEPT),
        (|tx, before| mail::delete_finished(tx, before, AT_ONCE), FINISHED_MAILS),
        (|tx, before| challenge::delete_expired(tx, before, AT_ONCE), DEAD_LOGINS),
        (|tx, before| session::delete_expired(tx, before, AT_ONCE), DEAD_LOGINS),
        (|tx, before| admin::delete_expired_tokens(tx, before, AT_ONCE), DEAD_LOGINS),
        (|tx, before| invitation::delete_expired(tx, before, AT_ONCE), DEAD_LOGINS),
        (|tx, before| exchange::delete_expired(tx, before, AT_ONCE), DEAD_LOGINS),
        (|tx, before| exchange::delete_expired_tokens(tx, before, AT_ONCE), DEAD_LOGINS),
        (|tx, before| expired_token::delete_before(tx, before, AT_ONCE), EXPIRED_TOKENS),
        (|tx, before| log::delete_expired_exports(tx, before, AT_ONCE), Duration::ZERO),
        (|tx, before| device::delete_idle(tx, before, AT_ONCE), IDLE_DEVICES),
        (|tx, before| scan::delete_items(tx, before, AT_ONCE), FORGOTTEN_AFTER),
        (|tx, before| scan::delete_cursors(tx, before, AT_ONCE), FORGOTTEN_AFTER),
        (|tx, before| scan::delete_idle_hosts(tx, before, AT_ONCE), IDLE_HOSTS),
    ];
    let mut deleted = 0;
    for (delete, kept) in steps {
        let before = app.clock.now().minus(kept);
        deleted += piecemeal(app, move |tx| delete(tx, before)).await?;
    }
    Ok(deleted + sweep_events(app, retention.events).await?)
}

/// What waits for a receiver that is switched off is dropped once its event is too old, and the
/// event goes when its owner has had a day to see that.
async fn sweep_events(app: &App, kept: Duration) -> Result<u64> {
    let now = app.clock.now();
    let (before, settled) = (now.minus(kept), now.minus(SETTLED_DELIVERIES));
    piecemeal(app, move |tx| delivery::drop_expired(tx, before, now, AT_ONCE)).await?;
    piecemeal(app, move |tx| event::delete_before(tx, before, settled, AT_ONCE)).await
}

/// Repeats a bounded step until nothing is left to do; gives the number of rows.
async fn piecemeal(
    app: &App,
    step: impl Fn(&mut Tx<'_>) -> grantor_storage::Result<u64> + Copy + Send + Sync + 'static,
) -> Result<u64> {
    let mut done = 0;
    loop {
        let rows: Result<u64> = app.store.write(move |tx| Ok(step(tx)?)).await;
        let rows = rows?;
        done += rows;
        if rows < u64::from(AT_ONCE) {
            return Ok(done);
        }
    }
}
