//! The middleware around every API route.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use grantor_domain::limit::{LimitName, LimitState};
use grantor_service::context::{RateLimitReport, RequestFlags, Waiter};
use grantor_service::operations::limit::Subject;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::api::Api;
use super::caller::{self, Identity};
use super::client::Client;
use super::extract::too_large;
use super::idempotency;
use super::non_api::HTTPS_REQUIRED;
use super::problem::{Problem, ProblemKind};
use super::request::{RequestInfo, client_request_id, user_agent};
use super::route::{Limit, RouteInfo};
use super::route_metrics::RouteMetrics;
use super::settings::ApiState;
use super::{access_log, refusal, upload};

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
        let metrics = RouteMetrics::new(api.name(), &info.path);
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
    let started = app.clock.monotonic();
    let request_id = client_request_id(request.headers());
    let request_id = request_id.unwrap_or_else(|| app.ids.next::<uuid::Uuid>().to_string());
    let client = Client::of(request.extensions(), request.headers(), &route.state().settings);
    let method = request.method().clone();
    let info = RequestInfo {
        api: route.0.api,
        request_id: request_id.clone(),
        client,
        started,
        claim: None,
        rate_limit: RateLimitReport::default(),
        waiter: Waiter::default(),
        flags: RequestFlags::default(),
    };
    let (rate_limit, flags) = (info.rate_limit.clone(), info.flags.clone());
    let waiter = info.waiter.clone();
    let origin = info.origin(user_agent(request.headers()));
    let outcome = admit(&route, client, request.headers(), request.uri(), &info).await;
    let mut log_entry = None;
    let response = match outcome {
        Ok(identity) => {
            if let Some(identity) = identity {
                log_entry = access_log::begin(app, route.info(), &request, &info, &identity);
                request.extensions_mut().insert(identity);
            }
            request.extensions_mut().insert(info);
            execute(&route, client, request, next, waiter).await
        }
        Err(problem) => problem.into_response(),
    };
    let response = count_unidentified(&route, client, response, &rate_limit).await;
    refusal::note(&route, origin, &flags, &response);
    let response = finish(&route, response, &request_id, rate_limit.get());
    if let Some(log_entry) = log_entry {
        access_log::end(app, log_entry, response.status());
    }
    let taken = app.clock.monotonic().saturating_sub(started);
    observe(&route, &method, &response, &request_id, taken);
    response
}

