//! Pages for people. So far: the page to read and try both APIs, and the way to it.

mod docs;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;

/// All pages.
pub fn router() -> Router {
    // Whoever opens the origin in a browser should land on something to read.
    Router::new().route("/", get(|| async { Redirect::temporary("/docs/") })).merge(docs::router())
}
