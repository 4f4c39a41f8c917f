//! `/objects/{kind}/{id}`: stored images, served by signed URLs (contract section 10). The
//! signature in the URL is the only authorization, until it expires.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use grantor_http::RequestInfo;
use grantor_service::operations::object_url::{self, OpenedObject};
use http::{Uri, header};

use crate::frame::error_response;
use crate::frame::state::ApiState;

/// Keeps a browser from running or loading anything, even if it renders the image as a page.
const POLICY: &str = "default-src 'none'; sandbox";

pub(crate) fn router(state: &ApiState) -> Router {
    Router::new().route("/objects/{kind}/{id}", get(show)).with_state(state.clone())
}

async fn show(
    State(state): State<ApiState>,
    Extension(info): Extension<RequestInfo>,
    uri: Uri,
) -> Response {
    let target = uri.path_and_query().map_or("", |it| it.as_str());
    let OpenedObject { bytes, content_type, valid_for } =
        match object_url::open(&state.app, target).await {
            Ok(opened) => opened,
            Err(error) => return error_response(&uri, &info.request_id, error),
        };
    let disposition = format!("inline; filename=\"image.{}\"", content_type.extension());
    let headers = [
        (header::CONTENT_TYPE, content_type.name().to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, format!("private, max-age={}", valid_for.as_secs())),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
    ];
    (headers, bytes).into_response()
}
