//! Making webhooks.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::role::Right;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::usage::Bounded;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_storage::webhook;

use super::{WithSecret, resource, vet};
use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::delivery::seal;
use crate::{App, Context, reach, usage};

/// A webhook as whoever makes it describes it.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Where events are sent.
    pub url: String,
    /// What it is for.
    pub description: WebhookNote,
    /// Which events.
    pub events: EventTypes,
}

/// Makes a webhook; its secret is shown this once.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Insider,
    new: NewWebhook,
) -> Result<WithSecret> {
    vet(app, &new.url).await?;
    add(app, context, caller, new).await
}

/// The same for an address that is known.
pub(crate) async fn add(
    app: &App,
    context: &Context,
    caller: Insider,
    new: NewWebhook,
) -> Result<WithSecret> {
    let secret = Arc::new(Secret::generate(SecretKind::Webhook, &*app.entropy));
    let id = app.ids.next();
    let sealed = seal(app, id, &secret);
    let webhook = app.act(context, Create { caller, id, new, sealed }).await?;
    Ok(WithSecret { webhook, secret })
}

struct Create {
    caller: Insider,
    id: WebhookId,
    new: NewWebhook,
    sealed: Vec<u8>,
}

impl Act for Create {
    type Grant = ();
    type Output = Webhook;
    const ACTION: &'static str = "webhook.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        reach::still(desk, Right::ManageWebhooks)?;
        usage::admit(desk, self.caller.tenant, Bounded::Webhooks, 1)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Webhook>> {
        let webhook = Webhook {
            id: self.id,
            tenant: self.caller.tenant,
            user: self.caller.user,
            url: self.new.url.clone(),
            description: self.new.description.clone(),
            events: self.new.events,
            status: WebhookStatus::Active,
            created_at: desk.now,
            updated_at: desk.now,
            last_success_at: None,
            failing_since: None,
        };
        webhook::insert(desk.tx, &webhook, &self.sealed)?;
        let resource = resource(&webhook);
        Ok(Done::new(webhook, resource, "A webhook was made"))
    }
}
