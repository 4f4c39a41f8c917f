//! The integration tests: one binary, with modules that mirror the crates and the URLs.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests use unwrap and expect and panic on failure"
)]

/// As in the server. The tests allocate more than anything else, and the system's allocator is slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod billing;
mod browser;
mod cluster;
mod console;
mod deploy;
mod docs;
mod external;
mod grant;
mod http;
mod license;
mod limits;
mod mail;
mod mcp;
mod messages;
mod notice;
mod outbound;
mod picture;
mod security;
mod server;
mod service;
mod shared_limits;
mod sighting;
mod storage;
mod web;
mod webhook;
