//! The JSON surfaces: the external API at the origin, the console and admin API below `/v1.0.1`.
//!
//! Each surface is one table of routes that reads like its document, its own wire types and its
//! own envelope. What every request has in common is in [`frame`].

pub mod console;
pub mod describe;
pub mod external;
pub mod frame;
pub mod openapi;
pub mod operations;

use axum::Router;

pub use frame::settings::{ApiState, Settings};
pub use frame::surface::Surface;

/// Both APIs and the operations' endpoints.
pub fn router(state: &ApiState) -> Router {
    assemble(state, external::routes(&state.app.service_name), console::routes())
}

/// The same from other tables: tests add routes that misbehave.
pub fn assemble(
    state: &ApiState,
    external: Vec<frame::route::Route>,
    console: Vec<frame::route::Route>,
) -> Router {
    let console = frame::route::build(Surface::Console, state, console);
    let apis = frame::route::build(Surface::External, state, external)
        .nest(Surface::Console.prefix(), console)
        .merge(openapi::router(state));
    // Whoever probes the process itself comes past the proxy that would speak HTTPS for it.
    guarded(state, apis).merge(operations::router(state)).layer(frame::compression::layer())
}

/// Refuses plain HTTP where it is not allowed; for pages beside the APIs too.
pub fn guarded(state: &ApiState, router: Router) -> Router {
    if state.settings.require_https {
        router.layer(axum::middleware::from_fn_with_state(state.clone(), frame::https::require))
    } else {
        router
    }
}
