//! Licenses, talents, permissions, the public catalog and bookmarks.

pub mod bookmark;
pub mod catalog;
pub mod license;
pub mod permission;
pub mod talent;
