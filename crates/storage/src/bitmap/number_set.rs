//! Sets of numbers stored as bitmaps in blocks.

use std::collections::BTreeMap;
use std::ops::Range;

/// How many numbers a stored block covers.
pub(crate) const BLOCK: i64 = 8_192;
const WORDS: usize = 128;
/// The length of a block stored as a full bitmap. A sparse block is a shorter list of two-byte
/// numbers.
const WHOLE: usize = WORDS * 8;

type Words = [u64; WORDS];

/// A set of non-negative numbers, with memory only for the blocks it uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberSet(BTreeMap<i64, Box<Words>>);

impl NumberSet {
    /// The block that contains a number.
    pub(crate) fn block_of(number: i64) -> i64 {
        number.div_euclid(BLOCK)
    }

    pub(crate) fn insert(&mut self, number: i64) {
        let (block, word, bit) = position(number);
        self.words_of(block)[word] |= bit;
    }

    /// Adds a range.
    pub(crate) fn insert_all(&mut self, range: Range<i64>) {
        let mut next = range.start;
        while next < range.end {
            if next % 64 == 0 && next + 64 <= range.end {
                let (block, word, _) = position(next);
                self.words_of(block)[word] = u64::MAX;
                next += 64;
            } else {
                self.insert(next);
                next += 1;
            }
        }
    }

    pub(crate) fn remove(&mut self, number: i64) {
        let (block, word, bit) = position(number);
        if let Some(words) = self.0.get_mut(&block) {
            words[word] &= !bit;
        }
    }

    pub(crate) fn contains(&self, number: i64) -> bool {
        let (block, word, bit) = position(number);
        self.0.get(&block).is_some_and(|words| words[word] & bit != 0)
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.values().map(|it| count(it)).sum()
    }

    pub(crate) fn union_with(&mut self, other: &Self) {
        for (block, words) in &other.0 {
            let own = self.words_of(*block);
            own.iter_mut().zip(words.iter()).for_each(|(own, it)| *own |= it);
        }
    }

    pub(crate) fn intersect(&mut self, other: &Self) {
        self.0.retain(|block, own| {
            let Some(words) = other.0.get(block) else { return false };
            own.iter_mut().zip(words.iter()).for_each(|(own, it)| *own &= it);
            true
        });
    }

    /// Removes the numbers of another set.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for (block, own) in &mut self.0 {
            let Some(words) = other.0.get(block) else { continue };
            own.iter_mut().zip(words.iter()).for_each(|(own, it)| *own &= !it);
        }
    }

    /// All numbers in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().flat_map(|(block, words)| numbers_in(*block, words))
    }

    /// Up to `at_most` numbers after the first `skipped`, in ascending order.
    pub(crate) fn smallest_after(&self, skipped: u64, at_most: usize) -> Vec<i64> {
        let mut skipped = skipped;
        let mut found = Vec::with_capacity(at_most.min(128));
        for (block, words) in &self.0 {
            let here = count(words);
            if here <= skipped {
                skipped -= here;
                continue;
            }
            let passed = usize::try_from(skipped).unwrap_or(usize::MAX);
            let rest = numbers_in(*block, words).skip(passed);
            found.extend(rest.take(at_most - found.len()));
            skipped = 0;
            if found.len() == at_most {
                break;
            }
        }
        found
    }

    /// Like [`Self::smallest_after`], in descending order.
    pub(crate) fn largest_after(&self, skipped: u64, at_most: usize) -> Vec<i64> {
        let total = self.len();
        let end = total.saturating_sub(skipped);
        let begin = end.saturating_sub(at_most as u64);
        let count = usize::try_from(end - begin).unwrap_or(0);
        let mut found = self.smallest_after(begin, count);
        found.reverse();
        found
    }

    /// Adds a stored block. Returns false if the bytes are not a valid block.
    pub(crate) fn add_block(&mut self, block: i64, stored: &[u8]) -> bool {
        if !(0..i64::MAX / BLOCK).contains(&block) {
            return false;
        }
        if stored.len() == WHOLE {
            for (own, bytes) in self.words_of(block).iter_mut().zip(stored.chunks_exact(8)) {
                *own |= u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            }
            return true;
        }
        let numbers = stored.chunks_exact(2);
        let whole = numbers.remainder().is_empty();
        for bytes in numbers {
            let low = u16::from_le_bytes(bytes.try_into().unwrap_or_default());
            self.insert(block * BLOCK + i64::from(low) % BLOCK);
        }
        whole
    }

    /// Encodes a block for storage; `None` if it is empty.
    pub(crate) fn block(&self, block: i64) -> Option<Vec<u8>> {
        let words = self.0.get(&block)?;
        let count = usize::try_from(count(words)).unwrap_or(usize::MAX);
        if count == 0 {
            return None;
        }
        if count < WHOLE / 2 {
            let low = |it: i64| u16::try_from(it % BLOCK).unwrap_or_default().to_le_bytes();
            return Some(numbers_in(block, words).flat_map(low).collect());
        }
        Some(words.iter().flat_map(|it| it.to_le_bytes()).collect())
    }

    fn words_of(&mut self, block: i64) -> &mut Words {
        self.0.entry(block).or_insert_with(|| Box::new([0; WORDS]))
    }
}

