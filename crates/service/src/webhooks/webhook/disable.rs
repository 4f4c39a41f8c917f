//! Disabling a webhook whose receiver is gone or keeps failing, and notifying its creator.

use grantor_domain::id::WebhookId;
use grantor_domain::template::MailKind;
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{ErrorKind, Result};
use grantor_storage::{membership, user, webhook};
use serde_json::json;

use super::{not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::mail::compose;
use crate::{App, Context};

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

    const fn sentence(self) -> &'static str {
        match self {
            Self::Gone => {
                "The endpoint returned 410 Gone, which means that it no longer accepts events."
            }
            Self::Failing => "Every delivery to this URL has failed for five days.",
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
        notify_creator(unit, &webhook, self.reason)?;
        let mut done = Done::new((), resource(&webhook), "A webhook was disabled").refused();
        done.details = json!({ "reason": self.reason.name() });
        done.tenant = Some(webhook.tenant);
        Ok(done)
    }
}

fn notify_creator(unit: &mut UnitOfWork<'_, '_>, webhook: &Webhook, reason: Reason) -> Result<()> {
    let here = membership::find_active(unit.tx, webhook.tenant, webhook.user)?.is_some();
    let Some(owner) = user::find(unit.tx, webhook.user)?.filter(|_| here) else {
        return Ok(());
    };
    let (to, name) = (&owner.email, Some(&*owner.fullname));
    let values = [("url", webhook.url.as_str()), ("reason", reason.sentence())];
    let mail = compose::from_template(unit.tx, MailKind::WebhookDisabled, to, name, &values)?;
    unit.app.mailer.enqueue(unit.tx, "webhook_disabled", &mail)?;
    Ok(())
}
