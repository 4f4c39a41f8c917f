//! The web console: every page and form, through the router, as a browser meets them.

mod kit;
mod origin;
