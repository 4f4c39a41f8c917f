//! The integration tests: one binary, whose folders mirror the rooms and the URLs.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects, and fails there"
)]

mod billing;
mod browser;
mod console;
mod external;
mod http;
mod license;
mod limits;
mod mail;
mod outbound;
mod picture;
mod security;
mod server;
mod service;
mod sighting;
mod storage;
mod web;
mod webhook;
