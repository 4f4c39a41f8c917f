//! Webhooks of a tenant.

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

use crate::App;
use crate::act::UnitOfWork;
use crate::identity::access::TenantCaller;
use crate::organizations::rights;
use grantor_outbound::OutboundError;

pub use self::change::{WebhookChange, change, delete, rotate_secret};
pub use self::create::add;
pub use self::create::{NewWebhook, create};
pub use self::disable::{Reason, disable};
pub(crate) use self::disable::{WARNED_AFTER, warn_failing};

/// A webhook with its secret, which is shown only once.
pub struct WithSecret {
    /// The webhook.
    pub webhook: Webhook,
    /// The secret that signs its deliveries.
    pub secret: Arc<Secret>,
}

/// Lists the tenant's webhooks, newest first.
pub async fn list(app: &App, caller: TenantCaller, page: Page) -> Result<Listing<Webhook>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(webhook::list(tx, tenant, page)?)).await
}

/// Returns one of the tenant's webhooks.
pub async fn get(app: &App, caller: TenantCaller, id: WebhookId) -> Result<Webhook> {
    let tenant = caller.tenant;
    app.store.lookup(move |tx| webhook::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// Claims one of the tenant's webhooks, if the caller may still manage webhooks. Other tenants'
/// webhooks are not found.
pub(crate) fn claim_own(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: WebhookId,
) -> Result<Webhook> {
    rights::require(unit, Right::ManageWebhooks)?;
    webhook::claim(unit.tx, caller.tenant, id)?.ok_or_else(not_found)
}

/// Checks, without connecting, whether events may be sent to the URL. A host name that does not
/// resolve is accepted, because it may be set up later.
async fn vet(app: &App, url: &str) -> Result<()> {
    match app.outbound.vet(url).await {
        Ok(()) | Err(OutboundError::Dns | OutboundError::Timeout) => Ok(()),
        Err(OutboundError::Refused(refusal)) => Err(Error::field("url", refusal.to_string())),
        Err(error) => Err(Error::field("url", error.to_string())),
    }
}

pub(crate) fn resource(webhook: &Webhook) -> Resource {
    // A webhook URL may contain a secret: log only its host.
    let host = webhook.url.split('/').nth(2).map(|it| it.rsplit('@').next().unwrap_or(it));
    Resource { kind: "webhook", id: Some(webhook.id.to_string()), name: host.map(str::to_owned) }
}

pub(crate) fn not_found() -> Error {
    Error::not_found("Webhook")
}