/// The block of a number, its word in the block, and its bit in the word.
fn position(number: i64) -> (i64, usize, u64) {
    let low = usize::try_from(number.rem_euclid(BLOCK)).unwrap_or_default();
    (NumberSet::block_of(number), low / 64, 1 << (low % 64))
}

fn count(words: &Words) -> u64 {
    words.iter().map(|it| u64::from(it.count_ones())).sum()
}

/// The numbers of a block in ascending order.
fn numbers_in(block: i64, words: &Words) -> impl Iterator<Item = i64> + '_ {
    words.iter().zip(0_i64..).flat_map(move |(word, at)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let bit = left.trailing_zeros();
            left &= left - 1;
            Some(block * BLOCK + at * 64 + i64::from(bit))
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    use super::*;

    fn set(of: &BTreeSet<i64>) -> NumberSet {
        let mut numbers = NumberSet::default();
        for number in of {
            numbers.insert(*number);
        }
        numbers
    }

    fn some() -> impl Strategy<Value = BTreeSet<i64>> {
        let sparse = proptest::collection::btree_set(0_i64..40_000, 0..200);
        let dense = proptest::collection::btree_set(8_000_i64..9_500, 0..1_400);
        prop_oneof![sparse, dense]
    }

    proptest! {
        #[test]
        fn it_is_a_set(one in some(), other in some(), skipped in 0_u64..300, at_most in 0_usize..50) {
            let numbers = set(&one);
            prop_assert_eq!(numbers.iter().collect::<BTreeSet<_>>(), one.clone());
            prop_assert_eq!(numbers.len(), one.len() as u64);
            let skip = usize::try_from(skipped).unwrap();
            let up: Vec<_> = one.iter().copied().skip(skip).take(at_most).collect();
            let down: Vec<_> = one.iter().copied().rev().skip(skip).take(at_most).collect();
            prop_assert_eq!(numbers.smallest_after(skipped, at_most), up);
            prop_assert_eq!(numbers.largest_after(skipped, at_most), down);
            let (mut both, mut all) = (numbers.clone(), numbers.clone());
            both.intersect(&set(&other));
            all.union_with(&set(&other));
            prop_assert_eq!(both.iter().collect::<Vec<_>>(), one.intersection(&other).copied().collect::<Vec<_>>());
            prop_assert_eq!(all.iter().collect::<Vec<_>>(), one.union(&other).copied().collect::<Vec<_>>());
            let mut less = numbers.clone();
            less.subtract(&set(&other));
            prop_assert_eq!(less.iter().collect::<Vec<_>>(), one.difference(&other).copied().collect::<Vec<_>>());
            let mut without = numbers;
            one.intersection(&other).for_each(|it| without.remove(*it));
            prop_assert_eq!(without.iter().collect::<Vec<_>>(), one.difference(&other).copied().collect::<Vec<_>>());
        }

        #[test]
        fn blocks_are_read_back(one in some()) {
            let numbers = set(&one);
            let mut again = NumberSet::default();
            for block in 0..5 {
                if let Some(stored) = numbers.block(block) {
                    prop_assert!(stored.len() <= WHOLE);
                    prop_assert!(again.add_block(block, &stored));
                }
            }
            prop_assert_eq!(again.iter().collect::<BTreeSet<_>>(), one);
        }
    }

    #[test]
    fn ranges_and_large_numbers_are_as_good_as_others() {
        for range in [0..0, 5..6, 60..70, 64..128, 63..8_300, 9_000_000_000..9_000_010_000] {
            let mut numbers = NumberSet::default();
            numbers.insert_all(range.clone());
            assert_eq!(numbers.iter().collect::<Vec<_>>(), range.clone().collect::<Vec<_>>());
            assert_eq!(numbers.largest_after(0, 1), range.last().into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_no_block_is_noticed() {
        assert!(!NumberSet::default().add_block(0, &[1, 2, 3]));
        assert!(!NumberSet::default().add_block(-1, &[1, 2]));
        assert_eq!(NumberSet::default().block(0), None);
    }
}
