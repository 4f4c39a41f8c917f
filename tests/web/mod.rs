//! The web console: every page and form, through the router, as a browser uses them.

mod admin;
mod billing;
mod bookmark;
mod bounds;
mod catalog;
mod client;
mod dashboard;
mod entry;
mod kit;
mod license;
mod license_rights;
mod log;
mod mailbox;
mod membership;
mod mention;
mod origin;
mod platform;
mod profile;
mod refusal;
mod session;
mod talent;
mod team;
mod webhook;
