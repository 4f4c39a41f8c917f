//! Request information that the middleware collects for handlers.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::FromRequestParts;
use grantor_domain::access::Actor;
use grantor_domain::audit::Origin;
use grantor_domain::idempotency::Claim;
use grantor_service::Context;
use grantor_service::context::{RateLimitReport, RequestFlags, Waiter};
use http::request::Parts;
use http::{HeaderMap, header};

use super::api::Api;
use super::client::Client;
use super::settings::ApiState;
use crate::describe::{Describe, OperationDoc};

/// Information about a request, stored in its extensions.
#[derive(Clone, Debug)]
pub struct RequestInfo {
    /// The API that serves the request.
    pub api: Api,
    /// The request id.
    pub request_id: String,
    /// The client's address and protocol.
    pub client: Client,
    /// When the request started, on the monotonic clock.
    pub started: Duration,
    /// The claim on the request's idempotency key, if it has one.
    pub claim: Option<Claim>,
    /// The rate limit status to report in the response headers.
    pub rate_limit: RateLimitReport,
    /// Whether the client still waits for the response.
    pub waiter: Waiter,
    /// Whether the request was logged and authenticated.
    pub flags: RequestFlags,
}

impl RequestInfo {
    /// Returns the origin of the request, for acts and the log.
    pub(super) fn origin(&self, user_agent: Option<String>) -> Origin {
        Origin {
            scheme: self.api.scheme(),
            address: Some(self.client.address),
            user_agent,
            request_id: Some(self.request_id.clone()),
            started: self.started,
        }
    }
}

/// The context of an unauthenticated request.
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
            context.rate_limit = info.rate_limit.clone();
            context.waiter = info.waiter.clone();
            context.flags = info.flags.clone();
        }
        Ok(Self(context))
    }
}

/// Returns the client's `X-Request-Id` if it is safe to log and return.
pub(super) fn client_request_id(headers: &HeaderMap) -> Option<String> {
    let text = headers.get("x-request-id")?.to_str().ok()?;
    let fits = (1..=128).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"._:-".contains(&it));
    fits.then(|| text.to_owned())
}

pub(super) fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(256).collect())
}
