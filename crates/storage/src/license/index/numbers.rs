//! Sets of small numbers as bits, and the form in which a block of them is stored.

/// Numbers in one stored row.
const BLOCK: u32 = 8_192;
const WORDS_IN_BLOCK: usize = BLOCK as usize / 64;
/// A stored block of all bits. A list of two-byte numbers is shorter, or it is not a list.
const WHOLE: usize = BLOCK as usize / 8;

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers(Vec<u64>);

impl Numbers {
    /// The stored row that a number is in.
    pub(super) fn block_of(number: u32) -> i64 {
        i64::from(number / BLOCK)
    }

    pub(super) fn insert(&mut self, number: u32) {
        let (word, bit) = place(number);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    pub(super) fn remove(&mut self, number: u32) {
        let (word, bit) = place(number);
        if let Some(it) = self.0.get_mut(word) {
            *it &= !bit;
        }
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.0.get(word).is_some_and(|it| it & bit != 0)
    }

    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(|it| u64::from(it.count_ones())).sum()
    }

    pub(super) fn unite(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, it) in self.0.iter_mut().zip(&other.0) {
            *own |= it;
        }
    }

    pub(super) fn intersect(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (own, it) in self.0.iter_mut().zip(&other.0) {
            *own &= it;
        }
    }

    /// All of them, the smallest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().zip(0_u32..).flat_map(|(word, at)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros();
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// The ones after so many others, the smallest first.
    pub(super) fn smallest_after(&self, skipped: u64, at_most: usize) -> Vec<u32> {
        let mut skipped = skipped;
        let mut found = Vec::with_capacity(at_most.min(128));
        for (word, at) in self.0.iter().zip(0_u32..) {
            let here = u64::from(word.count_ones());
            if here <= skipped {
                skipped -= here;
                continue;
            }
            let mut left = *word;
            while left != 0 && found.len() < at_most {
                if skipped == 0 {
                    found.push(at * 64 + left.trailing_zeros());
                } else {
                    skipped -= 1;
                }
                left &= left - 1;
            }
            if found.len() == at_most {
                break;
            }
        }
        found
    }

    /// The same, the largest first.
    pub(super) fn largest_after(&self, skipped: u64, at_most: usize) -> Vec<u32> {
        let total = self.len();
        let end = total.saturating_sub(skipped);
        let begin = end.saturating_sub(at_most as u64);
        let count = usize::try_from(end - begin).unwrap_or(0);
        let mut found = self.smallest_after(begin, count);
        found.reverse();
        found
    }

    /// Adds a stored block. False for what no block looks like.
    pub(super) fn add_block(&mut self, block: i64, stored: &[u8]) -> bool {
        let Some(first) = u32::try_from(block).ok().and_then(|it| it.checked_mul(BLOCK)) else {
            return false;
        };
        let base = first as usize / 64;
        if stored.len() == WHOLE {
            if self.0.len() < base + WORDS_IN_BLOCK {
                self.0.resize(base + WORDS_IN_BLOCK, 0);
            }
            let words = stored.chunks_exact(8);
            for (own, bytes) in self.0[base..].iter_mut().zip(words) {
                *own |= u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            }
            return true;
        }
        let numbers = stored.chunks_exact(2);
        let whole = numbers.remainder().is_empty();
        for bytes in numbers {
            let low = u16::from_le_bytes(bytes.try_into().unwrap_or_default());
            self.insert(first + u32::from(low) % BLOCK);
        }
        whole
    }

    /// A block as it is stored; nothing when it is empty.
    pub(super) fn block(&self, block: i64) -> Option<Vec<u8>> {
        let base = usize::try_from(block).ok()?.checked_mul(WORDS_IN_BLOCK)?;
        let words = self.0.get(base..)?;
        let words = &words[..words.len().min(WORDS_IN_BLOCK)];
        let count: usize = words.iter().map(|it| it.count_ones() as usize).sum();
        if count == 0 {
            return None;
        }
        if count * 2 < WHOLE {
            let numbers = Self(words.to_vec());
            let low = |it: u32| u16::try_from(it).unwrap_or_default().to_le_bytes();
            return Some(numbers.iter().flat_map(low).collect());
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|it| it.to_le_bytes()).collect();
        bytes.resize(WHOLE, 0);
        Some(bytes)
    }
}

fn place(number: u32) -> (usize, u64) {
    (number as usize / 64, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    use super::*;

    fn set(of: &BTreeSet<u32>) -> Numbers {
        let mut numbers = Numbers::default();
        for number in of {
            numbers.insert(*number);
        }
        numbers
    }

    fn some() -> impl Strategy<Value = BTreeSet<u32>> {
        let sparse = proptest::collection::btree_set(0_u32..40_000, 0..200);
        let dense = proptest::collection::btree_set(8_000_u32..9_500, 0..1_400);
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
            all.unite(&set(&other));
            prop_assert_eq!(both.iter().collect::<Vec<_>>(), one.intersection(&other).copied().collect::<Vec<_>>());
            prop_assert_eq!(all.iter().collect::<Vec<_>>(), one.union(&other).copied().collect::<Vec<_>>());
            let mut without = numbers;
            one.intersection(&other).for_each(|it| without.remove(*it));
            prop_assert_eq!(without.iter().collect::<Vec<_>>(), one.difference(&other).copied().collect::<Vec<_>>());
        }

        #[test]
        fn blocks_are_read_back(one in some()) {
            let numbers = set(&one);
            let mut again = Numbers::default();
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
    fn what_is_no_block_is_noticed() {
        assert!(!Numbers::default().add_block(0, &[1, 2, 3]));
        assert!(!Numbers::default().add_block(-1, &[1, 2]));
        assert_eq!(Numbers::default().block(0), None);
    }
}
