//! Licenses, talents, permissions, requests, grants, the public catalog and bookmarks.

pub mod bookmark;
pub mod catalog;
pub mod catalog_picture;
pub mod decision;
pub mod grant;
pub mod import;
pub mod license;
pub mod license_template;
mod notice;
pub mod permission;
pub mod receipt;
pub mod reminder;
pub mod request;
pub mod rights;
pub mod tag;
pub mod talent;
pub mod thumbnail;
