//! Changing webhooks, giving them another secret, and deleting them.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::{ROTATION_OVERLAP, Webhook, WebhookNote, WebhookStatus};
use grantor_storage::webhook;
use serde_json::json;

use super::{WithSecret, own, resource, vet};
use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::delivery::seal;
use crate::{App, Context};

/// What of a webhook is to become another; what is not named stays.
#[derive(Clone, Debug, Default)]
pub struct WebhookChange {
    /// Where events are sent.
    pub url: Option<String>,
    /// What it is for.
    pub description: Option<WebhookNote>,
    /// Which events.
    pub events: Option<EventTypes>,
    /// Whether they are sent.
    pub status: Option<WebhookStatus>,
}

/// Changes a webhook.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Insider,
    id: WebhookId,
    asked: WebhookChange,
) -> Result<Webhook> {
    if let Some(url) = &asked.url {
        vet(app, url).await?;
    }
    app.act(context, Change { caller, id, asked }).await
}

/// Gives a webhook another secret; the one before goes on signing for a day, and until then no other
/// takes its place.
pub async fn rotate_secret(
    app: &App,
    context: &Context,
    caller: Insider,
    id: WebhookId,
) -> Result<WithSecret> {
    let secret = Arc::new(Secret::generate(SecretKind::Webhook, &*app.entropy));
    let sealed = seal(app, id, &secret);
    let webhook = app.act(context, Rotate { caller, id, sealed }).await?;
    Ok(WithSecret { webhook, secret })
}

/// Deletes a webhook; nothing more is sent to it.
pub async fn delete(app: &App, context: &Context, caller: Insider, id: WebhookId) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

struct Change {
    caller: Insider,
    id: WebhookId,
    asked: WebhookChange,
}

impl Act for Change {
    type Grant = Webhook;
    type Output = Webhook;
    const ACTION: &'static str = "webhook.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        own(desk, self.caller, self.id)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, before: Webhook) -> Result<Done<Webhook>> {
        let WebhookChange { url, description, events, status } = self.asked.clone();
        let mut webhook = before.clone();
        webhook.url = url.unwrap_or(webhook.url);
        webhook.description = description.unwrap_or(webhook.description);
        webhook.events = events.unwrap_or(webhook.events);
        webhook.status = status.unwrap_or(webhook.status);
        if webhook != before {
            webhook.updated_at = desk.now;
            // Whoever moves it or switches it on again has seen to it.
            if webhook.url != before.url || webhook.status != before.status {
                webhook.failing_since = None;
            }
            webhook::update(desk.tx, &webhook)?;
        }
        let (resource, status) = (resource(&webhook), webhook.status);
        let mut done = Done::new(webhook, resource, "A webhook was changed");
        done.details = json!({ "status": status });
        Ok(done)
    }
}

struct Rotate {
    caller: Insider,
    id: WebhookId,
    sealed: Vec<u8>,
}

impl Act for Rotate {
    type Grant = Webhook;
    type Output = Webhook;
    const ACTION: &'static str = "webhook.rotate_secret";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        own(desk, self.caller, self.id)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut webhook: Webhook) -> Result<Done<Webhook>> {
        let old = webhook::secrets(desk.tx, webhook.id)?.and_then(|it| it.old);
        if old.is_some_and(|(_, until)| desk.now < until) {
            // Receivers may still hold the old one: the one that replaced it gives way (contract
            // section 6).
            webhook::replace_secret(desk.tx, webhook.id, &self.sealed, desk.now)?;
        } else {
            let until = desk.now.plus(ROTATION_OVERLAP);
            webhook::rotate(desk.tx, webhook.id, &self.sealed, until, desk.now)?;
        }
        webhook.updated_at = desk.now;
        let resource = resource(&webhook);
        Ok(Done::new(webhook, resource, "A webhook got another secret"))
    }
}

struct Delete {
    caller: Insider,
    id: WebhookId,
}

impl Act for Delete {
    type Grant = Webhook;
    type Output = ();
    const ACTION: &'static str = "webhook.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        own(desk, self.caller, self.id)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, webhook: Webhook) -> Result<Done<()>> {
        webhook::delete(desk.tx, webhook.id, desk.now)?;
        Ok(Done::new((), resource(&webhook), "A webhook was deleted"))
    }
}