/// Runs all checks that can reject a request before its handler runs.
async fn admit(
    route: &RouteState,
    client: Client,
    headers: &HeaderMap,
    uri: &http::Uri,
    info: &RequestInfo,
) -> Result<Option<Identity>, Problem> {
    let (state, rate_limit) = (route.state(), &info.rate_limit);
    if state.settings.require_https && !client.forwarded_https {
        let subject = Subject::address(client.address);
        rate_limit.record(state.app.limiter.hit(LimitName::Anonymous, &subject).await?);
        return Err(Problem::new(ProblemKind::Forbidden, HTTPS_REQUIRED));
    }
    if let Limit::Address(name) | Limit::Quiet(name) = route.info().limit {
        let subject = Subject::address(client.address);
        rate_limit.record(state.app.limiter.hit(name, &subject).await?);
    }
    if !is_text(uri.path()) || !is_text(uri.query().unwrap_or_default()) {
        let message = "The URL must be valid UTF-8 without NUL characters";
        return Err(Problem::new(ProblemKind::Validation, message));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    let length = length.and_then(|it| it.parse::<usize>().ok()).unwrap_or(0);
    if length > route.info().body_limit {
        return Err(too_large());
    }
    caller::admit(&state.app, route.info().access, headers, info).await
}

/// Counts a rejected request against the client's address if no other limit counted it, because
/// every response carries rate-limit headers (contract section 3).
async fn count_unidentified(
    route: &RouteState,
    client: Client,
    response: Response,
    rate_limit: &RateLimitReport,
) -> Response {
    let counted = rate_limit.get().is_some() || response.status() == StatusCode::TOO_MANY_REQUESTS;
    if route.info().limit != Limit::Service || counted || !response.status().is_client_error() {
        return response;
    }
    let subject = Subject::address(client.address);
    match route.state().app.limiter.hit(LimitName::Anonymous, &subject).await {
        Ok(counted) => {
            rate_limit.record(counted);
            response
        }
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

/// Runs the handler with a timeout, panic handling and idempotency.
async fn execute(
    route: &RouteState,
    client: Client,
    request: Request,
    next: Next,
    waiter: Waiter,
) -> Response {
    let reserved = route.state().uploads.reserve(route.info(), request.headers()).await;
    let reservation = match reserved {
        Ok(reservation) => reservation,
        Err(problem) => return problem.into_response(),
    };
    let run = run(route.clone(), client, request, next);
    let run = async {
        match reservation {
            Some(reservation) => upload::run_to_completion(reservation, run).await,
            None => run.await,
        }
    };
    let mut guarded = pin!(AssertUnwindSafe(run).catch_unwind());
    let mut waiting = Waiting { waiter, done: false };
    let settings = &route.state().settings;
    let time = settings.handler_time + route.info().extra_time;
    let mut outcome = tokio::time::timeout(time, guarded.as_mut()).await;
    waiting.done = true;
    // On a timeout, either cancel before anything is stored, or wait for the response to the change
    // that is being stored.
    let unchanged = outcome.is_err() && waiting.waiter.leave();
    if outcome.is_err() && !unchanged {
        outcome = tokio::time::timeout(settings.answer_time, guarded).await;
    }
    match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => panicked(&*panic).into_response(),
        Err(_) => timed_out(unchanged).into_response(),
    }
}

/// Cancels the wait when the client disconnects, unless the handler already finished.
struct Waiting {
    waiter: Waiter,
    done: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.done {
            let _ = self.waiter.leave();
        }
    }
}

fn timed_out(unchanged: bool) -> Problem {
    let kind = ProblemKind::Unavailable { retry_after: Duration::from_secs(1) };
    let message = if unchanged {
        "The request timed out"
    } else {
        "The request timed out after the change was stored. Check the result before you retry."
    };
    Problem::new(kind, message)
}

async fn run(route: RouteState, client: Client, request: Request, next: Next) -> Response {
    if route.info().idempotent {
        idempotency::run_once(route.state(), client, request, next).await
    } else {
        next.run(request).await
    }
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Problem {
    let text = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic".to_owned());
    Problem {
        internal: Some(format!("panic: {text}")),
        ..Problem::new(ProblemKind::Internal, "An unexpected error occurred")
    }
}

/// Renders a problem in the API's envelope and adds the headers common to all responses.
fn finish(
    route: &RouteState,
    mut response: Response,
    request_id: &str,
    rate_limit: Option<LimitState>,
) -> Response {
    let mut rate_limit = rate_limit;
    if let Some(problem) = problem_of(&mut response) {
        if let ProblemKind::RateLimited(refused) = problem.kind {
            rate_limit = Some(refused);
        }
        response = render(route.0.api, &response, &problem, request_id);
        if response.status() == StatusCode::UNAUTHORIZED && route.info().security == Some("basic") {
            set(response.headers_mut(), "www-authenticate", "Basic realm=\"grantor\"");
        }
    }
    let headers = response.headers_mut();
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

/// Logs the request and records its metrics. Never logs the query, headers or body.
fn observe(
    route: &RouteState,
    method: &Method,
    response: &Response,
    request_id: &str,
    taken: Duration,
) {
    let status = response.status();
    tracing::debug!(
        request_id,
        %method,
        route = route.info().path,
        status = status.as_u16(),
        micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX),
        "request"
    );
    route.0.metrics.record(method, status, taken);
}
