//! Idempotency keys: the handler runs once per key, and later requests get the stored response.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::idempotency::IdempotencyKey;
use grantor_http::idempotency::{Outcome, copy};
use grantor_http::{RequestInfo, body, idempotency};
use grantor_service::operations::idempotency::{KeyedRequest, StoredResponse};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::api::Api;
use super::caller::Identity;
use super::middleware::{RouteState, render};
use super::problem::Problem;

/// Headers that are stored with the response.
const STORED_HEADERS: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::ETAG,
    header::LOCATION,
    header::CACHE_CONTROL,
    HeaderName::from_static("x-ignored-fields"),
];

/// Runs the handler, or returns the stored response of the idempotency key.
pub(super) async fn run_once(route: &RouteState, request: Request, next: Next) -> Response {
    match attempt(route, request, next).await {
        Ok(Outcome::Ran(response)) => response,
        Ok(Outcome::Stored(response)) => replay(response),
        Err(problem) => problem.into_response(),
    }
}

async fn attempt(route: &RouteState, request: Request, next: Next) -> Result<Outcome, Problem> {
    let key = key_of(&request)?;
    let (mut parts, body) = request.into_parts();
    let probe = Request::from_parts(parts.clone(), body);
    let body = body::read(probe, route.state()).await?;
    let (api, info) = (route.api(), parts.extensions.get::<RequestInfo>());
    let request_id = info.map(|it| it.request_id.clone()).unwrap_or_default();
    let keyed = KeyedRequest {
        caller: caller_of(&parts),
        method: parts.method.to_string(),
        // The router strips the API's prefix.
        path: format!("{}{}", api.prefix(), parts.uri.path()),
        key,
        body_hash: KeyedRequest::hash(parts.uri.query(), &content(&parts.headers, &body)),
    };
    let handler = |claim| {
        if let Some(info) = parts.extensions.get_mut::<RequestInfo>() {
            info.context.idempotency = Some(claim);
        }
        next.run(Request::from_parts(parts, Body::from(body)))
    };
    let keep = move |response| stored_form(response, api, request_id);
    Ok(idempotency::run_once(route.state(), keyed, handler, keep).await?)
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

fn key_of(request: &Request) -> Result<IdempotencyKey, Problem> {
    let value = request.headers().get("idempotency-key").and_then(|it| it.to_str().ok());
    IdempotencyKey::parse(value.unwrap_or_default())
        .map_err(|reason| Problem::field("Idempotency-Key", reason))
}

/// Returns the scope of the key: the authenticated caller, or else the client's address.
fn caller_of(parts: &Parts) -> String {
    let address = || parts.extensions.get::<RequestInfo>().map(|it| it.client.address.to_string());
    match parts.extensions.get::<Identity>() {
        Some(identity) => identity.key(),
        None => format!("address:{}", address().unwrap_or_default()),
    }
}

/// Returns the response to store, or `None` if a retry may have another result.
async fn stored_form(
    mut response: Response,
    api: Api,
    request_id: String,
) -> (Response, Option<StoredResponse>) {
    let status = response.status();
    let temporary = status.is_server_error()
        || [StatusCode::TOO_MANY_REQUESTS, StatusCode::UNAUTHORIZED, StatusCode::REQUEST_TIMEOUT]
            .contains(&status);
    if temporary {
        return (response, None);
    }
    // Errors are stored too, so they are rendered now.
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        response = render(api, &response, &problem, &request_id);
    }
    match copy(response, &STORED_HEADERS).await {
        Ok((response, stored)) => (response, Some(stored)),
        Err(error) => (Problem::from(error).into_response(), None),
    }
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
