//! The domain of Grantor: types that can only hold valid values, and rules without side effects.
//!
//! Nothing here performs I/O, blocks, reads the clock or generates randomness. Those are passed
//! in as arguments.

pub mod access;
pub mod admin;
pub mod audit;
pub mod bill;
pub mod bookmark;
pub mod card;
pub mod chore;
pub mod client;
pub mod content;
pub mod delivery;
pub mod email;
pub mod entropy;
mod enum_names;
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
pub mod membership;
pub mod mention;
pub mod name_index;
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
pub mod robots;
pub mod role;
pub mod scan;
pub mod scope;
pub mod search;
pub mod secret;
pub mod session;
pub mod subscription;
pub mod talent;
pub mod team;
pub mod template;
pub mod text;
pub mod time;
pub mod usage;
pub mod waiter;
pub mod webhook;

pub use entropy::Entropy;
pub use error::{Error, ErrorKind, Result};
pub use time::{Clock, Timestamp};
