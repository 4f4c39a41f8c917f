//! Switching a webhook off when nobody is there any more, and telling whoever made it.

use grantor_domain::id::WebhookId;
use grantor_domain::template::MailKind;
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{ErrorKind, Result};
use grantor_storage::{membership, user, webhook};
use serde_json::json;

use super::{not_found, resource};
use crate::act::{Act, Desk, Done};
use crate::letter;
use crate::{App, Context};

/// Why a webhook is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its receiver answered that it is gone for good.
    Gone,
    /// Nothing has arrived for days.
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
                "Its receiver answered 410 Gone, which means that it wants no more events."
            }
            Self::Failing => "Every delivery to it has failed for five days.",
        }
    }
}

/// Switches a webhook off; false when it was off already.
pub async fn disable(app: &App, context: &Context, id: WebhookId, reason: Reason) -> Result<bool> {
    let found = app.store.glance(move |tx| webhook::find_anywhere(tx, id)).await;
    let active = found?.is_some_and(|it| it.status == WebhookStatus::Active);
    if !active {
        return Ok(false);
    }
    match app.act(context, Disable { id, reason }).await {
        // Of several senders that found it so, another was first.
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(false),
        outcome => outcome.map(|()| true),
    }
}

struct Disable {
    id: WebhookId,
    reason: Reason,
}

impl Act for Disable {
    type Grant = Webhook;
    type Output = ();
    const ACTION: &'static str = "webhook.disable";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        let found = webhook::find_anywhere(desk.tx, self.id)?.ok_or_else(not_found)?;
        let held = webhook::claim(desk.tx, found.tenant, self.id)?;
        held.filter(|it| it.status == WebhookStatus::Active).ok_or_else(not_found)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut webhook: Webhook) -> Result<Done<()>> {
        webhook.status = WebhookStatus::Disabled;
        webhook.updated_at = desk.now;
        webhook::update(desk.tx, &webhook)?;
        tell(desk, &webhook, self.reason)?;
        let mut done = Done::new((), resource(&webhook), "A webhook was switched off").refused();
        done.details = json!({ "reason": self.reason.name() });
        done.tenant = Some(webhook.tenant);
        Ok(done)
    }
}

fn tell(desk: &mut Desk<'_, '_>, webhook: &Webhook, reason: Reason) -> Result<()> {
    let here = membership::find_active(desk.tx, webhook.tenant, webhook.user)?.is_some();
    let Some(owner) = user::find(desk.tx, webhook.user)?.filter(|_| here) else {
        return Ok(());
    };
    let (to, name) = (&owner.email, Some(&*owner.fullname));
    let values = [("url", webhook.url.as_str()), ("reason", reason.sentence())];
    let mail = letter::write(desk.tx, MailKind::WebhookDisabled, to, name, &values)?;
    desk.app.mailer.enqueue(desk.tx, "webhook_disabled", &mail)?;
    Ok(())
}
