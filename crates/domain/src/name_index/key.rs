//! Keys of names that are the same in every process, so that a database finds names by them.
//!
//! A key only leads to names that may be in a text: whether one is there is decided by
//! [`super::NameIndex`], whose hashes nobody can know in advance.

use std::collections::HashSet;

use super::fold::words_by;
use super::hash::Mixer;
use super::index::MAX_ROW;

/// Increase it whenever the keys of names change: when folding or hashing does.
pub const KEY_VERSION: u32 = 1;

/// How a name is found: by its first word and the number of its words, and then by all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameKey {
    /// The first word.
    pub first: i64,
    /// The number of words, from 1 to 64. Longer names are found by their first 64.
    pub words: u32,
    /// All of these words.
    pub whole: i64,
}

impl NameKey {
    /// The key of a name; `None` if it contains no word.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let row = TextKeys::of_text(name).0;
        let row = &row[..row.len().min(MAX_ROW)];
        let mixer = Mixer::stable();
        let whole = row.iter().fold(0, |hash, word| mixer.mix(hash, *word));
        let (first, words) = (row.first()?.cast_signed(), u32::try_from(row.len()).ok()?);
        Some(Self { first, words, whole: whole.cast_signed() })
    }
}

/// The words of a text, by keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextKeys(Vec<u64>);

impl TextKeys {
    /// Reads plain text.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self(words_by(text, Mixer::stable()).into_iter().map(|it| it.hash).collect())
    }

    /// Adds the distinct words that pass `accept` to `words`.
    pub fn collect_words(&self, words: &mut HashSet<i64>, accept: impl Fn(i64) -> bool) {
        words.extend(self.0.iter().map(|it| it.cast_signed()).filter(|it| accept(*it)));
    }

    /// Adds what may be whole names to `wholes`, if it passes `accept`. Bit n of `lengths(word)`
    /// is set if a name that starts with the word has n + 1 words.
    pub fn collect_wholes(
        &self,
        wholes: &mut HashSet<i64>,
        lengths: impl Fn(i64) -> u64,
        accept: impl Fn(i64) -> bool,
    ) {
        let mixer = Mixer::stable();
        for (at, first) in self.0.iter().enumerate() {
            let (mut lengths, mut hash) = (lengths(first.cast_signed()), 0);
            for word in &self.0[at..] {
                if lengths == 0 {
                    break;
                }
                hash = mixer.mix(hash, *word);
                if lengths & 1 == 1 && accept(hash.cast_signed()) {
                    wholes.insert(hash.cast_signed());
                }
                lengths >>= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::name_index::{Folded, NameIndex};

    /// What a database with these names would be asked for.
    fn wholes_in(names: &[NameKey], text: &str) -> HashSet<i64> {
        let (text, mut wholes) = (TextKeys::of_text(text), HashSet::new());
        let lengths = |word| {
            let alike = names.iter().filter(|it| it.first == word);
            alike.fold(0, |bits, it| bits | 1 << (it.words - 1))
        };
        text.collect_wholes(&mut wholes, lengths, |_| true);
        wholes
    }

    #[test]
    fn keys_are_the_same_everywhere() {
        let key = NameKey::of("Ann Lee").unwrap();
        assert_eq!(key, NameKey::of("ÁNN-lee").unwrap());
        assert_eq!(key.words, 2);
        assert_ne!(key.whole, NameKey::of("Lee Ann").unwrap().whole);
        assert_eq!(NameKey::of(" -- "), None);
        // Databases have these: if this fails, increase KEY_VERSION.
        let (first, whole) = (7_863_410_465_433_502_799, 2_966_268_627_225_923_545);
        assert_eq!(key, NameKey { first, words: 2, whole });
    }

    #[test]
    fn long_names_are_found_by_their_beginning() {
        let long = "la ".repeat(70);
        let key = NameKey::of(&long).unwrap();
        assert_eq!(key.words, 64);
        assert!(wholes_in(&[key], &format!("tra {long} tra")).contains(&key.whole));
    }

    proptest! {
        /// Whatever the index finds in a text, its key leads to.
        #[test]
        fn no_name_that_is_there_is_missed(
            name in "[A-Za-zÀ-ÿĀ-ž東京김민 .,'-]{1,24}",
            before in "[a-zé東 .,'’-]{0,12}",
            after in "[a-zé東 .,'’-]{0,12}",
        ) {
            let text = format!("{before} {name} {after}");
            let index = NameIndex::build([(1_u8, name.clone())]);
            if index.find(&Folded::of_text(text.as_str())).next().is_some() {
                let key = NameKey::of(&name).unwrap();
                prop_assert!(wholes_in(&[key], &text).contains(&key.whole));
            }
        }
    }
}
