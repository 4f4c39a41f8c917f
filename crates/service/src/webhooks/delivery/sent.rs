//! What was sent to a webhook, for its owner to compare with what arrived.

use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result};
use grantor_outbound::USER_AGENT;
use grantor_storage::delivery::{self, Delivery};
use grantor_storage::event::FeedEvent;
use grantor_storage::license::reader;
use grantor_storage::webhook;

use super::attempt::{body, sent_headers};
use super::redact;
use crate::App;
use crate::identity::access::TenantCaller;
use crate::webhooks::webhook::not_found;

/// A delivery, and what was sent or will be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct SentDelivery {
    /// The webhook.
    pub webhook: Webhook,
    /// The delivery.
    pub delivery: Delivery,
    /// The request of the last attempt, or of the first one that is yet to come. `None` if the caller
    /// can no longer view the license that the event is about.
    pub request: Option<SentRequest>,
}

/// A request to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentRequest {
    /// The headers. The signature is that of the last attempt; there is none before it.
    pub headers: Vec<(&'static str, String)>,
    /// The body, byte by byte as it is sent.
    pub body: String,
}

/// Returns a delivery to one of the tenant's webhooks, with what was sent.
pub async fn get(
    app: &App,
    caller: TenantCaller,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<SentDelivery> {
    let (tenant, reader) = (caller.tenant, caller.reader());
    let unknown = || Error::not_found("Delivery");
    app.store
        .read(move |tx| {
            let webhook = webhook::find(tx, tenant, webhook)?.ok_or_else(not_found)?;
            let mut found = delivery::find(tx, webhook.id, id)?.ok_or_else(unknown)?;
            redact(tx, reader, &mut found)?;
            let license = found.license.filter(|_| found.kind.requires_visibility());
            let sees = match license {
                Some(license) => reader::find(tx, reader, license)?.is_some(),
                None => true,
            };
            let event = delivery::find_event(tx, webhook.id, id)?.filter(|_| sees);
            let request = event.map(|event| request(&found, &event)).transpose()?;
            Ok(SentDelivery { webhook, delivery: found, request })
        })
        .await
}

fn request(delivery: &Delivery, event: &FeedEvent) -> Result<SentRequest> {
    let body = body(event).map_err(|error| Error::internal(error.to_string()))?;
    let body = String::from_utf8(body).map_err(|error| Error::internal(error.to_string()))?;
    let last = delivery.attempts.last();
    let at = last.map_or(delivery.created_at, |it| it.at);
    let signature = last.and_then(|it| it.signature.as_deref()).unwrap_or_default();
    let mut headers = sent_headers(event.id, at, signature).to_vec();
    headers.retain(|(_, value)| !value.is_empty());
    headers.insert(0, ("user-agent", USER_AGENT.to_owned()));
    Ok(SentRequest { headers, body })
}
