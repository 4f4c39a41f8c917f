//! Knows pictures again after they were cropped, turned, mirrored, covered or built into others.
//!
//! A picture is described by its features: places that stand out, each with a description of its
//! surroundings that stays nearly the same when the picture is turned, scaled or compressed
//! (`pyramid`, `detect`, `select`, `orient`, `describe`, `bits`). An index finds the references that
//! have several features in common with a picture (`vocabulary`, `entry`, `segment`, `vote`,
//! `index`). For each of them, `verify` checks whether the features lie in the same arrangement,
//! and `shade` whether both pictures are alike there.
//!
//! Nothing here reads or writes files: pictures are brightness values, everything stored is bytes.

mod bits;
mod blur;
mod brightness;
mod describe;
mod detect;
mod entry;
mod feature;
mod finding;
mod geometry;
mod gradient;
mod index;
mod number;
mod orient;
mod plane;
mod pyramid;
mod query;
mod reference;
mod segment;
mod select;
mod shade;
mod shelf;
mod verify;
mod vocabulary;
mod vote;

pub use brightness::Brightness;
pub use entry::Entry;
pub use feature::descriptions;
pub use finding::{
    Finding, STRICT_ALIKE, STRICT_SCORE, STRICT_SPREAD, SURE_SCORE, Strength, WEAK_ALIKE,
    WEAK_SCORE, WEAK_SPREAD, compare, confidence,
};
pub use index::{Candidate, Index};
pub use query::Query;
pub use reference::{
    Described, LEAST_FEATURES, MOST_ENTRIES, MOST_FEATURES, Reference, VERSION, entries_from_bytes,
    entries_to_bytes,
};
pub use shelf::{Shelf, ShelfError, Stored};
pub use vocabulary::{CENTERS, HALF, STEP, mirrored_half};

#[cfg(test)]
mod tests;
