//! Request handling shared by all routes: request ids, client addresses, authentication, rate
//! limits, idempotency, timeouts, panic handling and error envelopes.

mod access_log;
pub mod action;
pub mod api;
pub mod authority;
pub mod caller;
pub mod client;
pub mod compression;
pub mod etag;
pub mod extract;
pub mod form;
mod idempotency;
pub(crate) mod ignored_fields;
mod middleware;
pub(crate) mod non_api;
pub mod page;
pub mod problem;
mod refusal;
pub mod request;
pub mod route;
mod route_metrics;
pub mod settings;
pub(crate) mod upload;
