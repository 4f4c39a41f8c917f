//! The web console: pages for people, drawn by the server. They call the same functions of the
//! service as both APIs, so there is no second set of rules; forms work without a script, and
//! nothing is fetched from elsewhere.
//!
//! `routes` is the table. What every page has in common is in `frame`; what pages are made of is in
//! `view`.

mod admin;
mod asset;
mod billing;
mod bookmark;
mod catalog;
mod client;
mod code_entry;
mod dashboard;
mod docs;
mod frame;
mod invitation;
mod license;
mod log;
mod magic_link;
mod mailbox;
mod mention;
mod organization;
mod pax;
mod picture;
mod platform;
mod profile;
mod reset;
mod routes;
mod sign_in;
mod sign_up;
mod switch;
mod talent;
mod team;
mod view;
mod webhook;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use grantor_service::App;

use crate::frame::Web;

/// The address of every page, `{name}` for a part that varies: a test looks at each.
#[must_use]
pub fn pages() -> Vec<&'static str> {
    routes::routes().iter().filter_map(frame::Row::page).collect()
}

/// All pages.
pub fn router(app: App) -> Router {
    let web = Web::new(app);
    Router::new()
        // Whoever opens the origin in a browser should land on something to use.
        .route("/", get(|| async { Redirect::temporary("/app") }))
        .route("/app/", get(|| async { Redirect::permanent("/app") }))
        .merge(docs::router())
        .merge(asset::router())
        .merge(frame::build(&web, routes::routes()))
}
