//! Bitmap indexes for filtered and searched lists.
//!
//! Each listed row has a number, and each term has the set of numbers of its rows. A query
//! intersects a few sets: its total is exact, and any page is found by counting bits.

mod number_set;
mod posting;
mod query;
mod renewal;
pub(crate) mod term;

pub(crate) use self::number_set::{BLOCK, NumberSet};
pub(crate) use self::posting::{PostingChanges, apply, by_mark, children, sets_within};
pub(crate) use self::query::{BitmapQuery, Group};
pub(crate) use self::renewal::{IndexedRow, KnownRows, Renewal};

/// A bitmap index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitmapIndex {
    /// The index of licenses, in `license_postings`.
    Licenses,
    /// The index of log entries, in `log_postings`.
    Log,
    /// The index of the other records that people list, in `record_postings`.
    Records,
}
