//! The web console: server-rendered pages. They call the same service functions as both APIs, so
//! the rules live in one place. Forms work without JavaScript, and all assets are served locally.
//!
//! `routes` is the route table, `frame` holds the middleware and extractors every page shares, and
//! `view` holds the page components.

mod admin;
mod asset;
mod billing;
mod bookmark;
mod case;
mod catalog;
mod chat_address;
mod check;
mod client;
mod code_entry;
mod dashboard;
mod docs;
mod frame;
mod grant;
mod image_url;
mod invitation;
mod license;
mod log;
mod magic_link;
mod mailbox;
mod mention;
mod notice;
mod notification;
mod organization;
mod party;
mod pax;
mod platform;
mod profile;
mod purpose;
mod request;
mod reset;
mod routes;
mod sign_in;
mod sign_up;
mod social_profile;
mod source;
mod switch;
mod talent;
mod team;
mod unsubscribe;
mod verify;
mod view;
mod webhook;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use grantor_http::HttpState;

use crate::frame::Web;

/// Returns the path pattern of every page. A test opens each one.
#[must_use]
pub fn pages() -> Vec<&'static str> {
    routes::routes().iter().filter_map(frame::Route::page_path).collect()
}

/// Builds the router of all pages.
pub fn router(http: &HttpState) -> Router {
    let web = Web::new(http.clone());
    Router::new()
        // Opening the bare origin in a browser leads to the console.
        .route("/", get(|| async { Redirect::temporary("/app") }))
        .route("/app/", get(|| async { Redirect::permanent("/app") }))
        .merge(docs::router())
        .merge(asset::router())
        .merge(frame::build(&web, routes::routes()))
}
