//! Pages of several lists that are shown as one, each read in the order of its index.

use grantor_domain::page::Page;

use crate::Result;

/// A list of at most this many rows is short.
const FEW: i64 = 1_000;

/// Returns the keys of a page and the one after it, in ascending order. `part` reads a part of one
/// of the lists, in the same order: up to `limit` keys after `offset`.
///
/// Most lists are short. Beside them, the rows of a long one that come before the page are skipped
/// in its index instead of being read.
pub(crate) fn page<K: Ord>(
    page: Page,
    lists: usize,
    mut part: impl FnMut(usize, i64, i64) -> Result<Vec<K>>,
) -> Result<Vec<K>> {
    let offset = page.offset();
    let reach = offset.saturating_add(i64::from(page.size()) + 1);
    let mut found = Vec::with_capacity(lists);
    for list in 0..lists {
        found.push(part(list, reach.min(FEW + 1), 0)?);
    }
    let mut skipped = 0;
    if reach > FEW + 1 {
        let lengths = found.iter().map(|it| i64::try_from(it.len()).unwrap_or(i64::MAX));
        let lengths: Vec<i64> = lengths.collect();
        let (long, short): (Vec<_>, Vec<_>) = (0..lists).partition(|list| lengths[*list] > FEW);
        if long.len() == 1 {
            // At most this many of the rows before the page are in other lists.
            let others: i64 = short.into_iter().map(|list| lengths[list]).sum();
            skipped = (offset - others).max(0);
        }
        for list in long {
            found[list] = part(list, reach - skipped, skipped)?;
        }
    }
    let mut keys: Vec<K> = found.into_iter().flatten().collect();
    keys.sort_unstable();
    let start = usize::try_from(offset - skipped).unwrap_or(usize::MAX).min(keys.len());
    let mut keys = keys.split_off(start);
    keys.truncate(page.size() as usize + 1);
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use grantor_domain::page::PageRules;

    use super::*;

    const RULES: PageRules = PageRules { size_name: "size", default_size: 20, max_size: 100 };

    /// Returns a page of lists of these lengths, whose keys alternate, and how many rows were read.
    fn read(lengths: &[i64], number: u32) -> (Vec<i64>, usize) {
        let (mut rows, step) = (0, i64::try_from(lengths.len()).unwrap());
        let asked = Page::parse(Some(&number.to_string()), None, RULES).unwrap();
        let keys = page(asked, lengths.len(), |list, limit, offset| {
            let end = lengths[list].min(offset + limit);
            let keys = (offset..end).map(|at| at * step + i64::try_from(list).unwrap());
            let keys: Vec<_> = keys.collect();
            rows += keys.len();
            Ok(keys)
        });
        (keys.unwrap(), rows)
    }

    fn naive(lengths: &[i64], number: u32) -> Vec<i64> {
        let step = i64::try_from(lengths.len()).unwrap();
        let lists = lengths.iter().zip(0..);
        let mut all: Vec<i64> =
            lists.flat_map(|(length, list)| (0..*length).map(move |at| at * step + list)).collect();
        all.sort_unstable();
        all.into_iter().skip(20 * (number as usize - 1)).take(21).collect()
    }

    #[test]
    fn every_page_is_that_of_the_merged_lists() {
        let shapes: [&[i64]; 7] =
            [&[0], &[5_000], &[0, 0], &[10, 3_000], &[3_000, 999, 40], &[1_500, 1_500], &[7, 9, 1]];
        for lengths in shapes {
            for number in 1..=260 {
                assert_eq!(read(lengths, number).0, naive(lengths, number), "{lengths:?} {number}");
            }
        }
    }

    #[test]
    fn rows_before_a_page_are_not_read() {
        assert!(read(&[100_000, 30], 4_000).1 < 1_200);
        assert!(read(&[30, 100_000, 2], 4_000).1 < 1_200);
    }
}
