//! Sets of numbers by term, kept as bits: what lists that are filtered and searched are made of.
//!
//! Whatever is listed so has a number, and each of its terms has the set of the numbers that have it.
//! A question is the intersection of a few sets: its total is exact, and any page of it is found by
//! counting bits.

mod numbers;
mod posting;
mod question;

pub(crate) use self::numbers::{BLOCK, Numbers};
pub(crate) use self::posting::{Changes, change};
pub(crate) use self::question::Question;

/// Whose sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shelf {
    /// Those of licenses, in `license_postings`.
    Licenses,
    /// Those of the log's entries, in `log_postings`.
    Log,
}
