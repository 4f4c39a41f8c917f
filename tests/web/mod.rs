//! The web console: every page and form, through the router, as a browser meets them.

mod admin;
mod kit;
mod mailbox;
mod origin;
