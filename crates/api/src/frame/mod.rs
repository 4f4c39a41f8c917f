//! Request handling of the APIs on top of `grantor_http`: routes and their descriptions,
//! authentication, extractors and error envelopes.

mod access_log;
pub mod action;
pub mod api;
pub mod caller;
pub mod describe;
pub(crate) mod document;
pub mod etag;
pub mod extract;
pub mod form;
mod idempotency;
pub(crate) mod ignored_fields;
mod middleware;
pub mod oauth;
pub mod page;
pub mod problem;
mod refusal;
pub mod request;
pub mod route;
pub mod state;

pub use middleware::error_response;
