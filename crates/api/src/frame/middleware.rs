//! The middleware around every API route.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::image::MAX_BYTES;
use grantor_domain::limit::LimitName;
use grantor_http::RequestInfo;
use grantor_http::body::{self, BODY_LIMIT, BodyError};
use grantor_http::execute::{Bounds, check_in_time, execute};
use grantor_http::layer::https_required;
use grantor_http::observe::observe;
use grantor_http::route_metrics::RouteMetrics;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};

use super::api::Api;
use super::caller::{self, Identity};
use super::problem::{Problem, ProblemKind};
use super::route::{Limit, RouteInfo};
use super::state::ApiState;
use super::{access_log, idempotency, oauth, refusal};

/// How many bytes a mebibyte has.
const MIB: usize = 1024 * 1024;

/// A route's API, settings and metrics, shared by all its requests.
#[derive(Clone)]
pub(super) struct RouteState(Arc<Inner>);

struct Inner {
    api: Api,
    state: ApiState,
    info: RouteInfo,
    metrics: RouteMetrics,
}

impl RouteState {
    pub(super) fn new(api: Api, state: &ApiState, info: RouteInfo) -> Self {
        let metrics = RouteMetrics::new(api.name(), &info.path).below(api.prefix());
        Self(Arc::new(Inner { api, state: state.clone(), info, metrics }))
    }

    pub(super) fn info(&self) -> &RouteInfo {
        &self.0.info
    }

    pub(super) fn api(&self) -> Api {
        self.0.api
    }

    pub(super) fn state(&self) -> &ApiState {
        &self.0.state
    }
}

/// Handles one request, from assigning its id to rendering the response envelope.
pub(super) async fn handle(
    State(route): State<RouteState>,
    mut request: Request,
    next: Next,
) -> Response {
    let app = &route.state().app;
    let info = RequestInfo::of(route.state(), &request, route.api().scheme());
    let method = request.method().clone();
    let checks = admit(&route, request.headers(), request.uri(), &info);
    let outcome = check_in_time(route.state(), checks).await;
    let mut log_entry = None;
    let response = match outcome {
        Ok(identity) => {
            if let Some(identity) = identity {
                log_entry = access_log::begin(app, route.info(), &request, &info, &identity);
                request.extensions_mut().insert(identity);
            }
            request.extensions_mut().insert(info.clone());
            run(&route, &info, request, next).await
        }
        Err(problem) => problem.into_response(),
    };
    let response = count_unidentified(&route, &info, response).await;
    refusal::note(&route, &info, &response);
    let response = finish(&route, response, &info);
    if let Some(log_entry) = log_entry {
        grantor_http::access_log::end(app, log_entry, response.status());
    }
    observe(route.state(), &route.0.metrics, &info, (&method, response.status()));
    response
}

/// Runs all checks that can reject a request before its handler runs.
async fn admit(
    route: &RouteState,
    headers: &HeaderMap,
    uri: &Uri,
    info: &RequestInfo,
) -> Result<Option<Identity>, Problem> {
    let app = &route.state().app;
    if !route.state().accepts(info.client) {
        info.count_address(app, LimitName::Anonymous).await?;
        return Err(https_required().into());
    }
    if let Limit::Address(name) | Limit::Quiet(name) = route.info().limit {
        info.count_address(app, name).await?;
    }
    if !is_text(uri.path()) || !is_text(uri.query().unwrap_or_default()) {
        let message = "The URL must be valid UTF-8 without NUL characters";
        return Err(Problem::new(ProblemKind::Validation, message));
    }
    let limit = route.info().body_limit;
    if body::declared_length(headers).is_some_and(|it| it > limit) {
        return Err(too_large(limit));
    }
    caller::admit(app, route.info().access, headers, info).await
}

/// The problem of a body that is larger than its route allows.
fn too_large(limit: usize) -> Problem {
    if limit <= BODY_LIMIT {
        return BodyError::TooLarge.into();
    }
    let [form, image] = [limit, MAX_BYTES].map(|it| it / MIB);
    let message = format!(
        "The form is too large: an image must be at most {image} MiB, and all of it at most \
         {form} MiB"
    );
    Problem::new(ProblemKind::PayloadTooLarge, message)
}

/// Counts a rejected request against the client's address if no other limit counted it, because
/// every response carries rate-limit headers (contract section 3).
async fn count_unidentified(
    route: &RouteState,
    info: &RequestInfo,
    response: Response,
) -> Response {
    let limited = response.status() == StatusCode::TOO_MANY_REQUESTS;
    let counted = info.context.rate_limit.get().is_some() || limited;
    let by_service = matches!(route.info().limit, Limit::Service(_));
    if !by_service || counted || !response.status().is_client_error() {
        return response;
    }
    match info.count_address(&route.state().app, LimitName::Anonymous).await {
        Ok(()) => response,
        Err(refused) => Problem::from(refused).into_response(),
    }
}

