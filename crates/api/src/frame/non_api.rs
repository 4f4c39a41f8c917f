//! Middleware for routes outside the API tables: pages, documents and probes. It adds a request id,
//! security headers and the request context, and rejects plain HTTP if HTTPS is required.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use grantor_domain::access::Actor;
use grantor_domain::audit::Scheme;
use grantor_service::Context;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::api::Api;
use super::client::Client;
use super::middleware::render;
use super::problem::{Problem, ProblemKind};
use super::request::{client_request_id, user_agent};
use super::settings::ApiState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Rejects plain HTTP if HTTPS is required (contract section 10).
pub(crate) fn https_only(state: &ApiState, router: Router) -> Router {
    if state.settings.require_https {
        router.layer(from_fn_with_state(state.clone(), require_https))
    } else {
        router
    }
}

/// Adds a request id and `nosniff` to every response, and the context to every request.
pub(crate) fn with_request_id(state: &ApiState, router: Router) -> Router {
    router.layer(from_fn_with_state(state.clone(), add_request_id))
}

async fn require_https(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    if Client::of(request.extensions(), request.headers(), &state.settings).forwarded_https {
        return next.run(request).await;
    }
    let problem = Problem::new(ProblemKind::Forbidden, HTTPS_REQUIRED);
    error_response(&problem, request.headers())
}

/// Returns a problem in the external API's envelope. The request must have a request id.
pub(crate) fn error_response(problem: &Problem, request: &HeaderMap) -> Response {
    let id = client_request_id(request).unwrap_or_default();
    let mut response = render(Api::External, &().into_response(), problem, &id);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The error message for plain HTTP requests.
pub(super) const HTTPS_REQUIRED: &str = "HTTPS is required";

/// Returns the context of an unauthenticated request. Pages belong to the console.
fn context(state: &ApiState, request: &Request) -> Context {
    let mut context = Context::system(state.app.clock.monotonic());
    let client = Client::of(request.extensions(), request.headers(), &state.settings);
    context.actor = Actor::Anonymous;
    context.origin.scheme = Scheme::Console;
    context.origin.address = Some(client.address);
    context.origin.user_agent = user_agent(request.headers());
    context.origin.request_id = client_request_id(request.headers());
    context
}

async fn add_request_id(
    State(state): State<ApiState>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = client_request_id(request.headers())
        .unwrap_or_else(|| state.app.ids.next::<uuid::Uuid>().to_string());
    let Ok(id) = HeaderValue::from_str(&id) else { return next.run(request).await };
    // Handlers read the id from the header, whether the client sent it or not.
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let context = context(&state, &request);
    request.extensions_mut().insert(context);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
