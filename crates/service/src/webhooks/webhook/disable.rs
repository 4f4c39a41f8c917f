//! Webhooks whose receiver is gone or keeps failing: telling their tenant, and disabling them.

use std::time::Duration;

use grantor_domain::id::WebhookId;
use grantor_domain::notice::NoticeKind;
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{notice, webhook};
use serde_json::json;

use super::{not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::notices;
use crate::{App, Context};

/// How long a webhook may only fail before its tenant is told.
pub(crate) const WARNED_AFTER: Duration = Duration::from_hours(24);

/// Why a webhook is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its receiver returned 410 Gone.
    Gone,
    /// All deliveries have failed for days.
    Failing,
}

impl Reason {
    const fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }

    /// The key of the message about it.
    const fn key(self) -> &'static str {
        match self {
            Self::Gone => "mail-reason-webhook-gone",
            Self::Failing => "mail-reason-webhook-fails",
        }
    }
}

/// Disables a webhook. Returns false if it was already disabled.
pub async fn disable(app: &App, context: &Context, id: WebhookId, reason: Reason) -> Result<bool> {
    let found = app.store.lookup(move |tx| webhook::find_anywhere(tx, id)).await;
    let active = found?.is_some_and(|it| it.status == WebhookStatus::Active);
    if !active {
        return Ok(false);
    }
    match app.act(context, Disable { id, reason }).await {
        // Another sender disabled it first.
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(false),
        outcome => outcome.map(|()| true),
    }
}

struct Disable {
    id: WebhookId,
    reason: Reason,
}

impl Act for Disable {
    type Permit = Webhook;
    type Output = ();
    const ACTION: &'static str = "webhook.disable";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        let found = webhook::find_anywhere(unit.tx, self.id)?.ok_or_else(not_found)?;
        let held = webhook::claim(unit.tx, found.tenant, self.id)?;
        held.filter(|it| it.status == WebhookStatus::Active).ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, mut webhook: Webhook) -> Result<Done<()>> {
        webhook.status = WebhookStatus::Disabled;
        webhook.updated_at = unit.now;
        webhook::update(unit.tx, &webhook)?;
        notices::webhook_disabled(unit, &webhook, self.reason.key())?;
        let mut done = Done::new((), resource(&webhook), "A webhook was disabled").refused();
        done.details = json!({ "reason": self.reason.name() });
        done.tenant = Some(webhook.tenant);
        Ok(done)
    }
}

/// Tells the tenant that a webhook has failed since then, once. Returns false if it was told before.
pub(crate) async fn warn_failing(
    app: &App,
    context: &Context,
    id: WebhookId,
    since: Timestamp,
) -> Result<bool> {
    let (subject, kind) = (id.as_uuid(), NoticeKind::WebhookFailing);
    // Looked up first, because every failed delivery leads here.
    let told: Result<bool> =
        app.store.lookup(move |tx| Ok(notice::was_told(tx, subject, kind, since)?)).await;
    if told? {
        return Ok(false);
    }
    match app.act(context, Warn { id, since }).await {
        // Another sender told first, or the webhook is gone.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Conflict) => {
            Ok(false)
        }
        outcome => outcome.map(|()| true),
    }
}

struct Warn {
    id: WebhookId,
    since: Timestamp,
}

impl Act for Warn {
    type Permit = Webhook;
    type Output = ();
    const ACTION: &'static str = "webhook.warn";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        let found = webhook::find_anywhere(unit.tx, self.id)?.ok_or_else(not_found)?;
        let (subject, kind) = (self.id.as_uuid(), NoticeKind::WebhookFailing);
        if notice::tell_once(unit.tx, subject, kind, self.since, unit.now)? {
            Ok(found)
        } else {
            Err(Error::conflict("The tenant was told already"))
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, webhook: Webhook) -> Result<Done<()>> {
        notices::webhook_failing(unit, &webhook, self.since)?;
        let mut done = Done::new((), resource(&webhook), "Deliveries to a webhook fail").refused();
        done.tenant = Some(webhook.tenant);
        Ok(done)
    }
}
