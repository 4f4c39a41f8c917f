//! What is true in Grantor: types that exist only when valid, and rules without side effects.
//!
//! Nothing here does I/O, waits, reads the clock or draws randomness: those are arguments.

pub mod access;
pub mod admin;
pub mod audit;
pub mod bill;
pub mod bookmark;
pub mod card;
pub mod client;
pub mod delivery;
pub mod email;
pub mod entropy;
pub mod error;
pub mod event;
pub mod hex;
pub mod id;
pub mod idempotency;
pub mod image;
pub mod information;
pub mod license;
pub mod likeness;
pub mod limit;
pub mod log;
pub mod mail;
pub mod mention;
mod named;
pub mod network;
pub mod note;
pub mod organization;
pub mod otp;
pub mod page;
pub mod password;
pub mod patch;
pub mod pax;
pub mod permission;
pub mod person;
pub mod plan;
pub mod platform;
pub mod pod;
pub mod quota;
pub mod role;
pub mod scope;
pub mod search;
pub mod secret;
pub mod session;
pub mod subscription;
pub mod talent;
pub mod team;
pub mod template;
mod text;
pub mod time;
pub mod webhook;

pub use entropy::Entropy;
pub use error::{Error, ErrorKind, Result};
pub use time::{Clock, Timestamp};
