//! Pages for people. So far: the page to read and try both APIs, the way to it, and the page that
//! mailed links lead to.

mod docs;
mod magic;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;

/// All pages.
pub fn router() -> Router {
    Router::new()
        // Whoever opens the origin in a browser should land on something to read.
        .route("/", get(|| async { Redirect::temporary("/docs/") }))
        .merge(docs::router())
        .merge(magic::router())
}
