//! The JSON APIs: the external API at the origin, the console and admin API below `/v1.0.1`.
//!
//! Each API has one table of routes, its own wire types and its own response envelope. [`frame`]
//! holds the request handling they share, on top of `grantor_http`.

pub mod console;
pub mod external;
pub mod frame;
mod license;
mod object;
pub mod openapi;
pub mod operations;
mod placement;
mod render_cache;
mod websub;

use axum::Router;
use axum::extract::Request;
use axum::routing::{MethodRouter, any};
use grantor_http::layer;
use tower::ServiceExt as _;

pub use frame::api::Api;
pub use frame::error_response;
pub use frame::state::ApiState;

/// Returns the router of both APIs, the health endpoints, stored images, the callback URLs of WebSub
/// hubs and the given pages.
pub fn router(state: &ApiState, pages: Router) -> Router {
    assemble(state, external::routes(&state.app.service_name), console::routes(), pages)
}

/// Same as [`router`], with explicit route tables so that tests can add their own routes.
pub fn assemble(
    state: &ApiState,
    external: Vec<frame::route::Route>,
    console: Vec<frame::route::Route>,
    pages: Router,
) -> Router {
    let console = frame::route::build(Api::Console, state, console);
    let pages = pages.merge(openapi::router(state)).merge(object::router(state));
    let pages = pages.merge(websub::router(state));
    let pages = layer::https_only(state, pages, error_response);
    let other = pages.merge(operations::probes(&state.app));
    let router = frame::route::build(Api::External, state, external)
        .route(&format!("{}/", Api::Console.prefix()), bare_prefix(console.clone()))
        .nest(Api::Console.prefix(), console)
        .merge(layer::with_request_info(state, other));
    grantor_http::compression::compressed(router)
}

/// Returns a router of some routes of the external API, for calls from inside the server. They pass
/// the same middleware as requests from outside.
pub fn external_router(state: &ApiState, routes: Vec<frame::route::Route>) -> Router {
    frame::route::build(Api::External, state, routes)
}

/// Nesting does not match the bare prefix with a trailing slash, so it needs a route of its own.
fn bare_prefix(console: Router) -> MethodRouter {
    any(move |request: Request| console.oneshot(request))
}
