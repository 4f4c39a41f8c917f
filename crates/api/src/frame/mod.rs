//! What every request passes through, once: an id, the caller's address, limits, idempotency,
//! time limits, panics, and the envelope of whatever went wrong.

pub mod action;
pub mod authority;
pub(crate) mod beside;
pub mod caller;
pub mod client;
pub mod compression;
pub mod etag;
pub mod extract;
mod figures;
pub mod form;
mod idempotency;
pub(crate) mod ignored;
pub mod page;
mod pass;
pub mod problem;
mod refusal;
pub mod request;
pub mod route;
pub mod settings;
pub mod surface;
pub(crate) mod upload;
mod visit;
