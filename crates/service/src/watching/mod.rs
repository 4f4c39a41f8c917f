//! Finding uses of a likeness: platforms, scanners, ingest keys, sightings and mentions.

pub mod case;
pub mod check;
pub mod evidence;
pub mod likeness;
pub mod mention;
pub mod pax;
mod plain_http;
pub mod platform;
pub mod pod;
pub mod profile;
mod recognition_limits;
pub(crate) mod scan;
pub mod sighting;
pub mod source;
pub mod talent_names;
pub mod verdict_reason;
pub mod websub;

pub use self::recognition_limits::RecognitionLimits;
pub use self::scan::hosted_api::{HostedApis, RedditApi, YouTubeApi};
