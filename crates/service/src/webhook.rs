//! Webhooks: made, shown, changed, given another secret, and switched off when nobody is there.

mod change;
mod create;
mod disable;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::WebhookId;
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::Right;
use grantor_domain::secret::Secret;
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result};
use grantor_storage::webhook;

use crate::access::Insider;
use crate::act::Desk;
use crate::outbound::OutboundError;
use crate::{App, reach};

pub use self::change::{WebhookChange, change, delete, rotate_secret};
pub(crate) use self::create::add;
pub use self::create::{NewWebhook, create};
pub use self::disable::{Reason, disable};

/// A webhook with its secret, which is shown this once.
pub struct WithSecret {
    /// The webhook.
    pub webhook: Webhook,
    /// What its deliveries are signed with.
    pub secret: Arc<Secret>,
}

/// The tenant's webhooks, newest first.
pub async fn list(app: &App, caller: Insider, page: Page) -> Result<Listing<Webhook>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(webhook::list(tx, tenant, page)?)).await
}

/// One of them.
pub async fn get(app: &App, caller: Insider, id: WebhookId) -> Result<Webhook> {
    let tenant = caller.tenant;
    app.store.glance(move |tx| webhook::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// The webhook, held, if it is the tenant's and the caller may still manage it: another's is as
/// unknown as one that never was.
pub(crate) fn own(desk: &mut Desk<'_, '_>, caller: Insider, id: WebhookId) -> Result<Webhook> {
    reach::still(desk, Right::ManageWebhooks)?;
    webhook::claim(desk.tx, caller.tenant, id)?.ok_or_else(not_found)
}

/// Whether events may be sent there: nothing is connected to. A name that cannot be resolved now
/// may be set up later.
async fn vet(app: &App, url: &str) -> Result<()> {
    match app.outbound.vet(url).await {
        Ok(()) | Err(OutboundError::Dns | OutboundError::Timeout) => Ok(()),
        Err(OutboundError::Refused(refusal)) => Err(Error::field("url", refusal.to_string())),
        Err(error) => Err(Error::field("url", error.to_string())),
    }
}

pub(crate) fn resource(webhook: &Webhook) -> Resource {
    // A receiver's address may hold its secret: the log gets to know where it is, not the whole.
    let host = webhook.url.split('/').nth(2).map(|it| it.rsplit('@').next().unwrap_or(it));
    Resource { kind: "webhook", id: Some(webhook.id.to_string()), name: host.map(str::to_owned) }
}

pub(crate) fn not_found() -> Error {
    Error::not_found("Webhook")
}
