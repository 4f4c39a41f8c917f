//! Scans: the engine that reads feeds, sitemaps and pages, for pods and for sources.

mod charset;
mod compression;
mod detection;
mod document;
mod feed_run;
pub(in crate::watching) mod fetcher;
pub(in crate::watching) mod hosted_api;
mod items;
mod json_feed;
mod links;
pub(in crate::watching) mod look;
mod media;
mod page;
mod pages;
mod pod_run;
pub(in crate::watching) mod revisit;
mod run;
mod sitemap;
mod target;
pub(crate) mod visit;
mod xml;

pub use self::feed_run::{claim as claim_feed, scan as scan_feed};
pub use self::fetcher::Pace;
pub use self::pod_run::{claim, scan};
