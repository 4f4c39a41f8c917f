//! The web console: every page and form, through the router, as a browser meets them.

mod client;
mod kit;
mod origin;
mod webhook;
