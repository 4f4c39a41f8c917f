//! One attempt: the event in its envelope, signed, sent, and what came back.

use std::time::Duration;

use grantor_domain::delivery::{Attempt, KEPT_ANSWER, parse_retry_after};
use grantor_domain::event::Payload;
use grantor_domain::id::WebhookId;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::event::Told;
use grantor_storage::webhook::Sealed;

use crate::App;
use crate::keys::Purpose;
use crate::outbound::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use crate::outbound::{self, OutboundAnswer, OutboundError, OutboundRequest};

/// Where to send, and with which secrets to sign, the newest first.
pub(crate) struct Receiver {
    pub(crate) url: String,
    pub(crate) secrets: Vec<Secret>,
}

/// What came of an attempt.
pub(crate) struct Attempted {
    /// For the log.
    pub(crate) attempt: Attempt,
    /// How long it took.
    pub(crate) taken: Duration,
    /// How long the receiver asks us to wait.
    pub(crate) asked: Option<Duration>,
}

/// Opens the secrets that sign now.
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
        .ok_or_else(|| Error::internal("the key ring does not open a webhook's secret"))
}

/// Seals a secret to be kept.
#[must_use]
pub fn seal(app: &App, id: WebhookId, secret: &Secret) -> Vec<u8> {
    app.keys.seal(Purpose::Field, &bound_to(id), secret.expose().as_bytes())
}

/// A sealed secret opens for its own webhook alone.
pub(crate) fn bound_to(id: WebhookId) -> String {
    format!("webhook/{id}")
}

/// Sends an event.
pub(crate) async fn send(app: &App, receiver: &Receiver, told: &Told) -> Attempted {
    let (at, started) = (app.clock.now(), app.clock.monotonic());
    let outcome = match request(receiver, told, at) {
        Ok(request) => app.outbound.send(outbound::Purpose::Webhook, request).await,
        Err(error) => Err(error),
    };
    let taken = app.clock.monotonic().saturating_sub(started);
    let asked = outcome.as_ref().ok().and_then(|it| retry_after(it, app.clock.now()));
    let duration_ms = u64::try_from(taken.as_millis()).unwrap_or(u64::MAX);
    let attempt = match outcome {
        Ok(answer) => Attempt {
            at,
            duration_ms,
            status_code: Some(answer.status.as_u16()),
            error: (!answer.status.is_success())
                .then(|| format!("the receiver answered with {}", answer.status.as_u16())),
            answer: beginning(&answer.body),
        },
        Err(error) => {
            let error = Some(error.to_string());
            Attempt { at, duration_ms, status_code: None, error, answer: None }
        }
    };
    Attempted { attempt, taken, asked }
}

fn request(
    receiver: &Receiver,
    told: &Told,
    at: Timestamp,
) -> Result<OutboundRequest, OutboundError> {
    let body = serde_json::to_vec(&payload(told)).map_err(|_| OutboundError::Protocol)?;
    let signature = sign(&receiver.secrets, told.id, at, &body);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in [
        ("webhook-id", told.id.to_string()),
        ("webhook-timestamp", at.as_secs().to_string()),
        ("webhook-signature", signature),
    ] {
        let value = HeaderValue::try_from(value).map_err(|_| OutboundError::Protocol)?;
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(OutboundRequest::post(receiver.url.clone(), headers, body))
}

/// What is sent of an event.
#[must_use]
pub fn payload(told: &Told) -> Payload {
    Payload {
        kind: told.kind.name(),
        timestamp: told.at,
        data: told.data.clone(),
        sequence: told.sequence,
        resource_version: told.resource_version,
    }
}

fn retry_after(answer: &OutboundAnswer, now: Timestamp) -> Option<Duration> {
    parse_retry_after(answer.headers.get(RETRY_AFTER)?.to_str().ok()?, now)
}

/// How an answer begins, as text; nothing where it is empty.
fn beginning(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&body[..body.len().min(KEPT_ANSWER)]);
    // What was cut in the middle of a character, and what replaced it, may be longer.
    let end = (0..=text.len().min(KEPT_ANSWER)).rev().find(|it| text.is_char_boundary(*it))?;
    Some(text[..end].to_owned()).filter(|it| !it.is_empty())
}
