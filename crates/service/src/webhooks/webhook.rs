//! Webhooks of a tenant.

mod change;
mod create;
mod disable;
mod restore;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::WebhookId;
use grantor_domain::network::Refusal;
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
pub(crate) use self::restore::WebhookReverse;

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
        Err(OutboundError::Refused(refusal)) => Err(Error::field("url", refused(url, refusal))),
        Err(error) => Err(Error::field("url", error.to_string())),
    }
}

/// Why a URL is refused. Plain http is what a program on somebody's own computer has, which gets events
/// in another way.
fn refused(url: &str, refusal: Refusal) -> String {
    let is_http = url.get(..7).is_some_and(|it| it.eq_ignore_ascii_case("http://"));
    let is_local = matches!(refusal, Refusal::PlainHttp | Refusal::LocalName | Refusal::Address);
    if !is_http || !is_local {
        return refusal.to_string();
    }
    let is_own = |host: &&str| ["localhost", "127.", "[::1]"].iter().any(|it| host.starts_with(it));
    let path = url.splitn(4, '/').nth(3).map(|it| format!("/{it}")).unwrap_or_default();
    let own = host_of(url).filter(is_own).map(|host| format!("{host}{path}"));
    let receiver = own.as_deref().unwrap_or("localhost:3000");
    format!(
        "{refusal}. The command grantor listen --forward-to http://{receiver} forwards events to \
         your computer"
    )
}

pub(crate) fn resource(webhook: &Webhook) -> Resource {
    let host = host_of(&webhook.url).map(str::to_owned);
    Resource { kind: "webhook", id: Some(webhook.id.to_string()), name: host }
}

/// The host and port of a URL, which may be told: the rest may contain a secret.
fn host_of(url: &str) -> Option<&str> {
    let host = url.split('/').nth(2).map(|it| it.rsplit('@').next().unwrap_or(it));
    host.filter(|it| !it.is_empty())
}

pub(crate) fn not_found() -> Error {
    Error::not_found("Webhook")
}
