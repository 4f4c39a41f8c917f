//! What is true in Grantor: types that exist only when valid, and rules without side effects.
//!
//! Nothing here does I/O, waits, reads the clock or draws randomness: those are arguments.

pub mod access;
pub mod audit;
pub mod entropy;
pub mod error;
pub mod event;
pub mod hex;
pub mod id;
pub mod idempotency;
pub mod license;
pub mod limit;
pub mod mail;
pub mod network;
pub mod page;
pub mod time;

pub use entropy::Entropy;
pub use error::{Error, ErrorKind, Result};
pub use time::{Clock, Timestamp};
