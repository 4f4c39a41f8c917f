//! An index of all names. Each word of a text is looked up among the first words of names, which
//! rules out most words; then as many words as those names have are looked up in a table of whole
//! names.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::iter::successors;

use super::edge::stands_free;
use super::fold::{Folded, Gap, Word, words};
use super::hash::{Hashed, Mixer};
use super::letter::is_shown;
use super::{Filter, NameMatch, count_words};

/// A set of names with their keys. One pass over a text finds all of them. Several keys may share a
/// name, a key may have several names, and the names of a key can be changed at any time.
pub struct NameIndex<K> {
    mixer: Mixer,
    filter: Filter,
    firsts: HashMap<u64, First, Hashed>,
    /// The first entry in the chain of names with these words.
    rows: HashMap<u64, u32, Hashed>,
    names: Vec<Name<K>>,
    unused: Vec<u32>,
    /// The first entry in the chain of a key's names.
    keys: HashMap<K, u32>,
    /// The total length of all names.
    bytes: usize,
}

/// What is known about the names that start with a word.
#[derive(Clone, Copy, Default)]
struct First {
    count: u32,
    /// Bit n is set if a name has n + 1 words. A bit may be left over from a removed name.
    lengths: u64,
}

struct Name<K> {
    term: Box<str>,
    key: K,
    /// The next name with the same words.
    alike: u32,
    /// The next name of the same key.
    sibling: u32,
}

/// The end of a chain.
const END: u32 = u32::MAX;

/// Longer names are looked up by this many words and then compared.
pub(super) const MAX_ROW: usize = u64::BITS as usize;

impl<K: Copy + Eq + Hash> NameIndex<K> {
    /// Builds an index.
    pub fn build(names: impl IntoIterator<Item = (K, String)>) -> Self {
        let mut index = Self::default();
        for (key, name) in names {
            index.add(key, name);
        }
        index
    }

    /// Adds a name. Returns false if it contains no word to be found by.
    pub fn add(&mut self, key: K, name: impl Into<Box<str>>) -> bool {
        let term = name.into();
        let row = words(&term);
        let Some(first) = row.first().map(|it| it.hash) else { return false };
        let hash = self.row_hash(&row);
        let id = self.unused.last().copied().or_else(|| self.names.len().try_into().ok());
        // Not reachable: the index holds up to four billion names.
        let Some(id) = id.filter(|it| *it != END) else { return false };
        let alike = self.rows.insert(hash, id).unwrap_or(END);
        let sibling = self.keys.insert(key, id).unwrap_or(END);
        self.bytes += term.len();
        let name = Name { term, key, alike, sibling };
        if self.unused.pop().is_some() {
            self.names[id as usize] = name;
        } else {
            self.names.push(name);
        }
        let known = self.firsts.entry(first).or_default();
        known.count += 1;
        known.lengths |= 1 << (row.len().min(MAX_ROW) - 1);
        self.filter.add(first, self.firsts.keys().copied());
        true
    }

    /// Replaces the names of a key. Returns how many of them can be found.
    pub fn set(&mut self, key: K, names: impl IntoIterator<Item = impl Into<Box<str>>>) -> usize {
        self.remove(key);
        names.into_iter().map(|it| usize::from(self.add(key, it))).sum()
    }

    /// Removes all names of a key.
    pub fn remove(&mut self, key: K) {
        let first = self.keys.remove(&key).unwrap_or(END);
        let ids: Vec<u32> = self.chain(first, |it| it.sibling).collect();
        for id in ids {
            self.unlink(id);
        }
    }

