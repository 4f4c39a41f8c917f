//! The way of one request through the frame.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use grantor_domain::limit::{LimitName, Standing};
use grantor_service::context::{EntryNote, StandingNote, Waiter};
use grantor_service::limit::Subject;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::beside::HTTPS_REQUIRED;
use super::caller::{self, Visitor};
use super::client::Client;
use super::extract::too_large;
use super::figures::Figures;
use super::idempotency;
use super::problem::{Problem, ProblemKind};
use super::request::{RequestInfo, given_id, user_agent};
use super::route::{Limit, Row};
use super::settings::ApiState;
use super::surface::Surface;
use super::{refusal, upload, visit};

/// What the frame knows of a route.
#[derive(Clone)]
pub(super) struct Pass(Arc<Inner>);

struct Inner {
    surface: Surface,
    state: ApiState,
    row: Row,
    figures: Figures,
}

impl Pass {
    pub(super) fn new(surface: Surface, state: &ApiState, row: Row) -> Self {
        let figures = Figures::new(surface.name(), &row.path);
        Self(Arc::new(Inner { surface, state: state.clone(), row, figures }))
    }

    pub(super) fn row(&self) -> &Row {
        &self.0.row
    }

    pub(super) fn surface(&self) -> Surface {
        self.0.surface
    }

    pub(super) fn state(&self) -> &ApiState {
        &self.0.state
    }
}

/// Takes a request through, from its id to its envelope.
pub(super) async fn pass(State(pass): State<Pass>, mut request: Request, next: Next) -> Response {
    let app = &pass.state().app;
    let started = app.clock.monotonic();
    let request_id =
        given_id(request.headers()).unwrap_or_else(|| app.ids.next::<uuid::Uuid>().to_string());
    let client = Client::of(request.extensions(), request.headers(), &pass.state().settings);
    let method = request.method().clone();
    let info = RequestInfo {
        surface: pass.0.surface,
        request_id: request_id.clone(),
        client,
        started,
        claim: None,
        standing: StandingNote::default(),
        waiter: Waiter::default(),
        entry: EntryNote::default(),
    };
    let (note, waiter, entry) = (info.standing.clone(), info.waiter.clone(), info.entry.clone());
    let origin = info.origin(user_agent(request.headers()));
    let outcome = admit(&pass, client, request.headers(), request.uri(), &info).await;
    let mut visit = None;
    let response = match outcome {
        Ok(visitor) => {
            if let Some(visitor) = visitor {
                visit = visit::begin(app, pass.row(), &request, &info, &visitor);
                request.extensions_mut().insert(visitor);
            }
            request.extensions_mut().insert(info);
            carry_out(&pass, client, request, next, waiter).await
        }
        Err(problem) => problem.into_response(),
    };
    let response = count_unknown(&pass, client, response, &note).await;
    refusal::note(&pass, origin, &entry, &response);
    let response = finish(&pass, response, &request_id, note.get());
    if let Some(visit) = visit {
        visit::end(app, visit, response.status());
    }
    let taken = app.clock.monotonic().saturating_sub(started);
    observe(&pass, &method, &response, &request_id, taken);
    response
}

/// Everything that can refuse a request before its handler sees it.
async fn admit(
    pass: &Pass,
    client: Client,
    headers: &HeaderMap,
    uri: &http::Uri,
    info: &RequestInfo,
) -> Result<Option<Visitor>, Problem> {
    let (state, standing) = (pass.state(), &info.standing);
    if state.settings.require_https && !client.forwarded_https {
        let subject = Subject::address(client.address);
        standing.put(state.app.limiter.hit(LimitName::Anonymous, &subject).await?);
        return Err(Problem::new(ProblemKind::Forbidden, HTTPS_REQUIRED));
    }
    if let Limit::Address(name) | Limit::Quiet(name) = pass.row().limit {
        let subject = Subject::address(client.address);
        standing.put(state.app.limiter.hit(name, &subject).await?);
    }
    if !is_text(uri.path()) || !is_text(uri.query().unwrap_or_default()) {
        let problem = "The address must be UTF-8 without a NUL character";
        return Err(Problem::new(ProblemKind::Validation, problem));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    let length = length.and_then(|it| it.parse::<usize>().ok()).unwrap_or(0);
    if length > pass.row().body_limit {
        return Err(too_large());
    }
    caller::admit(&state.app, pass.row().permission, headers, info).await
}

/// What was refused before the service could tell whose request it is counts for its address: every
/// answer carries the figures of a limit (contract section 3).
async fn count_unknown(
    pass: &Pass,
    client: Client,
    response: Response,
    standing: &StandingNote,
) -> Response {
    let counted = standing.get().is_some() || response.status() == StatusCode::TOO_MANY_REQUESTS;
    if pass.row().limit != Limit::Service || counted || !response.status().is_client_error() {
        return response;
    }
    let stranger = Subject::address(client.address);
    match pass.state().app.limiter.hit(LimitName::Anonymous, &stranger).await {
        Ok(figures) => {
            standing.put(figures);
            response
        }
        Err(refused) => Problem::from(refused).into_response(),
    }
}

/// Whether what the escapes stand for is text every store can keep.
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

/// Runs the handler: within its time, whatever it does, and only once for one idempotency key.
async fn carry_out(
    pass: &Pass,
    client: Client,
    request: Request,
    next: Next,
    waiter: Waiter,
) -> Response {
    let room = match pass.state().uploads.reserve(pass.row(), request.headers()).await {
        Ok(room) => room,
        Err(problem) => return problem.into_response(),
    };
    let run = run(pass.clone(), client, request, next);
    let run = async {
        match room {
            Some(room) => upload::to_the_end(room, run).await,
            None => run.await,
        }
    };
    let mut guarded = pin!(AssertUnwindSafe(run).catch_unwind());
    let mut waiting = Waiting { waiter, over: false };
    let settings = &pass.state().settings;
    let time = settings.handler_time + pass.row().patience;
    let mut outcome = tokio::time::timeout(time, guarded.as_mut()).await;
    waiting.over = true;
    // Either nothing is stored any more, or the answer to what is stored is worth a while.
    let nothing = outcome.is_err() && waiting.waiter.leave();
    if outcome.is_err() && !nothing {
        outcome = tokio::time::timeout(settings.answer_time, guarded).await;
    }
    match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => panicked(&*panic).into_response(),
        Err(_) => too_late(nothing).into_response(),
    }
}

