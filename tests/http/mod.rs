//! The HTTP middleware and the endpoints, through the real router.

mod body;
mod catalog;
mod discovery;
mod document;
mod envelope;
mod https;
mod idempotency;
mod limit;
mod operations;
mod patience;
mod probe;
mod time_limit;
