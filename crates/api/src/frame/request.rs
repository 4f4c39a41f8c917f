//! What the frame found out about a request, for handlers to take.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::FromRequestParts;
use grantor_domain::access::Actor;
use grantor_domain::audit::Origin;
use grantor_domain::idempotency::Claim;
use grantor_service::Context;
use grantor_service::context::{EntryNote, StandingNote, Waiter};
use http::request::Parts;
use http::{HeaderMap, header};

use super::client::Client;
use super::settings::ApiState;
use super::surface::Surface;
use crate::describe::{Describe, OperationDoc};

/// Comes with every request that passed the frame.
#[derive(Clone, Debug)]
pub struct RequestInfo {
    /// Which surface it came through.
    pub surface: Surface,
    /// Its id.
    pub request_id: String,
    /// Who is at the other end.
    pub client: Client,
    /// When it began, on the monotonic clock.
    pub started: Duration,
    /// Its idempotency key, claimed.
    pub claim: Option<Claim>,
    /// Where the service leaves the figures of limits it counts itself.
    pub standing: StandingNote,
    /// Who waits for its answer.
    pub waiter: Waiter,
    /// What became of the caller's way in.
    pub entry: EntryNote,
}

impl RequestInfo {
    /// Where it came from, as acts and the log know it.
    pub(super) fn origin(&self, user_agent: Option<String>) -> Origin {
        Origin {
            scheme: self.surface.scheme(),
            address: Some(self.client.address),
            user_agent,
            request_id: Some(self.request_id.clone()),
            started: self.started,
        }
    }
}

/// The context of a request nobody signed in for.
#[derive(Clone, Debug)]
pub struct Anonymous(pub Context);

impl Describe for Anonymous {
    fn describe(_: &mut OperationDoc) {}
}

impl FromRequestParts<ApiState> for Anonymous {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &ApiState,
    ) -> Result<Self, Self::Rejection> {
        let started = state.app.clock.monotonic();
        let mut context = Context::system(started);
        context.actor = Actor::Anonymous;
        if let Some(info) = parts.extensions.get::<RequestInfo>() {
            context.origin = info.origin(user_agent(&parts.headers));
            context.idempotency.clone_from(&info.claim);
            context.standing = info.standing.clone();
            context.waiter = info.waiter.clone();
            context.entry = info.entry.clone();
        }
        Ok(Self(context))
    }
}

/// The id a caller sent, if it can be logged and sent back as it is.
pub(super) fn given_id(headers: &HeaderMap) -> Option<String> {
    let text = headers.get("x-request-id")?.to_str().ok()?;
    let fits = (1..=128).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"._:-".contains(&it));
    fits.then(|| text.to_owned())
}

pub(super) fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(256).collect())
}
