//! Finds every hash within a distance of one, exactly, without looking at all of them.
//!
//! A hash is cut into 16 pieces of 16 bits. When two hashes differ in at most r bits, then some
//! piece differs in at most r/16; and if one goes round from the right piece, the first two differ
//! in at most 2r/16 together, the first three in 3r/16, and so on (the pigeonring principle). So
//! each piece has a table from its value to the hashes that have it, with the piece that follows
//! beside each: values that are near are looked up, the next piece sorts most of the rest out, and
//! few hashes are compared as a whole.
//!
//! Tables are flat and never altered. New hashes wait in a short list that is read through, until
//! they are worth building the tables anew. A million hashes take about 200 MB: 128 bytes each in
//! the tables, and themselves, their keys and the way back from a key.

use std::collections::HashMap;
use std::hash::Hash;

use super::ImageHash;

const PIECES: usize = 16;
const BITS: usize = 16;
const VALUES: usize = 1 << BITS;

/// So many hashes are read through in a few microseconds.
const PATIENCE: usize = 4_096;
/// New hashes wait until they are one in so many.
const WAITING_SHARE: usize = 32;
/// Beyond so many bits in one piece it is quicker to compare all hashes.
const MAX_FLIPS: usize = 4;

/// Hashes by key, one for each.
#[derive(Clone, Debug)]
pub struct HashIndex<K> {
    /// By slot; those that were removed have no key.
    keys: Vec<Option<K>>,
    hashes: Vec<ImageHash>,
    slots: HashMap<K, u32>,
    /// Slots below it are in the tables.
    settled: usize,
    tables: Vec<Table>,
    /// All values of a piece, those of fewer bits first.
    flips: Vec<u16>,
    /// So many new hashes may wait in any case.
    patience: usize,
}

/// What a look found, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look<K> {
    /// Keys and their distances, the nearest first.
    pub matches: Vec<(K, u32)>,
    /// Entries of tables that were read.
    pub read: usize,
    /// Hashes that were compared as a whole.
    pub compared: usize,
}

/// Where the hashes are that have a value in one piece.
#[derive(Clone, Debug, Default)]
struct Table {
    /// For each value the first of its entries; one more for the end.
    starts: Vec<u32>,
    /// The piece that follows this one, by entry.
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
    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a key, or gives it another hash.
    pub fn insert(&mut self, key: K, hash: ImageHash) {
        self.insert_all([(key, hash)]);
    }

    /// Adds many, for which tables are built once at most.
    pub fn insert_all(&mut self, all: impl IntoIterator<Item = (K, ImageHash)>) {
        for (key, hash) in all {
            let slot = self.slots.get(&key).map(|slot| *slot as usize);
            if slot.is_some_and(|slot| self.hashes[slot] == hash) {
                continue;
            }
            self.forget(key);
            // Four billion hashes are 400 times the memory of a large machine.
            let Ok(slot) = u32::try_from(self.keys.len()) else { return };
            self.slots.insert(key, slot);
            self.keys.push(Some(key));
            self.hashes.push(hash);
        }
        self.settle();
    }

    /// Takes a key out. False when it was not there.
    pub fn remove(&mut self, key: K) -> bool {
        let removed = self.forget(key);
        self.settle();
        removed
    }

    /// The keys whose hashes differ from this one in at most so many bits, the nearest first.
    #[must_use]
    pub fn find(&self, hash: ImageHash, radius: u32) -> Vec<(K, u32)> {
        self.look(hash, radius).matches
    }

    /// The same, with what it took.
    #[must_use]
    pub fn look(&self, hash: ImageHash, radius: u32) -> Look<K> {
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
        // The same slot is met in several pieces.
        found.sort_unstable();
        found.dedup();
        let matches = found
            .into_iter()
            .filter_map(|(distance, slot)| self.keys[slot as usize].map(|key| (key, distance)));
        Look { matches: matches.collect(), read, compared }
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

    /// Builds the tables anew when what waits, or what is gone, has become too much.
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
    /// Counts how many hashes have each value, and then puts each into its place.
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
        // Near to one of two, so that many are near each other.
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
            asked in vec((hashes(), 0..90_u32), 1..20),
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
            for (hash, radius) in asked {
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
        // A sequence without end in which no bits depend on each other that are near.
        let mixed = |seed: u64| {
            let turned = (seed ^ (seed >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (turned ^ (turned >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB) ^ (turned >> 7)
        };
        let hash = |at: u64| ImageHash(std::array::from_fn(|it| mixed(at * 4 + it as u64 + 1)));
        index.insert_all((0..50_000).map(|at| (at, hash(at))));
        let mut asked = hash(777);
        asked.0[1] ^= 0b1011;
        index.insert(50_000, asked);
        let look = index.look(asked, 31);
        assert_eq!(look.matches, [(50_000, 0), (777, 3)]);
        assert!(look.read < 1_000 && look.compared < 50, "{} {}", look.read, look.compared);
    }
}
