//! The JSON surfaces: the external API at the origin, the console and admin API below `/v1.0.1`.
//!
//! Each surface is one table of routes that reads like its document, its own wire types and its
//! own envelope. What every request has in common is in [`frame`].

pub mod console;
pub mod describe;
mod document;
pub mod external;
pub mod frame;
mod license;
mod object;
pub mod openapi;
pub mod operations;

use axum::Router;
use axum::extract::Request;
use axum::routing::{MethodRouter, any};
use tower::ServiceExt as _;

pub use frame::settings::{ApiState, Settings};
pub use frame::surface::Surface;

/// Makes the documents that are the same for everybody, so that the first who asks for one does not wait.
pub fn make_documents(state: &ApiState) {
    document::Documents::make(state);
}

/// Both APIs, the operations' endpoints, pictures and the pages beside them.
pub fn router(state: &ApiState, pages: Router) -> Router {
    assemble(state, external::routes(&state.app.service_name), console::routes(), pages)
}

/// The same from other tables: tests add routes that misbehave.
pub fn assemble(
    state: &ApiState,
    external: Vec<frame::route::Route>,
    console: Vec<frame::route::Route>,
    pages: Router,
) -> Router {
    let console = frame::route::build(Surface::Console, state, console);
    let pages = pages.merge(openapi::router(state)).merge(object::router(state));
    let beside = frame::beside::https_only(state, pages).merge(operations::router(state));
    let router = frame::route::build(Surface::External, state, external)
        .route(&format!("{}/", Surface::Console.prefix()), bare_prefix(console.clone()))
        .nest(Surface::Console.prefix(), console)
        .merge(frame::beside::marked(state, beside));
    frame::compression::compressed(router)
}

/// Nesting leaves out the prefix with nothing but a slash behind it: it belongs to the surface too.
fn bare_prefix(console: Router) -> MethodRouter {
    any(move |request: Request| console.oneshot(request))
}
