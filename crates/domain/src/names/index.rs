//! All names at once. A word of a text is looked up among the first words of names, which most
//! words are not; then as many words as those names have, in one table of whole names.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::iter::successors;

use super::edge::stands_free;
use super::fold::{Folded, Gap, Word, words};
use super::hash::{Hashed, Mixer};
use super::letter::is_shown;
use super::{Filter, Sighting};

/// Names, each with the key it stands for. One pass over a text finds them all. Many keys may share
/// a name, a key may have many, and what a key has can be changed at any time.
pub struct NameIndex<K> {
    mixer: Mixer,
    filter: Filter,
    firsts: HashMap<u64, First, Hashed>,
    /// Where the chain of the names begins that have these words.
    rows: HashMap<u64, u32, Hashed>,
    names: Vec<Name<K>>,
    unused: Vec<u32>,
    /// Where the chain of a key's names begins.
    keys: HashMap<K, u32>,
    /// The bytes of all names.
    bytes: usize,
}

/// What is known of the names that begin with a word.
#[derive(Clone, Copy, Default)]
struct First {
    count: u32,
    /// Bit n is set where a name has n + 1 words. A bit may be left from a name that is gone.
    lengths: u64,
}

struct Name<K> {
    term: Box<str>,
    key: K,
    /// The next name of the same words.
    alike: u32,
    /// The next name of the same key.
    sibling: u32,
}

/// The end of a chain.
const END: u32 = u32::MAX;

/// Longer names are looked up by this many words and then compared.
const MAX_ROW: usize = u64::BITS as usize;

impl<K: Copy + Eq + Hash> NameIndex<K> {
    /// Takes all names at once.
    pub fn build(names: impl IntoIterator<Item = (K, String)>) -> Self {
        let mut index = Self::default();
        for (key, name) in names {
            index.add(key, name);
        }
        index
    }

    /// Adds a name, unless it holds no word to be found by. Says whether it does.
    pub fn add(&mut self, key: K, name: impl Into<Box<str>>) -> bool {
        let term = name.into();
        let row = words(&term);
        let Some(first) = row.first().map(|it| it.hash) else { return false };
        let hash = self.row_hash(&row);
        let id = self.unused.last().copied().or_else(|| self.names.len().try_into().ok());
        // Four billion names are in.
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

    /// Gives a key these names and no others. Says how many of them can be found.
    pub fn set(&mut self, key: K, names: impl IntoIterator<Item = impl Into<Box<str>>>) -> usize {
        self.remove(key);
        names.into_iter().map(|it| usize::from(self.add(key, it))).sum()
    }

    /// Takes all names of a key away.
    pub fn remove(&mut self, key: K) {
        let first = self.keys.remove(&key).unwrap_or(END);
        let ids: Vec<u32> = self.chain(first, |it| it.sibling).collect();
        for id in ids {
            self.unlink(id);
        }
    }

    /// How many names are in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len() - self.unused.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many bytes it holds.
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

    /// Every name that stands in a text, by where it begins; names within names as well. Found while
    /// they are asked for: whoever has enough may stop.
    pub fn find<'a>(&'a self, text: &'a Folded) -> impl Iterator<Item = Sighting<'a, K>> {
        let names = self.rows_in(text).flat_map(move |(at, first)| {
            self.chain(first, |it| it.alike).map(move |id| (at, &self.names[id as usize]))
        });
        names.filter_map(move |(at, name)| name.sighting(text, at))
    }

    /// The first place of each name that stands in a text: a text that repeats one without end takes
    /// no longer than others.
    #[must_use]
    pub fn find_first<'a>(&'a self, text: &'a Folded) -> Vec<Sighting<'a, K>> {
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
                match self.names[id as usize].sighting(text, at) {
                    Some(sighting) => {
                        seen.insert(id);
                        found.push(sighting);
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

    /// Where names may begin in a text, with the chains of those names.
    fn rows_in<'a>(&'a self, text: &'a Folded) -> impl Iterator<Item = (usize, u32)> + 'a {
        let words = text.words().iter().enumerate();
        let begins = words.filter(|(_, it)| self.filter.may_hold(it.hash));
        begins.flat_map(|(at, _)| {
            self.rows_at(&text.words()[at..]).into_iter().map(move |it| (at, it))
        })
    }

    /// The chains of the names that these words begin with.
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

    /// Takes a name out of the tables; its key no longer leads to it.
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
    /// What it is to see the name at this word of a text, if it stands there by itself.
    fn sighting<'a>(&'a self, text: &'a Folded, at: usize) -> Option<Sighting<'a, K>> {
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
        let parts = self.term.split_whitespace().filter(|it| it.contains(is_shown));
        let words = parts.count();
        Some(Sighting { key: self.key, term: &self.term, range, words, exact })
    }
}

/// Whether what stands between two words of a text may stand between those of the name.
fn joins(name: Gap, text: Gap) -> bool {
    match text {
        Gap::Apostrophe => name == Gap::Apostrophe,
        Gap::Break => name == Gap::Break,
        Gap::None | Gap::Space => name != Gap::Apostrophe,
    }
}

/// Whether a text writes the name's letters as the name does.
fn is_exact(text: &str, term: &str) -> bool {
    use unicode_normalization::UnicodeNormalization as _;
    text.nfc().filter(|it| is_shown(*it)).eq(term.nfc().filter(|it| is_shown(*it)))
}

fn table_size<T>(capacity: usize) -> usize {
    // The tables of the standard library are at most seven eighths full and have a byte for each
    // place.
    capacity * 8 / 7 * (size_of::<T>() + 1)
}
