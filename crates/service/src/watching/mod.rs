//! Finding uses of a likeness: platforms, scanners, ingest keys, sightings and mentions.

pub mod likeness;
pub mod mention;
pub mod pax;
pub mod platform;
pub mod pod;
pub mod sighting;
pub mod talent_names;
