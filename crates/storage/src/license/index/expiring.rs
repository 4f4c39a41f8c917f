//! How many licenses expire in which month.

use grantor_domain::Timestamp;
use grantor_domain::month::Month;

use super::find::{IndexQuery, Selection};
use super::term::expiring_in;
use crate::bitmap::{BitmapIndex, sets_within};
use crate::license::reader::Reader;
use crate::{Result, Tx};

/// How many rows of the index are read.
const MOST_READ: u32 = 8_192;

/// Counts the licenses that a reader sees and that expire in these months, which follow each other.
/// A new end of an indexed license counts once the license is indexed again, shortly after.
pub fn count_expiring(
    tx: &mut Tx<'_>,
    reader: Reader,
    months: &[Month],
    now: Timestamp,
) -> Result<Vec<u64>> {
    let (Some(first), Some(last)) = (months.first(), months.last()) else { return Ok(vec![]) };
    let wanted = IndexQuery {
        reader: Some(reader),
        license_type: None,
        status: None,
        search: None,
        q: None,
        filter: None,
        now,
    };
    let found = Selection::of(tx, &wanted)?;
    let range = (expiring_in(&first.to_string()), expiring_in(&format!("{last}~")));
    let expiring = sets_within(tx, BitmapIndex::Licenses, (&range.0, &range.1), MOST_READ)?;
    let count = |month: &Month| {
        let numbers = expiring.get(&expiring_in(&month.to_string()));
        found.count_within(numbers, |it| it.expires_at.is_some_and(|at| Month::of(at) == *month))
    };
    Ok(months.iter().map(count).collect())
}
