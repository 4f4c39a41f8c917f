//! Creating webhooks.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::role::Right;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::usage::LimitedResource;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_storage::webhook;

use super::{WithSecret, resource, vet};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::organizations::rights;
use crate::organizations::usage;
use crate::webhooks::delivery::seal;
use crate::{App, Context};

/// A webhook to create.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// The URL that events are sent to.
    pub url: String,
    /// The description.
    pub description: WebhookNote,
    /// The types of events that are sent.
    pub events: EventTypes,
}

/// Creates a webhook. Its secret is shown only once.
pub async fn create(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    new: NewWebhook,
) -> Result<WithSecret> {
    vet(app, &new.url).await?;
    add(app, context, caller, new).await
}

/// Creates a webhook without checking its URL.
pub async fn add(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    new: NewWebhook,
) -> Result<WithSecret> {
    let secret = Arc::new(Secret::generate(SecretKind::Webhook, &*app.entropy));
    let id = app.ids.next();
    let sealed = seal(app, id, &secret);
    let webhook = app.act(context, Create { caller, id, new, sealed }).await?;
    Ok(WithSecret { webhook, secret })
}

struct Create {
    caller: TenantCaller,
    id: WebhookId,
    new: NewWebhook,
    sealed: Vec<u8>,
}

impl Act for Create {
    type Permit = ();
    type Output = Webhook;
    const ACTION: &'static str = "webhook.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        rights::require(unit, Right::ManageWebhooks)?;
        usage::admit(unit, self.caller.tenant, LimitedResource::Webhooks, 1)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Webhook>> {
        let webhook = Webhook {
            id: self.id,
            tenant: self.caller.tenant,
            user: self.caller.user,
            url: self.new.url.clone(),
            description: self.new.description.clone(),
            events: self.new.events,
            status: WebhookStatus::Active,
            created_at: unit.now,
            updated_at: unit.now,
            last_success_at: None,
            failing_since: None,
        };
        webhook::insert(unit.tx, &webhook, &self.sealed)?;
        let resource = resource(&webhook);
        Ok(Done::new(webhook, resource, "A webhook was created"))
    }
}
