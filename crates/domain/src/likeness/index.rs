//! Finds all hashes within a distance of a given one, exactly, without comparing all of them.
//!
//! A hash is divided into 16 pieces of 16 bits. If two hashes differ in at most r bits, then some
//! piece differs in at most r/16 bits; and going around from the right piece, the first two differ
//! in at most 2r/16 together, the first three in 3r/16, and so on (the pigeonring principle). So
//! each piece has a table from its value to the hashes that have it, together with the following
//! piece: similar values are looked up, the following piece rules out most candidates, and few
//! hashes are compared in full.
//!
//! Tables are flat and immutable. New hashes are kept in a short list that is scanned linearly
//! until there are enough to rebuild the tables. A million hashes take about 200 MB: 128 bytes each
//! in the tables, plus the hashes, their keys and the map from keys to slots.

use std::collections::HashMap;
use std::hash::Hash;

use super::ImageHash;

const PIECES: usize = 16;
const BITS: usize = 16;
const VALUES: usize = 1 << BITS;

/// This many hashes can be scanned in a few microseconds.
const PATIENCE: usize = 4_096;
/// New hashes are kept in the list until they exceed this share of all hashes (one in 32).
const WAITING_SHARE: usize = 32;
/// With more differing bits per piece it is faster to compare all hashes.
const MAX_FLIPS: usize = 4;

/// An index of hashes, one per key.
#[derive(Clone, Debug)]
pub struct HashIndex<K> {
    /// Keys by slot; removed ones are `None`.
    keys: Vec<Option<K>>,
    hashes: Vec<ImageHash>,
    slots: HashMap<K, u32>,
    /// Slots below this one are in the tables.
    settled: usize,
    tables: Vec<Table>,
    /// All values of a piece, sorted by the number of set bits.
    flips: Vec<u16>,
    /// The minimum size of the list before the tables are rebuilt.
    patience: usize,
}

/// The result and cost of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<K> {
    /// Keys and their distances, nearest first.
    pub matches: Vec<(K, u32)>,
    /// Table entries read.
    pub read: usize,
    /// Hashes compared in full.
    pub compared: usize,
}

/// Maps the values of one piece to the hashes that have them.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The first entry of each value, plus the end.
    starts: Vec<u32>,
    /// The following piece, by entry.
    next: Vec<u16>,
    /// The slot, by entry.
    slots: Vec<u32>,
}

impl<K> Default for HashIndex<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            hashes: Vec::new(),
            slots: HashMap::new(),
            settled: 0,
            tables: Vec::new(),
            flips: Vec::new(),
            patience: PATIENCE,
        }
    }
}

impl<K: Copy + Eq + Hash> HashIndex<K> {
    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Inserts a key or replaces its hash.
    pub fn insert(&mut self, key: K, hash: ImageHash) {
        self.insert_all([(key, hash)]);
    }

    /// Inserts many hashes; the tables are rebuilt at most once.
    pub fn insert_all(&mut self, all: impl IntoIterator<Item = (K, ImageHash)>) {
        for (key, hash) in all {
            let slot = self.slots.get(&key).map(|slot| *slot as usize);
            if slot.is_some_and(|slot| self.hashes[slot] == hash) {
                continue;
            }
            self.forget(key);
            // Not reachable: four billion hashes exceed the memory of any machine.
            let Ok(slot) = u32::try_from(self.keys.len()) else { return };
            self.slots.insert(key, slot);
            self.keys.push(Some(key));
            self.hashes.push(hash);
        }
        self.settle();
    }

    /// Removes a key. Returns whether it existed.
    pub fn remove(&mut self, key: K) -> bool {
        let removed = self.forget(key);
        self.settle();
        removed
    }

    /// The keys whose hashes differ in at most `radius` bits, nearest first.
    #[must_use]
    pub fn find(&self, hash: ImageHash, radius: u32) -> Vec<(K, u32)> {
        self.search(hash, radius).matches
    }

    /// Like [`Self::find`], with the cost of the search.
    #[must_use]
    pub fn search(&self, hash: ImageHash, radius: u32) -> SearchResult<K> {
        let mut search = Search { hash, radius, found: Vec::new(), read: 0, compared: 0 };
        let first = if radius as usize / PIECES > MAX_FLIPS { 0 } else { self.settled };
        if first > 0 {
            self.look_up(&mut search);
        }
        let slots = u32::try_from(first).unwrap_or(u32::MAX)..;
        for (slot, other) in slots.zip(&self.hashes[first..]) {
            search.compare(slot, *other);
        }
        let Search { mut found, read, compared, .. } = search;
        // A slot may be found through several pieces.
        found.sort_unstable();
        found.dedup();
        let matches = found
            .into_iter()
            .filter_map(|(distance, slot)| self.keys[slot as usize].map(|key| (key, distance)));
        SearchResult { matches: matches.collect(), read, compared }
    }

    fn look_up(&self, search: &mut Search) {
        let pieces = pieces(search.hash);
        let [one, two] = [1, 2].map(|count| count * search.radius / 16);
        for (at, table) in self.tables.iter().enumerate() {
            let (piece, following) = (pieces[at], pieces[(at + 1) % PIECES]);
            for flip in self.flips.iter().take_while(|it| it.count_ones() <= one) {
                let value = usize::from(piece ^ flip);
                let entries = table.starts[value] as usize..table.starts[value + 1] as usize;
                search.read += entries.len();
                let left = two - flip.count_ones();
                for (next, entry) in table.next[entries.clone()].iter().zip(entries) {
                    if (next ^ following).count_ones() <= left {
                        let slot = table.slots[entry];
                        search.compare(slot, self.hashes[slot as usize]);
                    }
                }
            }
        }
    }

