//! The web console: every page and form, through the router, as a browser meets them.

mod bookmark;
mod catalog;
mod kit;
mod license;
mod license_rights;
mod origin;
