//! Layers for routes outside the API tables: pages, documents and probes.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use grantor_domain::audit::Scheme;
use grantor_domain::{Error, ErrorKind};
use http::{HeaderValue, header};

use crate::RenderError;
use crate::request::RequestInfo;
use crate::state::HttpState;

/// The error for plain HTTP where HTTPS is required (contract section 10).
#[must_use]
pub fn https_required() -> Error {
    Error::new(ErrorKind::Forbidden, "HTTPS is required")
}

/// Rejects plain HTTP if HTTPS is required.
pub fn https_only(state: &HttpState, router: Router, render: RenderError) -> Router {
    if !state.settings.require_https {
        return router;
    }
    router.layer(from_fn_with_state((state.clone(), render), require_https))
}

async fn require_https(
    State((state, render)): State<(HttpState, RenderError)>,
    request: Request,
    next: Next,
) -> Response {
    let info = RequestInfo::of(&state, &request, Scheme::Console);
    if state.accepts(info.client) {
        return next.run(request).await;
    }
    render(request.uri(), &info.request_id, https_required())
}

/// Adds a request id and `nosniff` to every response, and [`RequestInfo`] to every request. Pages
/// belong to the console.
pub fn with_request_info(state: &HttpState, router: Router) -> Router {
    router.layer(from_fn_with_state(state.clone(), add_request_info))
}

async fn add_request_info(
    State(state): State<HttpState>,
    mut request: Request,
    next: Next,
) -> Response {
    let info = RequestInfo::of(&state, &request, Scheme::Console);
    let id = HeaderValue::from_str(&info.request_id);
    request.extensions_mut().insert(info);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if let Ok(id) = id {
        headers.insert("x-request-id", id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