/// Whether the percent-decoded text is UTF-8 without NUL, which every database can store.
fn is_text(part: &str) -> bool {
    if !part.contains('%') {
        return true;
    }
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let escaped = escaped.and_then(|it| std::str::from_utf8(it).ok());
        let escaped = escaped.and_then(|it| u8::from_str_radix(it, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    !bytes.contains(&0) && std::str::from_utf8(&bytes).is_ok()
}

/// Runs the handler within the route's bounds.
async fn run(route: &RouteState, info: &RequestInfo, request: Request, next: Next) -> Response {
    let keyed = route.info().idempotent && request.headers().contains_key("idempotency-key");
    let bounds = Bounds {
        body_limit: route.info().body_limit,
        // With an idempotency key the body is buffered before it is parsed.
        body_copies: 1 + usize::from(keyed),
        extra_time: route.info().extra_time,
        any_type: false,
    };
    let own = route.clone();
    let handler = |request| async move {
        if keyed {
            idempotency::run_once(&own, request, next).await
        } else {
            next.run(request).await
        }
    };
    let run = execute(route.state(), &info.context, bounds, request, handler);
    run.await.unwrap_or_else(|error| Problem::from(error).into_response())
}

/// Renders a problem in the API's envelope and adds the headers common to all responses.
fn finish(route: &RouteState, mut response: Response, info: &RequestInfo) -> Response {
    let (request_id, mut rate_limit) = (&info.request_id, info.context.rate_limit.get());
    if let Some(problem) = problem_of(&mut response) {
        if let ProblemKind::RateLimited(refused) = problem.kind {
            rate_limit = Some(refused);
        }
        response = render(route.0.api, &response, &problem, request_id);
        let basic = route.info().oauth || route.info().security == Some("basic");
        if response.status() == StatusCode::UNAUTHORIZED && basic {
            set(response.headers_mut(), "www-authenticate", "Basic realm=\"grantor\"");
        }
        if route.info().oauth {
            response = oauth::render(response, &problem);
        }
    }
    let headers = response.headers_mut();
    if route.info().oauth {
        // For caches of HTTP/1.0, as RFC 6749 section 5.1 requires.
        set(headers, "pragma", "no-cache");
    }
    let quiet = matches!(route.info().limit, Limit::Quiet(_));
    if let Some(rate_limit) = rate_limit.filter(|_| !quiet) {
        set(headers, "x-ratelimit-limit", &rate_limit.limit.to_string());
        set(headers, "x-ratelimit-remaining", &rate_limit.remaining.to_string());
        set(headers, "x-ratelimit-reset", &rate_limit.resets_at.as_secs_ceil().to_string());
    }
    set(headers, "x-request-id", request_id);
    set(headers, "x-content-type-options", "nosniff");
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Returns the problem of a failed handler, or an internal error for an error status without an
/// envelope.
fn problem_of(response: &mut Response) -> Option<Problem> {
    let known = response.extensions_mut().remove::<Problem>();
    let status = response.status();
    let json =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|it| it == "application/json");
    if known.is_some() || json || !(status.is_client_error() || status.is_server_error()) {
        return known;
    }
    // A bug: some code returned an error without an envelope.
    Some(Problem {
        internal: Some(format!("response {status} has no error envelope")),
        ..Problem::new(ProblemKind::Internal, "An unexpected error occurred")
    })
}

/// Returns the response to a request that is rejected before it reaches a route.
#[must_use]
pub fn error_response(uri: &Uri, request_id: &str, error: Error) -> Response {
    let api = Api::of_path(uri.path());
    let mut response = render(api, &().into_response(), &error.into(), request_id);
    set(response.headers_mut(), "cache-control", "no-store");
    response
}

/// Renders a problem in the API's envelope.
pub(super) fn render(api: Api, before: &Response, problem: &Problem, request_id: &str) -> Response {
    let (status, code) = api.status_and_code(&problem.kind);
    if let Some(internal) = &problem.internal {
        if status.is_server_error() {
            tracing::error!(request_id, code, reason = internal, "request failed");
        } else {
            tracing::info!(request_id, code, reason = internal, "request rejected");
        }
    }
    let body = api.envelope(problem, code, request_id);
    let mut response = (status, axum::Json(body)).into_response();
    // On a 405, the router lists the allowed methods.
    if let Some(allowed) = before.headers().get(header::ALLOW) {
        response.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    if status == StatusCode::UNAUTHORIZED {
        set(response.headers_mut(), "www-authenticate", "Bearer");
    }
    if let Some(wait) = problem.kind.retry_after() {
        let seconds = wait.as_micros().div_ceil(1_000_000).max(1);
        set(response.headers_mut(), "retry-after", &seconds.to_string());
    }
    response
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}
