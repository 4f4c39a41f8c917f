//! What tests stand on: databases, servers, a clock and randomness that tests hold in their hands.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up must fail loudly"
)]

pub mod clock;
pub mod entropy;
pub mod listener;
pub mod postgres;
pub mod redis;
pub mod seed;
pub mod smtp;
pub mod store;

use std::future::Future;

pub use grantor_storage::Engine;
pub use grantor_testkit_macros::db_test;

/// What a `#[db_test]` can ask for.
pub trait Fixture: Sized {
    /// A fresh one on this engine.
    fn on(engine: Engine) -> impl Future<Output = Self>;
}
