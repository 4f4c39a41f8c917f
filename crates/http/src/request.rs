//! What every request has: an id, a client and a context.

use axum::extract::Request;
use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::audit::Scheme;
use grantor_domain::limit::LimitName;
use grantor_domain::trace::TRACEPARENT;
use grantor_service::operations::limit::Subject;
use grantor_service::operations::trace::OpenSpan;
use grantor_service::{App, Context};
use http::{HeaderMap, header};

use crate::client::Client;
use crate::state::HttpState;

/// Information about a request, stored in its extensions.
#[derive(Clone, Debug)]
pub struct RequestInfo {
    /// The client's valid `X-Request-Id`, or else a new id.
    pub request_id: String,
    /// The client's address and protocol.
    pub client: Client,
    /// The context of the caller, who is not authenticated yet.
    pub context: Context,
    /// The span of the request, if its trace is recorded.
    pub span: Option<OpenSpan>,
}

impl RequestInfo {
    /// Returns the information that an outer layer stored, or else collects it.
    #[must_use]
    pub fn of(state: &HttpState, request: &Request, scheme: Scheme) -> Self {
        let (extensions, headers) = (request.extensions(), request.headers());
        if let Some(known) = extensions.get::<Self>() {
            return known.clone();
        }
        let request_id = request_id(&state.app, headers);
        let client = Client::of(extensions, headers, &state.settings);
        let mut context = Context::system(state.app.clock.monotonic());
        context.actor = Actor::Anonymous;
        context.origin.scheme = scheme;
        context.origin.address = Some(client.address);
        context.origin.user_agent = user_agent(headers);
        context.origin.request_id = Some(request_id.clone());
        let traceparent = headers.get(TRACEPARENT).and_then(|it| it.to_str().ok());
        let (trace, span) = state.app.tracer.receive(traceparent);
        context.origin.trace = trace;
        Self { request_id, client, context, span }
    }

    /// Counts the request against a rate limit of the subject.
    pub async fn count(&self, app: &App, limit: LimitName, subject: &Subject) -> Result<()> {
        self.context.rate_limit.record(app.limiter.hit(limit, subject).await?);
        Ok(())
    }

    /// Counts the request against a rate limit of the client's address.
    pub async fn count_address(&self, app: &App, limit: LimitName) -> Result<()> {
        self.count(app, limit, &Subject::address(self.client.address)).await
    }
}

/// Returns the client's `X-Request-Id` if it is safe to log and return, or else a new id.
pub(crate) fn request_id(app: &App, headers: &HeaderMap) -> String {
    let text = headers.get("x-request-id").and_then(|it| it.to_str().ok()).unwrap_or_default();
    let fits = (1..=128).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"._:-".contains(&it));
    if fits { text.to_owned() } else { app.ids.next::<uuid::Uuid>().to_string() }
}

fn user_agent(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(text.chars().take(256).collect())
}
