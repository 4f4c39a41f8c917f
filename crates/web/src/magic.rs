//! `/app/magic`: where the mailed link leads. Opening it uses nothing up, since mail scanners and
//! previews open links too; the button does.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// The link's token stands in the address: nothing from elsewhere may learn it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = include_str!("magic.html");
const SCRIPT: &str = include_str!("magic.js");
const STYLE: &str = include_str!("magic.css");

pub(crate) fn router() -> Router {
    Router::new()
        .route("/app/magic", get(|| async { respond("text/html; charset=utf-8", PAGE) }))
        .route("/app/magic.js", get(|| async { respond("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/app/magic.css", get(|| async { respond("text/css; charset=utf-8", STYLE) }))
}

fn respond(content_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}
