//! `/objects/{kind}/{id}`: pictures by URLs that were signed for them (contract section 10). Whoever
//! has the URL has the picture until it expires; nothing else opens it.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use grantor_service::object_url::{self, Opened};
use http::{HeaderMap, Uri, header};

use crate::frame::beside::refused;
use crate::frame::settings::ApiState;

/// A picture runs nothing and loads nothing, even if a browser is made to take it for a page.
const POLICY: &str = "default-src 'none'; sandbox";

pub(crate) fn router(state: &ApiState) -> Router {
    Router::new().route("/objects/{kind}/{id}", get(show)).with_state(state.clone())
}

async fn show(State(state): State<ApiState>, uri: Uri, headers: HeaderMap) -> Response {
    let target = uri.path_and_query().map_or("", |it| it.as_str());
    let Opened { bytes, content_type, good_for } = match object_url::open(&state.app, target).await
    {
        Ok(opened) => opened,
        Err(error) => return refused(&error.into(), &headers),
    };
    let named = format!("inline; filename=\"image.{}\"", content_type.extension());
    let headers = [
        (header::CONTENT_TYPE, content_type.name().to_owned()),
        (header::CONTENT_DISPOSITION, named),
        (header::CACHE_CONTROL, format!("private, max-age={}", good_for.as_secs())),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
    ];
    (headers, bytes).into_response()
}
