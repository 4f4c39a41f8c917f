//! Idempotency keys: the handler runs once per key, and later requests get the stored response.

use std::borrow::Cow;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::idempotency::IdempotencyKey;
use grantor_service::operations::idempotency::{
    BeginOutcome, KeyedRequest, StoredResponse, begin, finish, run_claimed,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::caller::Identity;
use super::client::Client;
use super::extract;
use super::middleware::render;
use super::problem::Problem;
use super::request::RequestInfo;
use super::settings::ApiState;

/// The maximum size of a stored response.
const STORED_LIMIT: usize = 1024 * 1024;
/// Headers that are stored with the response.
const STORED_HEADERS: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::ETAG,
    header::LOCATION,
    header::CACHE_CONTROL,
    HeaderName::from_static("x-ignored-fields"),
];

/// Runs the handler, or returns the stored response of the idempotency key.
pub(super) async fn run_once(
    state: &ApiState,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    if !request.headers().contains_key("idempotency-key") {
        return next.run(request).await;
    }
    match attempt(state, client, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn attempt(
    state: &ApiState,
    client: Client,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let key = key_of(&request)?;
    let (mut parts, body) = request.into_parts();
    let probe = Request::from_parts(parts.clone(), body);
    let body = extract::body(probe, state).await?;
    let keyed = KeyedRequest {
        caller: caller_of(&parts, client),
        method: parts.method.to_string(),
        path: full_path(&parts),
        key,
        body_hash: KeyedRequest::hash(parts.uri.query(), &content(&parts.headers, &body)),
    };
    let claim = match begin(&state.app, keyed, state.settings.replay_wait).await? {
        BeginOutcome::Replay(answer) => return Ok(replay(answer)),
        BeginOutcome::First(claim) => claim,
    };
    let mut info = None;
    if let Some(known) = parts.extensions.get_mut::<RequestInfo>() {
        known.claim = Some(claim.clone());
        info = Some(known.clone());
    }
    // In its own task: a client that disconnects must get the stored response when it retries.
    let state = state.clone();
    let task = tokio::spawn(async move {
        let running = next.run(Request::from_parts(parts, Body::from(body)));
        let response = run_claimed(&state.app, &claim, state.settings.renew_claim, running).await;
        let (response, kept) = stored_form(response, info.as_ref()).await;
        if let Err(error) = finish(&state.app, claim, kept).await {
            tracing::warn!(%error, "failed to store the response for an idempotency key");
        }
        response
    });
    match task.await {
        Ok(response) => Ok(response),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(error) => Err(grantor_domain::Error::internal(error.to_string()).into()),
    }
}

/// Returns the body without multipart boundaries, which clients generate randomly for each request.
fn content<'a>(headers: &HeaderMap, body: &'a [u8]) -> Cow<'a, [u8]> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let parameters = kind.unwrap_or_default().split(';').filter_map(|it| it.split_once('='));
    let mut boundaries = parameters.filter(|it| it.0.trim().eq_ignore_ascii_case("boundary"));
    let boundary = boundaries.next().map(|it| it.1.trim().trim_matches('"'));
    let Some(boundary) = boundary.filter(|it| !it.is_empty()) else {
        return Cow::Borrowed(body);
    };
    let (mut rest, boundary) = (body, boundary.as_bytes());
    let mut parts = Vec::with_capacity(body.len());
    while let Some(at) = memchr::memmem::find(rest, boundary) {
        parts.extend_from_slice(&rest[..at]);
        rest = &rest[at + boundary.len()..];
    }
    parts.extend_from_slice(rest);
    Cow::Owned(parts)
}

/// Returns the path with the API's prefix, which the router strips.
fn full_path(parts: &http::request::Parts) -> String {
    let prefix = parts.extensions.get::<RequestInfo>().map_or("", |it| it.api.prefix());
    format!("{prefix}{}", parts.uri.path())
}

fn key_of(request: &Request) -> Result<IdempotencyKey, Problem> {
    let value = request.headers().get("idempotency-key").and_then(|it| it.to_str().ok());
    IdempotencyKey::parse(value.unwrap_or_default())
        .map_err(|reason| Problem::field("Idempotency-Key", reason))
}

/// Returns the scope of the key: the authenticated caller, or else the client's address.
fn caller_of(parts: &http::request::Parts, client: Client) -> String {
    match parts.extensions.get::<Identity>() {
        Some(identity) => identity.key(),
        None => format!("address:{}", client.address),
    }
}

/// Returns the response to store, or `None` if a retry may have another result.
async fn stored_form(
    mut response: Response,
    info: Option<&RequestInfo>,
) -> (Response, Option<StoredResponse>) {
    let status = response.status();
    let temporary = status.is_server_error()
        || [StatusCode::TOO_MANY_REQUESTS, StatusCode::UNAUTHORIZED, StatusCode::REQUEST_TIMEOUT]
            .contains(&status);
    if temporary {
        return (response, None);
    }
    // Errors are stored too, so they are rendered now.
    let problem = response.extensions_mut().remove::<Problem>();
    if let (Some(problem), Some(info)) = (problem, info) {
        response = render(info.api, &response, &problem, &info.request_id);
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, STORED_LIMIT).await else {
        let problem = grantor_domain::Error::internal("the response is too large to store");
        return (Problem::from(problem).into_response(), None);
    };
    let headers = STORED_HEADERS
        .iter()
        .filter_map(|name| {
            let value = parts.headers.get(name)?.to_str().ok()?;
            Some((name.to_string(), value.to_owned()))
        })
        .collect();
    let kept = StoredResponse { status: status.as_u16(), headers, body: body.to_vec() };
    (Response::from_parts(parts, Body::from(body)), Some(kept))
}

fn replay(answer: StoredResponse) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    for (name, value) in answer.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
        .headers_mut()
        .insert(HeaderName::from_static("idempotent-replayed"), HeaderValue::from_static("true"));
    response
}
