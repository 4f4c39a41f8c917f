//! Licenses, talents, permissions, requests, grants, the public catalog and bookmarks.

pub mod bookmark;
pub mod catalog;
pub mod decision;
pub mod grant;
pub mod license;
mod notice;
pub mod permission;
pub mod receipt;
pub mod reminder;
pub mod request;
pub mod talent;
