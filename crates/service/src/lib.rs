//! What can be done: the one door for every surface. Each act authorizes, decides, stores, is
//! audited and told of in one unit of work; see [`act`].

pub mod access;
pub mod act;
pub mod admin;
mod app;
pub mod billing;
pub mod bookmark;
pub mod catalog;
pub mod client;
pub mod code;
pub mod context;
pub mod delivery;
pub mod demo;
mod event;
pub mod exchange;
pub mod feed;
pub mod hasher;
pub mod health;
pub mod idempotency;
pub mod image;
pub mod invitation;
pub mod keys;
mod letter;
pub mod license;
pub mod limit;
pub mod magic_link;
pub mod mail;
pub mod mention;
pub mod object_sweep;
pub mod object_url;
pub mod outbound;
pub mod permission;
pub mod profile;
pub mod quota;
pub mod registration;
pub mod reset;
pub mod retention;
pub mod ring;
pub mod session;
pub mod suspension;
pub mod talent;
pub mod webhook;

pub use app::{App, Parts};
pub use context::Context;
