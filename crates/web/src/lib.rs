//! The web console: server-rendered pages. They call the same service functions as both APIs, so
//! the rules live in one place. Forms work without JavaScript, and all assets are served locally.
//!
//! `routes` is the route table, `frame` holds the middleware and extractors every page shares, and
//! `view` holds the page components.

mod admin;
mod asset;
mod batch;
mod billing;
mod bookmark;
mod bulk;
mod case;
mod catalog;
mod chat_address;
mod check;
mod client;
mod code_entry;
mod dashboard;
mod docs;
mod export;
mod frame;
mod grant;
mod help;
mod image_url;
mod import;
mod invitation;
mod landing;
mod license;
mod locale;
mod log;
mod magic_link;
mod mailbox;
mod mention;
mod name;
mod notice;
mod notification;
mod organization;
mod palette;
mod party;
mod passkey;
mod pax;
mod platform;
mod profile;
mod purpose;
mod request;
mod reset;
mod routes;
mod saved_view;
mod second_factor;
mod sign_in;
mod sign_up;
mod single_sign_on;
mod social_profile;
mod source;
mod style_guide;
mod switch;
mod tag;
mod talent;
mod team;
mod thumbnail;
mod undo;
mod unsubscribe;
mod verify;
mod view;
mod webhook;

use axum::Router;
use grantor_http::HttpState;
use grantor_service::identity::sample::Entrance;

use crate::frame::Web;

/// Returns the path pattern of every page. A test opens each one.
#[must_use]
pub fn pages() -> Vec<&'static str> {
    routes::routes().iter().filter_map(frame::Route::page_path).collect()
}

/// Returns the path pattern of every form. A test sends each one.
#[must_use]
pub fn forms() -> Vec<&'static str> {
    routes::routes().iter().filter_map(frame::Route::form_path).collect()
}

/// Builds the router of all pages.
pub fn router(http: &HttpState) -> Router {
    router_with_sample(http, vec![])
}

/// Like [`router`], with ways into the sample data. They work only for clients on this machine.
pub fn router_with_sample(http: &HttpState, entrances: Vec<Entrance>) -> Router {
    let mut pages = routes::routes();
    pages.extend(docs::routes());
    if !entrances.is_empty() {
        pages.extend(routes::sample());
    }
    let web = Web::new(http.clone(), entrances);
    Router::new()
        .merge(docs::file_router())
        .merge(asset::router())
        .merge(catalog::picture_router(http))
        .merge(frame::build(&web, pages))
}
