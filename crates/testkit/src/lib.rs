//! What tests stand on: databases, servers, a clock and randomness that tests hold in their hands.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up must fail loudly"
)]

pub mod app;
pub mod browser;
pub mod clock;
pub mod dns;
mod document;
pub mod entropy;
pub mod listener;
pub mod postgres;
pub mod redis;
mod request;
pub mod s3;
pub mod seed;
pub mod server;
pub mod site;
pub mod smtp;
pub mod store;
pub mod stripe;

use std::future::Future;

pub use grantor_storage::Engine;
pub use grantor_testkit_macros::db_test;

/// Makes the one TLS provider the process's own, as the server does at its start.
pub fn install_tls_provider() {
    // Another test of this process was first: it installed the same.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}

/// How often a test repeats itself: a little by default, a lot under `make soak`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the soak run says so by environment")]
pub fn repeats(usually: u32, soaking: u32) -> u32 {
    if std::env::var_os("GRANTOR_SOAK").is_some() { soaking } else { usually }
}

/// Tells whoever runs a test a figure it found.
#[expect(clippy::print_stderr, reason = "figures are for people")]
pub fn tell(figure: &str) {
    eprintln!("{figure}");
}

/// What a `#[db_test]` can ask for.
pub trait Fixture: Sized {
    /// A fresh one on this engine.
    fn on(engine: Engine) -> impl Future<Output = Self>;
}
