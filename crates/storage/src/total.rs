//! How many rows a list has that is counted up to a bound, so that asking costs the same however long
//! the list is.

use grantor_domain::Timestamp;
use grantor_domain::page::{Listing, Page};

use crate::{Result, Row};

/// How many rows are counted one by one.
const COUNTED: u32 = 10_000;
/// How many a counting statement looks at: one more tells that there are more.
pub(crate) const BOUND: u32 = COUNTED + 1;

/// The rows that were counted, at most [`BOUND`]: how many, and the times of the first and last.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    count: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Counted {
    /// Reads `count(*), min(…), max(…)`.
    pub(crate) fn read(row: &Row<'_>) -> Result<Self> {
        let count = u64::try_from(row.get::<i64>(0)?).unwrap_or(0);
        Ok(Self { count, first: row.get(1)?, last: row.get(2)? })
    }

    /// How many there are, and whether that is an estimate. `other_end` looks up the time of the last
    /// row that was not counted.
    pub(crate) fn total(
        &self,
        other_end: impl FnOnce() -> Result<Option<Timestamp>>,
    ) -> Result<Total> {
        match (self.first, self.last) {
            (Some(first), Some(last)) if self.count > u64::from(COUNTED) => {
                let end = other_end()?.unwrap_or(first);
                Ok(Total::About(extrapolate(self.count, (first, last), end)))
            }
            _ => Ok(Total::Exact(self.count)),
        }
    }
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Total {
    /// So many.
    Exact(u64),
    /// More than are counted, and about so many.
    About(u64),
}

/// A page whose items may be one more than it shows, which tells that another page follows. The rest
/// is counted only where the items do not tell how many there are.
pub(crate) fn listing<T>(
    page: Page,
    mut items: Vec<T>,
    total: impl FnOnce() -> Result<Total>,
) -> Result<Listing<T>> {
    let follows = items.len() > page.size() as usize;
    items.truncate(page.size() as usize);
    let reached = u64::try_from(page.offset()).unwrap_or(0) + items.len() as u64;
    if !follows && (page.offset() == 0 || !items.is_empty()) {
        return Ok(Listing::new(page, items, reached));
    }
    Ok(match total()? {
        Total::Exact(total) => Listing::new(page, items, total),
        // Whether a page follows is known, and must not be told otherwise.
        Total::About(total) if follows => Listing::estimated(page, items, total.max(reached + 1)),
        Total::About(total) => Listing::estimated(page, items, total.min(reached)),
    })
}

/// As many in the rest of the time as in the part that was counted.
fn extrapolate(count: u64, (first, last): (Timestamp, Timestamp), end: Timestamp) -> u64 {
    let counted = last.since(first).as_micros().max(1);
    let all = last.max(end).since(first.min(end)).as_micros().max(counted);
    u64::try_from(u128::from(count) * all / counted).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_is_as_dense_as_what_was() {
        let at = Timestamp::from_secs;
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(100)), 10_001);
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(-300)), 50_005);
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(600)), 50_005, "the other way");
        assert_eq!(extrapolate(10_001, (at(100), at(100)), at(100)), 10_001, "all at once");
    }
}
