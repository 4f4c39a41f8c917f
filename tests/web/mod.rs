//! The web console: every page and form, through the router, as a browser meets them.

mod admin;
mod billing;
mod client;
mod kit;
mod log;
mod mailbox;
mod origin;
mod platform;
mod profile;
mod team;
mod webhook;
