//! `/websub/{token}`: the callback URL of WebSub hubs. The token is the only authorization of
//! requests to confirm something; pushes are also signed. Hubs ignore the body of a response.

use std::time::Duration;

use axum::extract::{Path, Query, Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use grantor_domain::Error;
use grantor_domain::limit::LimitName;
use grantor_domain::websub::MAX_PUSH_BYTES;
use grantor_http::RequestInfo;
use grantor_http::body::{self, BodyError};
use grantor_http::execute::{Bounds, execute};
use grantor_service::watching::websub::{self, Confirmation, HubQuery, PushRequest, PushResult};
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use crate::frame::error_response;
use crate::frame::state::ApiState;

/// The maximum length of a stored media type.
const MAX_TYPE: usize = 255;

pub(crate) fn router(state: &ApiState) -> Router {
    Router::new().route("/websub/{token}", get(confirm).post(receive)).with_state(state.clone())
}

/// The query of a hub, as in section 5 of the Recommendation.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CallbackQuery {
    #[serde(rename = "hub.mode")]
    mode: String,
    #[serde(rename = "hub.topic")]
    topic: String,
    #[serde(rename = "hub.challenge")]
    challenge: Option<String>,
    #[serde(rename = "hub.lease_seconds")]
    lease_seconds: Option<String>,
    #[serde(rename = "hub.reason")]
    reason: Option<String>,
}

impl From<CallbackQuery> for HubQuery {
    fn from(query: CallbackQuery) -> Self {
        let CallbackQuery { mode, topic, challenge, lease_seconds, reason } = query;
        Self { mode, topic, challenge, lease_seconds, reason }
    }
}

async fn confirm(
    State(state): State<ApiState>,
    Extension(info): Extension<RequestInfo>,
    Path(token): Path<String>,
    request: Request,
) -> Response {
    let own = state.clone();
    let handler = move |request: Request| async move {
        // A query that cannot be read asks for nothing that we want.
        let query = Query::<CallbackQuery>::try_from_uri(request.uri());
        let query = query.map(|it| HubQuery::from(it.0)).unwrap_or_default();
        let response = match websub::confirm(&own.app, &token, query).await? {
            Confirmation::Confirmed(challenge) => {
                let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
                (headers, challenge).into_response()
            }
            Confirmation::Noted => StatusCode::OK.into_response(),
            Confirmation::Refused => StatusCode::NOT_FOUND.into_response(),
        };
        Ok::<_, Error>(response)
    };
    run(&state, &info, request, handler).await
}

async fn receive(
    State(state): State<ApiState>,
    Extension(info): Extension<RequestInfo>,
    Path(token): Path<String>,
    request: Request,
) -> Response {
    let (own, context) = (state.clone(), info.context.clone());
    let handler = move |request: Request| async move {
        let headers = request.headers();
        let (signatures, content_type) = (signatures(headers), content_type(headers));
        let body = match body::read(request, &own).await {
            Ok(body) => body.to_vec(),
            Err(error) => return Ok(unreadable(error).into_response()),
        };
        let pushed = PushRequest { signatures, content_type, body };
        let status = match websub::receive(&own.app, &context, &token, pushed).await? {
            PushResult::Accepted => StatusCode::ACCEPTED,
            PushResult::Rejected => StatusCode::FORBIDDEN,
            PushResult::Gone => StatusCode::GONE,
        };
        Ok::<_, Error>(status.into_response())
    };
    run(&state, &info, request, handler).await
}

/// Counts a request against the limit of its address and runs it within its bounds.
async fn run<F>(
    state: &ApiState,
    info: &RequestInfo,
    request: Request,
    handler: impl FnOnce(Request) -> F + Send + 'static,
) -> Response
where
    F: Future<Output = Result<Response, Error>> + Send + 'static,
{
    let (uri, id) = (request.uri().clone(), info.request_id.clone());
    if let Err(exceeded) = info.count_address(&state.app, LimitName::Hub).await {
        return error_response(&uri, &id, exceeded);
    }
    let (body_limit, extra_time) = (MAX_PUSH_BYTES, Duration::ZERO);
    let bounds = Bounds { body_limit, body_copies: 1, extra_time, any_type: false };
    let failed = (uri.clone(), id.clone());
    let handler = move |request| async move {
        handler(request).await.unwrap_or_else(|error| error_response(&failed.0, &failed.1, error))
    };
    let ran = execute(state, &info.context, bounds, request, handler).await;
    ran.unwrap_or_else(|error| error_response(&uri, &id, error))
}

fn signatures(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all("x-hub-signature").iter();
    values.filter_map(|it| it.to_str().ok()).map(str::to_owned).collect()
}

fn content_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(text.chars().take(MAX_TYPE).collect())
}

fn unreadable(error: BodyError) -> StatusCode {
    match error {
        BodyError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        BodyError::Compressed => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        BodyError::TimedOut => StatusCode::REQUEST_TIMEOUT,
        BodyError::Incomplete | BodyError::Malformed => StatusCode::BAD_REQUEST,
    }
}
