//! Storage: every SQL statement, the schema, both database drivers, shared counters and the object
//! store.
//!
//! A unit of work is a closure passed to [`Store::read`] or [`Store::write`]; inside it every call
//! is synchronous. Only the `driver` module knows which engine runs it.

pub mod admin;
pub mod audit;
pub mod backup;
pub mod bill;
mod bitmap;
pub mod bookmark;
pub mod card;
pub mod challenge;
mod changes;
pub mod chore;
pub mod client;
pub mod counter;
pub mod decision;
pub mod delivery;
pub mod device;
mod dialect;
mod driver;
mod error;
pub mod event;
pub mod exchange;
pub mod expired_token;
pub mod grant;
pub mod idempotency;
pub mod image;
pub mod image_hash;
pub mod invitation;
pub mod license;
pub mod log;
pub mod mail;
pub mod membership;
pub mod mention;
pub mod meta;
pub mod migrate;
mod name_search;
pub mod object;
pub mod party;
pub mod party_count;
pub mod pax;
pub mod permission;
pub mod platform;
pub mod pod;
pub mod quota;
pub mod request;
pub mod sandbox;
pub mod scan;
pub mod schema;
pub mod session;
pub mod shared_receipt;
pub mod staff;
mod statement;
pub mod subscription;
pub mod talent;
pub mod team;
pub mod template;
pub mod tenant;
mod total;
pub mod usage;
pub mod user;
mod value;
pub mod webhook;

pub use changes::{Changes, Topic};
pub use driver::{Engine, Options, Row, Store, StoreUrl, Tx};
pub use error::{Error, Result};
pub use grantor_domain::waiter::Waiter;
