//! Test support: databases, servers, a clock and randomness that tests control.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up must fail loudly"
)]

pub mod app;
pub mod authenticator;
pub mod browser;
pub mod clock;
pub mod cluster;
pub mod dns;
pub mod document;
pub mod entropy;
pub mod identity_provider;
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
mod template;

use std::future::Future;

pub use grantor_storage::Engine;
pub use grantor_testkit_macros::db_test;

/// Installs the process's TLS provider, as the server does at startup.
pub fn install_tls_provider() {
    // Fails if another test of this process was first, which installed the same one.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}

/// How often a test repeats: a little by default, a lot under `make soak`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the soak run is enabled by an environment variable")]
pub fn repeats(usually: u32, soaking: u32) -> u32 {
    if std::env::var_os("GRANTOR_SOAK").is_some() { soaking } else { usually }
}

/// The program of the last release, which `make soak` builds; `None` otherwise.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the soak run is enabled by an environment variable")]
pub fn last_release() -> Option<std::path::PathBuf> {
    std::env::var_os("GRANTOR_LAST_RELEASE").map(Into::into)
}

/// Prints a figure that a test measured.
#[expect(clippy::print_stderr, reason = "figures are for people")]
pub fn print_figure(figure: &str) {
    eprintln!("{figure}");
}

/// A fixture that a `#[db_test]` can take.
pub trait Fixture: Sized {
    /// Creates a new one on this engine.
    fn on(engine: Engine) -> impl Future<Output = Self>;
}