    fn forget(&mut self, key: K) -> bool {
        let slot = self.slots.remove(&key);
        if let Some(slot) = slot {
            self.keys[slot as usize] = None;
        }
        slot.is_some()
    }

    /// Rebuilds the tables when too many hashes are new or removed.
    fn settle(&mut self) {
        let bound = (self.settled / WAITING_SHARE).max(self.patience);
        let waiting = self.keys.len() - self.settled;
        let gone = self.keys.len() - self.slots.len();
        if waiting <= bound && gone <= bound {
            return;
        }
        let kept =
            self.keys.iter().zip(&self.hashes).filter_map(|(key, hash)| Some(((*key)?, *hash)));
        let (keys, hashes): (Vec<K>, Vec<_>) = kept.unzip();
        self.slots = keys.iter().copied().zip(0..).collect();
        self.keys = keys.into_iter().map(Some).collect();
        self.hashes = hashes;
        self.settled = self.hashes.len();
        self.tables = (0..PIECES).map(|at| Table::of(&self.hashes, at)).collect();
        if self.flips.is_empty() {
            self.flips = (0..=u16::MAX).collect();
            self.flips.sort_by_key(|it| it.count_ones());
        }
    }
}

impl Table {
    /// Builds the table by counting sort.
    fn of(hashes: &[ImageHash], at: usize) -> Self {
        let mut starts = vec![0_u32; VALUES + 1];
        for hash in hashes {
            starts[usize::from(piece(*hash, at)) + 1] += 1;
        }
        for value in 0..VALUES {
            starts[value + 1] += starts[value];
        }
        let mut places = starts.clone();
        let (mut next, mut slots) = (vec![0; hashes.len()], vec![0; hashes.len()]);
        for (slot, hash) in (0..).zip(hashes) {
            let place = &mut places[usize::from(piece(*hash, at))];
            next[*place as usize] = piece(*hash, (at + 1) % PIECES);
            slots[*place as usize] = slot;
            *place += 1;
        }
        Self { starts, next, slots }
    }
}

struct Search {
    hash: ImageHash,
    radius: u32,
    found: Vec<(u32, u32)>,
    read: usize,
    compared: usize,
}

impl Search {
    fn compare(&mut self, slot: u32, other: ImageHash) {
        self.compared += 1;
        let distance = self.hash.distance(other);
        if distance <= self.radius {
            self.found.push((distance, slot));
        }
    }
}

fn pieces(hash: ImageHash) -> [u16; PIECES] {
    std::array::from_fn(|at| piece(hash, at))
}

#[expect(clippy::cast_possible_truncation, reason = "16 bits of 64 are what is wanted")]
fn piece(hash: ImageHash, at: usize) -> u16 {
    (hash.0[at / 4] >> (at % 4 * BITS)) as u16
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn hashes() -> impl Strategy<Value = ImageHash> {
        // Close to one of two hashes, so that many are close to each other.
        (any::<bool>(), vec(0..256_u32, 0..60)).prop_map(|(which, bits)| {
            let mut words = if which { [0x5A5A_0FF0_1234_8001; 4] } else { [0; 4] };
            for bit in bits {
                words[bit as usize / 64] ^= 1 << (bit % 64);
            }
            ImageHash(words)
        })
    }

    fn naive(model: &HashMap<u8, ImageHash>, hash: ImageHash, radius: u32) -> Vec<(u32, u8)> {
        let near = model.iter().map(|(key, it)| (it.distance(hash), *key));
        let mut near: Vec<_> = near.filter(|(distance, _)| *distance <= radius).collect();
        near.sort_unstable();
        near
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn everything_near_is_found_and_nothing_else(
            steps in vec((any::<u8>(), prop::option::weighted(0.8, hashes())), 1..200),
            query in vec((hashes(), 0..90_u32), 1..20),
            patience in 20..60_usize,
        ) {
            let mut index = HashIndex { patience, ..HashIndex::default() };
            let mut model = HashMap::new();
            for (key, hash) in steps {
                if let Some(hash) = hash {
                    index.insert(key, hash);
                    model.insert(key, hash);
                } else {
                    prop_assert_eq!(index.remove(key), model.remove(&key).is_some());
                }
            }
            prop_assert_eq!((index.len(), index.is_empty()), (model.len(), model.is_empty()));
            for (hash, radius) in query {
                let found = index.find(hash, radius).into_iter();
                let mut found: Vec<_> = found.map(|(key, distance)| (distance, key)).collect();
                found.sort_unstable();
                prop_assert_eq!(found, naive(&model, hash, radius));
            }
        }
    }

    #[test]
    fn the_nearest_comes_first_and_few_are_compared() {
        let mut index = HashIndex::default();
        // A pseudorandom sequence in which nearby bits are independent.
        let mixed = |seed: u64| {
            let turned = (seed ^ (seed >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (turned ^ (turned >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB) ^ (turned >> 7)
        };
        let hash = |at: u64| ImageHash(std::array::from_fn(|it| mixed(at * 4 + it as u64 + 1)));
        index.insert_all((0..50_000).map(|at| (at, hash(at))));
        let mut query = hash(777);
        query.0[1] ^= 0b1011;
        index.insert(50_000, query);
        let result = index.search(query, 31);
        assert_eq!(result.matches, [(50_000, 0), (777, 3)]);
        assert!(result.read < 1_000 && result.compared < 50, "{} {}", result.read, result.compared);
    }
}
