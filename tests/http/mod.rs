//! The HTTP middleware and the endpoints, through the real router.

mod body;
mod catalog;
mod described;
mod discovery;
mod document;
mod envelope;
mod https;
mod idempotency;
mod limit;
mod oauth;
mod observe;
mod operations;
mod patience;
mod probe;
mod replica;
mod rights;
mod time_limit;
