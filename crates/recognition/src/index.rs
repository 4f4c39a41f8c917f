//! The index of all references: segments that are joined as they grow.

use std::collections::HashMap;
use std::hash::Hash;

use crate::entry::Entry;
use crate::query::Query;
use crate::segment::{MOST_REFERENCES, Segment};
use crate::shelf::{Shelf, ShelfError};
use crate::vote::votes;

/// Finds the references that a picture may show. Without a bound, everything stays in memory.
#[derive(Debug)]
pub struct Index<K> {
    bound: Option<Bound>,
    parts: Vec<Part<K>>,
    places: HashMap<K, (usize, usize)>,
}

#[derive(Debug)]
struct Part<K> {
    segment: Segment,
    /// The references by their numbers; `None` if removed.
    keys: Vec<Option<K>>,
}

/// The most memory, and where the rest goes.
#[derive(Debug)]
struct Bound {
    memory: usize,
    shelf: Box<dyn Shelf>,
}

/// A reference that a picture may show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<K> {
    /// The reference.
    pub key: K,
    /// Whether the mirrored picture shows it.
    pub mirrored: bool,
    /// How much they have in common.
    pub weight: f32,
    /// The number of features that they have in common.
    pub votes: u32,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self { bound: None, parts: Vec::new(), places: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash + Ord> Index<K> {
    /// An index that takes at most this many bytes of memory. Full segments are moved to a shelf; the
    /// segment that grows, up to 130 MB, and 100 bytes per reference always stay in memory.
    #[must_use]
    pub fn bounded(memory: usize, shelf: Box<dyn Shelf>) -> Self {
        Self { bound: Some(Bound { memory, shelf }), ..Self::default() }
    }

    /// The number of references.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no reference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The bytes of memory that it takes, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let keys = |part: &Part<K>| part.keys.capacity() * size_of::<Option<K>>();
        let parts: usize = self.parts.iter().map(|part| part.segment.memory() + keys(part)).sum();
        // A table is at most seven eighths full and has a byte for each place.
        parts + self.places.capacity() * (size_of::<(K, (usize, usize))>() + 1) * 8 / 7
    }

    /// Adds references, except those that it already has.
    pub fn insert_all(&mut self, references: &[(K, Vec<Entry>)]) -> Result<(), ShelfError> {
        for chunk in references.chunks(MOST_REFERENCES) {
            let new: Vec<&(K, Vec<Entry>)> =
                chunk.iter().filter(|(key, _)| !self.places.contains_key(key)).collect();
            let entries: Vec<&[Entry]> =
                new.iter().map(|(_, entries)| entries.as_slice()).collect();
            let keys: Vec<Option<K>> = new.iter().map(|(key, _)| Some(*key)).collect();
            if keys.is_empty() {
                continue;
            }
            let part = self.parts.len();
            self.parts.push(Part { segment: Segment::new(&entries), keys });
            self.number(part);
            self.join();
            self.relieve()?;
        }
        Ok(())
    }

    /// Forgets a reference.
    pub fn remove(&mut self, key: K) {
        if let Some((part, number)) = self.places.remove(&key)
            && let Some(slot) = self.parts.get_mut(part).and_then(|it| it.keys.get_mut(number))
        {
            *slot = None;
        }
    }

    /// Returns the references that a picture may show, likeliest first, up to `most`.
    pub fn search(&self, query: &Query, most: usize) -> Result<Vec<Candidate<K>>, ShelfError> {
        let mut found = Vec::new();
        for part in &self.parts {
            found.extend(votes(&part.segment, query)?.into_iter().filter_map(|vote| {
                let key = (*part.keys.get(usize::from(vote.number))?)?;
                let (mirrored, weight, votes) = (vote.mirrored, vote.weight, vote.votes);
                Some(Candidate { key, mirrored, weight, votes })
            }));
        }
        found.sort_unstable_by(|one, other| {
            other.weight.total_cmp(&one.weight).then_with(|| one.key.cmp(&other.key))
        });
        found.truncate(most);
        Ok(found)
    }

    /// Joins the last two segments while the last is at least half as large as the one before.
    fn join(&mut self) {
        while let [.., before, last] = self.parts.as_slice()
            && last.keys.len() * 2 >= before.keys.len()
            && let Some(segment) = before.segment.joined(&last.segment)
        {
            let (last, before) = (self.parts.pop(), self.parts.pop());
            let keys = before.into_iter().chain(last).flat_map(|it| it.keys).collect();
            self.parts.push(Part { segment, keys });
            self.number(self.parts.len() - 1);
        }
    }

    /// Moves full segments out of memory until the rest is within the bound.
    fn relieve(&mut self) -> Result<(), ShelfError> {
        while let Some(bound) = &self.bound
            && self.memory() > bound.memory
        {
            // Segments that still grow stay.
            let full = |it: &&mut Part<K>| {
                it.segment.movable() > 0 && it.keys.len() * 2 >= MOST_REFERENCES
            };
            match self.parts.iter_mut().find(full) {
                Some(part) => part.segment.store(bound.shelf.as_ref())?,
                None => break,
            }
        }
        Ok(())
    }

    /// Records where the references of a part are.
    fn number(&mut self, part: usize) {
        let Some(Part { keys, .. }) = self.parts.get(part) else { return };
        for (number, key) in keys.iter().enumerate() {
            if let Some(key) = key {
                self.places.insert(*key, (part, number));
            }
        }
    }
}
