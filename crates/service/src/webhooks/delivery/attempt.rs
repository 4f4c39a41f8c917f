//! One delivery attempt: signs an event, sends it, and reads the response.

use std::time::Duration;

use grantor_domain::delivery::{Attempt, MAX_STORED_RESPONSE, parse_retry_after};
use grantor_domain::event::Payload;
use grantor_domain::id::{EventId, WebhookId};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::trace::TRACEPARENT;
use grantor_domain::webhook::sign;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::Claimed;
use grantor_storage::event::FeedEvent;
use grantor_storage::webhook::Sealed;

use crate::App;
use crate::operations::trace::{Attribute, Ending, SpanKind};
use grantor_keys::Purpose;
use grantor_outbound::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use grantor_outbound::{
    OutboundError, OutboundRequest, OutboundResponse, Purpose as OutboundPurpose,
};

/// Where to send, and the secrets to sign with, newest first.
pub(crate) struct Receiver {
    pub(crate) url: String,
    pub(crate) secrets: Vec<Secret>,
}

/// The result of an attempt.
pub(crate) struct AttemptResult {
    /// The attempt as it is stored.
    pub(crate) attempt: Attempt,
    /// How long it took.
    pub(crate) elapsed: Duration,
    /// The receiver's `Retry-After`.
    pub(crate) retry_after: Option<Duration>,
}

/// Decrypts the secrets that currently sign.
pub(crate) fn open(
    app: &App,
    id: WebhookId,
    sealed: &Sealed,
    now: Timestamp,
) -> Result<Vec<Secret>> {
    let old = sealed.old.as_ref().filter(|(_, until)| now < *until).map(|(secret, _)| secret);
    [&sealed.secret].into_iter().chain(old).map(|it| open_one(app, id, it)).collect()
}

fn open_one(app: &App, id: WebhookId, sealed: &[u8]) -> Result<Secret> {
    let text = app.keys.open_sealed(Purpose::Field, &bound_to(id), sealed);
    text.and_then(|text| Secret::parse(&[SecretKind::Webhook], std::str::from_utf8(&text).ok()?))
        .ok_or_else(|| Error::internal("no key of the key ring decrypts the webhook's secret"))
}

/// Encrypts a secret for storage.
#[must_use]
pub fn seal(app: &App, id: WebhookId, secret: &Secret) -> Vec<u8> {
    app.keys.seal(Purpose::Field, &bound_to(id), secret.expose().as_bytes())
}

/// Binds a sealed secret to its webhook: it cannot be decrypted for another one.
pub(crate) fn bound_to(id: WebhookId) -> String {
    format!("webhook/{id}")
}

/// Sends an event. The receiver is told the trace that it belongs to.
pub(crate) async fn send(app: &App, receiver: &Receiver, claimed: &Claimed) -> AttemptResult {
    let (at, started) = (app.clock.now(), app.clock.monotonic());
    let span = app.tracer.child(claimed.trace);
    let trace = span.map(|it| it.context).or(claimed.trace);
    let (outcome, signature) = match request(receiver, &claimed.event, at) {
        Ok((mut request, signature)) => {
            if let Some(Ok(value)) = trace.map(|it| HeaderValue::try_from(it.to_string())) {
                request.headers.insert(HeaderName::from_static(TRACEPARENT), value);
            }
            (app.outbound.send(OutboundPurpose::Webhook, request).await, Some(signature))
        }
        Err(error) => (Err(error), None),
    };
    let elapsed = app.clock.monotonic().saturating_sub(started);
    let retry_after = outcome.as_ref().ok().and_then(|it| retry_after(it, app.clock.now()));
    let duration_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let attempt = match outcome {
        Ok(answer) => Attempt {
            at,
            duration_ms,
            status_code: Some(answer.status.as_u16()),
            error: (!answer.status.is_success())
                .then(|| format!("the receiver returned status {}", answer.status.as_u16())),
            answer: beginning(&answer.body),
            signature,
        },
        Err(error) => {
            let error = Some(error.to_string());
            Attempt { at, duration_ms, status_code: None, error, answer: None, signature }
        }
    };
    if let Some(span) = span {
        app.tracer.end(span, ending(claimed, &attempt));
    }
    AttemptResult { attempt, elapsed, retry_after }
}

/// What is recorded of an attempt. The receiver's address is not: it may contain a secret.
fn ending(claimed: &Claimed, attempt: &Attempt) -> Ending {
    let text = |it: &str| Attribute::Text(it.to_owned());
    let mut attributes = vec![
        ("http.request.method", text("POST")),
        ("grantor.event.type", text(claimed.event.kind.name())),
        ("grantor.webhook.id", text(&claimed.webhook.to_string())),
        ("grantor.attempt", Attribute::Number(claimed.attempts.into())),
    ];
    let status = attempt.status_code.map(|it| Attribute::Number(it.into()));
    attributes.extend(status.map(|it| ("http.response.status_code", it)));
    let (name, kind) = ("webhook".into(), SpanKind::Client);
    Ending { name, kind, attributes, failure: attempt.error.clone() }
}

/// The request, and its signature.
fn request(
    receiver: &Receiver,
    event: &FeedEvent,
    at: Timestamp,
) -> Result<(OutboundRequest, String), OutboundError> {
    let body = body(event).map_err(|_| OutboundError::Protocol)?;
    let signature = sign(&receiver.secrets, event.id, at, &body);
    let mut headers = HeaderMap::new();
    for (name, value) in sent_headers(event.id, at, &signature) {
        let value = HeaderValue::try_from(value).map_err(|_| OutboundError::Protocol)?;
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok((OutboundRequest::post(receiver.url.clone(), headers, body), signature))
}

/// The body that is sent for an event.
pub(super) fn body(event: &FeedEvent) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&payload(event))
}

/// The headers of an attempt, except those of every request.
pub(super) fn sent_headers(
    event: EventId,
    at: Timestamp,
    signature: &str,
) -> [(&'static str, String); 4] {
    [
        ("content-type", "application/json".to_owned()),
        ("webhook-id", event.to_string()),
        ("webhook-timestamp", at.as_secs().to_string()),
        ("webhook-signature", signature.to_owned()),
    ]
}

/// The payload sent for an event.
#[must_use]
pub fn payload(event: &FeedEvent) -> Payload {
    Payload {
        kind: event.kind.name(),
        timestamp: event.at,
        data: event.data.clone(),
        sequence: event.sequence,
        resource_version: event.resource_version,
    }
}

fn retry_after(answer: &OutboundResponse, now: Timestamp) -> Option<Duration> {
    parse_retry_after(answer.headers.get(RETRY_AFTER)?.to_str().ok()?, now)
}

/// The start of a response body as text, if it is not empty.
fn beginning(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_STORED_RESPONSE)]);
    // Replacement characters may make the text longer than the bytes were.
    let end =
        (0..=text.len().min(MAX_STORED_RESPONSE)).rev().find(|it| text.is_char_boundary(*it))?;
    Some(text[..end].to_owned()).filter(|it| !it.is_empty())
}
