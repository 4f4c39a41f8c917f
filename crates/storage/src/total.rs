//! Totals of lists that are counted up to a limit, so that the cost does not grow with the list.

use grantor_domain::Timestamp;
use grantor_domain::page::{Listing, Page};

use crate::{Result, Row};

/// How many rows are counted exactly.
const COUNTED: u32 = 10_000;
/// How many rows a counting statement reads: one more than counted, to detect that there are more.
pub(crate) const BOUND: u32 = COUNTED + 1;

/// The counted rows, at most [`BOUND`]: their number, and the times of the first and the last.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    count: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Counted {
    /// Reads the columns `count`, `first` and `last`.
    pub(crate) fn read(row: &Row<'_>) -> Result<Self> {
        let count = u64::try_from(row.get::<i64>("count")?).unwrap_or(0);
        Ok(Self { count, first: row.get("first")?, last: row.get("last")? })
    }

    /// The total, exact or estimated. `other_end` looks up the time of the last row that was not
    /// counted.
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

/// The number of rows in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Total {
    /// The exact number.
    Exact(u64),
    /// An estimate, because the list is longer than the counting limit.
    About(u64),
}

/// Builds a page from items that may include one more than the page shows, which means that another
/// page follows. `total` runs only if the items do not determine the total.
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
        // `follows` is exact, so the estimate must not contradict it.
        Total::About(total) if follows => Listing::estimated(page, items, total.max(reached + 1)),
        Total::About(total) => Listing::estimated(page, items, total.min(reached)),
    })
}

/// Where a page is in a list of known length, from the nearer end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Whether to read from the last row on, backwards.
    pub(crate) backwards: bool,
    /// How many rows to read.
    pub(crate) limit: i64,
    /// How many rows to skip.
    pub(crate) offset: i64,
}

/// Returns where a page is in a list of this length; `None` if it is after the end.
pub(crate) fn window(page: Page, total: u64) -> Option<Window> {
    let (size, offset) = (i64::from(page.size()), page.offset());
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    let rest = total.checked_sub(offset).filter(|it| *it > 0)?;
    if offset <= total / 2 {
        return Some(Window { backwards: false, limit: size, offset });
    }
    let limit = size.min(rest);
    Some(Window { backwards: true, limit, offset: rest - limit })
}

/// Assumes the uncounted time span is as dense as the counted one.
fn extrapolate(count: u64, (first, last): (Timestamp, Timestamp), end: Timestamp) -> u64 {
    let counted = last.since(first).as_micros().max(1);
    let all = last.max(end).since(first.min(end)).as_micros().max(counted);
    u64::try_from(u128::from(count) * all / counted).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use grantor_domain::page::PageRules;

    use super::*;

    #[test]
    fn every_page_is_read_from_the_nearer_end() {
        const RULES: PageRules = PageRules { size_name: "size", default_size: 3, max_size: 9 };
        let list: Vec<u32> = (0..10).collect();
        let read = |number: u32| {
            let page = Page::parse(Some(&number.to_string()), None, RULES).unwrap();
            let Window { backwards, limit, offset } = window(page, 10)?;
            let mut rows: Vec<_> =
                if backwards { list.iter().rev().collect() } else { list.iter().collect() };
            rows = rows
                .into_iter()
                .skip(offset.try_into().unwrap())
                .take(limit.try_into().unwrap())
                .collect();
            if backwards {
                rows.reverse();
            }
            Some(rows.into_iter().copied().collect::<Vec<u32>>())
        };
        assert_eq!(read(1), Some(vec![0, 1, 2]));
        assert_eq!(read(2), Some(vec![3, 4, 5]));
        assert_eq!(read(3), Some(vec![6, 7, 8]));
        assert_eq!(read(4), Some(vec![9]));
        assert_eq!((read(5), read(u32::MAX)), (None, None));
    }

    #[test]
    fn what_was_not_counted_is_as_dense_as_what_was() {
        let at = Timestamp::from_secs;
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(100)), 10_001);
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(-300)), 50_005);
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(600)), 50_005, "the other way");
        assert_eq!(extrapolate(10_001, (at(100), at(100)), at(100)), 10_001, "all at once");
    }
}
