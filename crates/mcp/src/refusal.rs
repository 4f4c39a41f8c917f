//! Refused requests, as HTTP responses with a JSON-RPC error.

use std::borrow::Cow;

use axum::body::{Body, to_bytes};
use axum::response::{IntoResponse as _, Response};
use grantor_api::Api;
use grantor_api::frame::problem::{Problem, ProblemKind};
use grantor_domain::limit::LimitState;
use grantor_domain::scope::Scope;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcError, RequestId};
use serde_json::Value;

/// Where clients find out how to get an access token (RFC 9728).
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";
/// The maximum size of an error of the transport.
const MAX_ERROR: usize = 64 * 1024;

/// What is wrong with the access token of a request (RFC 6750 section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Challenge {
    /// There is none, and the tool needs one with this scope.
    Missing(Option<Scope>),
    /// It is not valid.
    Invalid,
    /// It lacks this scope.
    Scope(Scope),
}

impl Challenge {
    fn status(self) -> StatusCode {
        match self {
            Self::Missing(_) | Self::Invalid => StatusCode::UNAUTHORIZED,
            Self::Scope(_) => StatusCode::FORBIDDEN,
        }
    }

    /// Adds the header that tells clients what to do.
    pub(crate) fn add_to(self, headers: &mut HeaderMap, public_url: &str) {
        let metadata = format!("Bearer resource_metadata=\"{public_url}{METADATA}\"");
        let text = match self {
            Self::Missing(None) => metadata,
            Self::Missing(Some(scope)) => format!("{metadata}, scope=\"{scope}\""),
            Self::Invalid => format!("{metadata}, error=\"invalid_token\""),
            Self::Scope(scope) => {
                format!("{metadata}, error=\"insufficient_scope\", scope=\"{scope}\"")
            }
        };
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(header::WWW_AUTHENTICATE, value);
        }
    }
}

/// A tool call that needs another access token.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) challenge: Challenge,
    /// The ID of the JSON-RPC request.
    pub(crate) id: RequestId,
    /// The error of the API.
    pub(crate) error: Value,
}

impl Refusal {
    pub(crate) fn response(&self, public_url: &str) -> Response {
        let message = self.error["message"].as_str().unwrap_or_default().to_owned();
        let (id, data) = (Some(self.id.clone()), Some(self.error.clone()));
        let mut response = response(self.challenge.status(), id, message, data);
        self.challenge.add_to(response.headers_mut(), public_url);
        response
    }
}

/// Renders a problem. The data of the error is that of the API.
pub(crate) fn of_problem(problem: &Problem, request_id: &str) -> Response {
    let (status, code) = Api::External.status_and_code(&problem.kind);
    if let Some(reason) = &problem.internal {
        tracing::warn!(request_id, code, reason, "request failed");
    }
    let error = Api::External.envelope(problem, code, request_id)["error"].take();
    let mut response = response(status, None, problem.message.clone(), Some(error));
    if let Some(wait) = problem.kind.retry_after() {
        let seconds = wait.as_micros().div_ceil(1_000_000).max(1);
        set(response.headers_mut(), "retry-after", &seconds.to_string());
    }
    if let ProblemKind::RateLimited(standing) = problem.kind {
        set_rate_limit(response.headers_mut(), standing);
    }
    response
}

/// The response to a body that is not JSON.
pub(crate) fn not_json() -> Response {
    let error = ErrorData::parse_error("The request body is not valid JSON", None);
    render(StatusCode::BAD_REQUEST, None, error)
}

/// Turns an error of the transport, which is plain text, into a JSON-RPC error. Other responses
/// stay as they are.
pub(crate) async fn of_transport(response: Response, is_json: bool) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_message = kind.is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
    if status.is_success() || is_message {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    // The transport also responds with this status to JSON that is not a message of the protocol.
    let mut response = if status == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json {
        let message = "The request body is not a JSON-RPC message";
        self::response(StatusCode::BAD_REQUEST, None, message, None)
    } else {
        self::response(status, None, text, None)
    };
    if let Some(allowed) = parts.headers.get(header::ALLOW) {
        response.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    response
}

/// Sets the headers that report a rate limit.
pub(crate) fn set_rate_limit(headers: &mut HeaderMap, standing: LimitState) {
    set(headers, "x-ratelimit-limit", &standing.limit.to_string());
    set(headers, "x-ratelimit-remaining", &standing.remaining.to_string());
    set(headers, "x-ratelimit-reset", &standing.resets_at.as_secs_ceil().to_string());
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

fn response(
    status: StatusCode,
    id: Option<RequestId>,
    message: impl Into<Cow<'static, str>>,
    data: Option<Value>,
) -> Response {
    let code = if status.is_server_error() {
        ErrorCode::INTERNAL_ERROR
    } else {
        ErrorCode::INVALID_REQUEST
    };
    render(status, id, ErrorData::new(code, message, data))
}

fn render(status: StatusCode, id: Option<RequestId>, error: ErrorData) -> Response {
    match serde_json::to_string(&JsonRpcError::new(id, error)) {
        Ok(body) => {
            (status, [(header::CONTENT_TYPE, "application/json")], Body::from(body)).into_response()
        }
        Err(_) => status.into_response(),
    }
}