/// Ends the waiting when a caller hangs up. What an answered request left to be done is done.
struct Waiting {
    waiter: Waiter,
    over: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.over {
            let _ = self.waiter.leave();
        }
    }
}

fn too_late(nothing: bool) -> Problem {
    let kind = ProblemKind::Unavailable { retry_after: Duration::from_secs(1) };
    let message = if nothing {
        "The request took too long"
    } else {
        "The change was made, but its answer took too long: look before you repeat it"
    };
    Problem::new(kind, message)
}

async fn run(pass: Pass, client: Client, request: Request, next: Next) -> Response {
    if pass.row().idempotent {
        idempotency::once(pass.state(), client, request, next).await
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

/// Puts a problem into its envelope and adds what every answer carries.
fn finish(
    pass: &Pass,
    mut response: Response,
    request_id: &str,
    standing: Option<Standing>,
) -> Response {
    let mut standing = standing;
    if let Some(problem) = problem_of(&mut response) {
        if let ProblemKind::RateLimited(refused) = problem.kind {
            standing = Some(refused);
        }
        response = render(pass.0.surface, &response, &problem, request_id);
        if response.status() == StatusCode::UNAUTHORIZED && pass.row().security == Some("basic") {
            set(response.headers_mut(), "www-authenticate", "Basic realm=\"grantor\"");
        }
    }
    let headers = response.headers_mut();
    let quiet = matches!(pass.row().limit, Limit::Quiet(_));
    if let Some(standing) = standing.filter(|_| !quiet) {
        set(headers, "x-ratelimit-limit", &standing.limit.to_string());
        set(headers, "x-ratelimit-remaining", &standing.remaining.to_string());
        set(headers, "x-ratelimit-reset", &standing.resets_at.as_secs_ceil().to_string());
    }
    set(headers, "x-request-id", request_id);
    set(headers, "x-content-type-options", "nosniff");
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// The problem a handler failed with, or the one a bare error status stands for.
fn problem_of(response: &mut Response) -> Option<Problem> {
    let known = response.extensions_mut().remove::<Problem>();
    let status = response.status();
    let json =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|it| it == "application/json");
    if known.is_some() || json || !(status.is_client_error() || status.is_server_error()) {
        return known;
    }
    // Only a part of ours that forgot the envelope comes here.
    Some(Problem {
        internal: Some(format!("an answer {status} without an envelope")),
        ..Problem::new(ProblemKind::Internal, "An unexpected error occurred")
    })
}

pub(super) fn render(
    surface: Surface,
    before: &Response,
    problem: &Problem,
    request_id: &str,
) -> Response {
    let (status, code) = surface.status_and_code(&problem.kind);
    if let Some(internal) = &problem.internal {
        if status.is_server_error() {
            tracing::error!(request_id, code, reason = internal, "request failed");
        } else {
            tracing::info!(request_id, code, reason = internal, "request refused");
        }
    }
    let body = surface.envelope(problem, code, request_id);
    let mut response = (status, axum::Json(body)).into_response();
    // The router says with a 405 which methods there are.
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

/// One line and two figures for each request. Never its query, headers or body.
fn observe(pass: &Pass, method: &Method, response: &Response, request_id: &str, taken: Duration) {
    let status = response.status();
    tracing::debug!(
        request_id,
        %method,
        route = pass.row().path,
        status = status.as_u16(),
        micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX),
        "request"
    );
    pass.0.figures.record(method, status, taken);
}