    /// The number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len() - self.unused.len()
    }

    /// Whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The approximate memory use, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.names.capacity() * size_of::<Name<K>>()
            + self.bytes
            + self.unused.capacity() * size_of::<u32>()
            + table_size::<(u64, u32)>(self.rows.capacity())
            + table_size::<(u64, First)>(self.firsts.capacity())
            + table_size::<(K, u32)>(self.keys.capacity())
            + self.filter.memory()
    }

    /// All names in a text by position, including names within names. The iterator is lazy.
    pub fn find<'a>(&'a self, text: &'a Folded) -> impl Iterator<Item = NameMatch<'a, K>> {
        let names = self.rows_in(text).flat_map(move |(at, first)| {
            self.chain(first, |it| it.alike).map(move |id| (at, &self.names[id as usize]))
        });
        names.filter_map(move |(at, name)| name.match_at(text, at))
    }

    /// The first occurrence of each name in a text. Takes no longer for texts that repeat a name.
    #[must_use]
    pub fn find_first<'a>(&'a self, text: &'a Folded) -> Vec<NameMatch<'a, K>> {
        let (mut found, mut seen, mut done) = (Vec::new(), HashSet::new(), HashSet::new());
        for (at, first) in self.rows_in(text) {
            if done.contains(&first) {
                continue;
            }
            let mut all = true;
            for id in self.chain(first, |it| it.alike) {
                if seen.contains(&id) {
                    continue;
                }
                match self.names[id as usize].match_at(text, at) {
                    Some(matched) => {
                        seen.insert(id);
                        found.push(matched);
                    }
                    None => all = false,
                }
            }
            if all {
                done.insert(first);
            }
        }
        found
    }

    /// The positions where names may start, with the chains of those names.
    fn rows_in<'a>(&'a self, text: &'a Folded) -> impl Iterator<Item = (usize, u32)> + 'a {
        let words = text.words().iter().enumerate();
        let begins = words.filter(|(_, it)| self.filter.may_hold(it.hash));
        begins.flat_map(|(at, _)| {
            self.rows_at(&text.words()[at..]).into_iter().map(move |it| (at, it))
        })
    }

    /// The chains of the names that match the start of these words.
    fn rows_at(&self, words: &[Word]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut lengths =
            words.first().and_then(|it| self.firsts.get(&it.hash)).map_or(0, |it| it.lengths);
        let mut hash = 0;
        for word in words {
            if lengths == 0 {
                break;
            }
            hash = self.mixer.mix(hash, word.hash);
            if lengths & 1 == 1 {
                found.extend(self.rows.get(&hash));
            }
            lengths >>= 1;
        }
        found
    }

    fn chain(&self, first: u32, next: impl Fn(&Name<K>) -> u32) -> impl Iterator<Item = u32> {
        let some = |id: u32| (id != END).then_some(id);
        successors(some(first), move |id| some(next(&self.names[*id as usize])))
    }

    fn row_hash(&self, row: &[Word]) -> u64 {
        row.iter().take(MAX_ROW).fold(0, |hash, word| self.mixer.mix(hash, word.hash))
    }

    /// Removes a name from the tables, except from the chain of its key.
    fn unlink(&mut self, id: u32) {
        let term = std::mem::take(&mut self.names[id as usize].term);
        let alike = std::mem::replace(&mut self.names[id as usize].alike, END);
        let row = words(&term);
        let hash = self.row_hash(&row);
        let head = self.rows.get(&hash).copied().unwrap_or(END);
        let before =
            self.chain(head, |it| it.alike).find(|it| self.names[*it as usize].alike == id);
        match before {
            Some(before) => self.names[before as usize].alike = alike,
            None if alike == END => drop(self.rows.remove(&hash)),
            None => drop(self.rows.insert(hash, alike)),
        }
        let first = row.first().map_or(0, |it| it.hash);
        if let Some(known) = self.firsts.get_mut(&first) {
            known.count -= 1;
            if known.count == 0 {
                self.firsts.remove(&first);
            }
        }
        self.bytes -= term.len();
        self.unused.push(id);
    }
}

impl<K> Default for NameIndex<K> {
    fn default() -> Self {
        Self {
            mixer: Mixer::new(),
            filter: Filter::default(),
            firsts: HashMap::default(),
            rows: HashMap::default(),
            names: Vec::new(),
            unused: Vec::new(),
            keys: HashMap::new(),
            bytes: 0,
        }
    }
}

impl<K: Copy> Name<K> {
    /// Matches the name at this word of a text, as whole words.
    fn match_at<'a>(&'a self, text: &'a Folded, at: usize) -> Option<NameMatch<'a, K>> {
        let row = words(&self.term);
        let there = text.words().get(at..at + row.len())?;
        let same = row.iter().zip(there).all(|(name, text)| name.hash == text.hash);
        let joined =
            row.iter().zip(there).skip(1).all(|(name, text)| joins(name.gap(), text.gap()));
        if !(same && joined && stands_free(text, at..at + row.len())) {
            return None;
        }
        let range = there.first()?.range().start..there.last()?.range().end;
        let exact = is_exact(&text.plain()[range.clone()], &self.term);
        let words = count_words(&self.term);
        Some(NameMatch { key: self.key, term: &self.term, range, words, exact })
    }
}

/// Whether the separator between two words of a text is allowed between those of the name.
fn joins(name: Gap, text: Gap) -> bool {
    match text {
        Gap::Apostrophe => name == Gap::Apostrophe,
        Gap::Break => name == Gap::Break,
        Gap::None | Gap::Space => name != Gap::Apostrophe,
    }
}

/// Whether the text has the same letters as the name, including case and accents.
fn is_exact(text: &str, term: &str) -> bool {
    use unicode_normalization::UnicodeNormalization as _;
    text.nfc().filter(|it| is_shown(*it)).eq(term.nfc().filter(|it| is_shown(*it)))
}

fn table_size<T>(capacity: usize) -> usize {
    // Hash tables of the standard library are at most seven eighths full and use one extra byte per
    // slot.
    capacity * 8 / 7 * (size_of::<T>() + 1)
}
