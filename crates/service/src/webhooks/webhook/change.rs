//! Changing and deleting webhooks, and rotating their secrets.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::{ROTATION_OVERLAP, Webhook, WebhookNote, WebhookStatus};
use grantor_storage::webhook;
use serde_json::json;

use super::restore::{self, WebhookReverse};
use super::{WithSecret, claim_own, resource, vet};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::undo::Reverse;
use crate::webhooks::delivery::seal;
use crate::{App, Context};

/// The changes to a webhook; `None` keeps the current value.
#[derive(Clone, Debug, Default)]
pub struct WebhookChange {
    /// The URL that events are sent to.
    pub url: Option<String>,
    /// The description.
    pub description: Option<WebhookNote>,
    /// The types of events that are sent.
    pub events: Option<EventTypes>,
    /// Whether events are sent.
    pub status: Option<WebhookStatus>,
}

/// Changes a webhook.
pub async fn change(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: WebhookId,
    change: WebhookChange,
) -> Result<Webhook> {
    if let Some(url) = &change.url {
        vet(app, url).await?;
    }
    app.act(context, Update { caller, id, change }).await
}

/// Rotates a webhook's secret. The old one also signs for a day; rotating again within that day
/// replaces only the new one.
pub async fn rotate_secret(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: WebhookId,
) -> Result<WithSecret> {
    let secret = Arc::new(Secret::generate(SecretKind::Webhook, &*app.entropy));
    let sealed = seal(app, id, &secret);
    let webhook = app.act(context, Rotate { caller, id, sealed }).await?;
    Ok(WithSecret { webhook, secret })
}

/// Deletes a webhook. Nothing more is sent to it. Its deliveries are deleted minutes later.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: WebhookId,
) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

pub(super) struct Update {
    pub(super) caller: TenantCaller,
    pub(super) id: WebhookId,
    pub(super) change: WebhookChange,
}

impl Act for Update {
    type Permit = Webhook;
    type Output = Webhook;
    const ACTION: &'static str = "webhook.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        claim_own(unit, self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, before: Webhook) -> Result<Done<Webhook>> {
        let WebhookChange { url, description, events, status } = self.change.clone();
        let mut webhook = before.clone();
        webhook.url = url.unwrap_or(webhook.url);
        webhook.description = description.unwrap_or(webhook.description);
        webhook.events = events.unwrap_or(webhook.events);
        webhook.status = status.unwrap_or(webhook.status);
        if webhook != before {
            webhook.updated_at = unit.now;
            // A new URL or status is a fresh start.
            if webhook.url != before.url || webhook.status != before.status {
                webhook.failing_since = None;
            }
            webhook::update(unit.tx, &webhook)?;
        }
        let (resource, status) = (resource(&webhook), webhook.status);
        let changes = restore::changes(&before, &webhook);
        let reverse = (webhook != before).then(|| WebhookReverse::changed(&before, &webhook));
        let mut done = Done::new(webhook, resource, "A webhook was updated");
        done.details = json!({ "status": status });
        let done = done.with_changes(changes);
        Ok(match reverse {
            Some(reverse) => done.undone_by(Reverse::Webhook(reverse)),
            None => done,
        })
    }
}

struct Rotate {
    caller: TenantCaller,
    id: WebhookId,
    sealed: Vec<u8>,
}

impl Act for Rotate {
    type Permit = Webhook;
    type Output = Webhook;
    const ACTION: &'static str = "webhook.rotate_secret";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        claim_own(unit, self.caller, self.id)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut webhook: Webhook,
    ) -> Result<Done<Webhook>> {
        let old = webhook::secrets(unit.tx, webhook.id)?.and_then(|it| it.old);
        if old.is_some_and(|(_, until)| unit.now < until) {
            // Receivers may still use the old secret: replace only the new one (contract section
            // 6).
            webhook::replace_secret(unit.tx, webhook.id, &self.sealed, unit.now)?;
        } else {
            let until = unit.now.plus(ROTATION_OVERLAP);
            webhook::rotate(unit.tx, webhook.id, &self.sealed, until, unit.now)?;
        }
        webhook.updated_at = unit.now;
        let resource = resource(&webhook);
        Ok(Done::new(webhook, resource, "A webhook's secret was rotated"))
    }
}

struct Delete {
    caller: TenantCaller,
    id: WebhookId,
}

impl Act for Delete {
    type Permit = Webhook;
    type Output = ();
    const ACTION: &'static str = "webhook.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        claim_own(unit, self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, webhook: Webhook) -> Result<Done<()>> {
        webhook::delete(unit.tx, webhook.id, unit.now)?;
        let reverse = WebhookReverse::Deleted { id: webhook.id, status: webhook.status };
        let done = Done::new((), resource(&webhook), "A webhook was deleted");
        Ok(done.undone_by(Reverse::Webhook(reverse)))
    }
}
