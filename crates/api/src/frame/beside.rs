//! What stands beside the APIs: pages, documents and probes. They have no table, but an id, safe
//! headers, and no plain HTTP where that is not allowed.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use grantor_domain::access::Actor;
use grantor_domain::audit::Scheme;
use grantor_service::Context;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::client::Client;
use super::pass::render;
use super::problem::{Problem, ProblemKind};
use super::request::{given_id, user_agent};
use super::settings::ApiState;
use super::surface::Surface;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Refuses plain HTTP where it could be overheard (contract section 10).
pub(crate) fn https_only(state: &ApiState, router: Router) -> Router {
    if state.settings.require_https {
        router.layer(from_fn_with_state(state.clone(), require_https))
    } else {
        router
    }
}

/// Gives every answer an id and the headers that keep browsers from guessing.
pub(crate) fn marked(state: &ApiState, router: Router) -> Router {
    router.layer(from_fn_with_state(state.clone(), mark))
}

async fn require_https(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    if Client::of(request.extensions(), request.headers(), &state.settings).forwarded_https {
        return next.run(request).await;
    }
    let problem = Problem::new(ProblemKind::Forbidden, HTTPS_REQUIRED);
    refused(&problem, request.headers())
}

/// A problem in the external API's envelope, for a request that was marked.
pub(crate) fn refused(problem: &Problem, request: &HeaderMap) -> Response {
    let id = given_id(request).unwrap_or_default();
    let mut response = render(Surface::External, &().into_response(), problem, &id);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// What whoever comes by plain HTTP hears.
pub(super) const HTTPS_REQUIRED: &str = "HTTPS is required";

/// A request nobody signed in for, as the service knows it. Pages are part of the console.
fn context(state: &ApiState, request: &Request) -> Context {
    let mut context = Context::system(state.app.clock.monotonic());
    let client = Client::of(request.extensions(), request.headers(), &state.settings);
    context.actor = Actor::Anonymous;
    context.origin.scheme = Scheme::Console;
    context.origin.address = Some(client.address);
    context.origin.user_agent = user_agent(request.headers());
    context.origin.request_id = given_id(request.headers());
    context
}

async fn mark(State(state): State<ApiState>, mut request: Request, next: Next) -> Response {
    let id = given_id(request.headers())
        .unwrap_or_else(|| state.app.ids.next::<uuid::Uuid>().to_string());
    let Ok(id) = HeaderValue::from_str(&id) else { return next.run(request).await };
    // The handler sees the id it will be known by, whoever chose it, and where it came from.
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let context = context(&state, &request);
    request.extensions_mut().insert(context);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
