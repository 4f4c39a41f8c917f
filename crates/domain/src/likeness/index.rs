//! Finds all hashes that are close to one of a picture's own hashes, exactly.
//!
//! A hash is divided into 16 pieces of 16 bits. If two hashes differ in at most r bits, then some
//! piece differs in at most r/16 bits; and going around from the right piece, the first two differ
//! in at most 2r/16 together (the pigeonring principle). So the values that a piece may have are
//! marked in a bitmap for each piece, for all hashes of the picture at once. Each stored hash is
//! looked up there: few have a marked piece, the following piece rules out most of those, and the
//! rest is compared in full.
//!
//! The picture is prepared and not the stored hashes, so these take no memory but their own and may
//! come from anywhere, such as the pages of a table.

use super::ImageHash;

const PIECES: usize = 16;
const BITS: usize = 16;
const VALUES: usize = 1 << BITS;
/// Values that share a bucket of candidates differ in this many of their lowest bits.
const BUCKET_BITS: usize = 4;
const BUCKETS: usize = VALUES >> BUCKET_BITS;
/// With more differing bits per piece it is faster to compare all hashes.
const MAX_FLIPS: u32 = 4;
/// Hashes that are looked up piece by piece. They and the table of a piece fit into a CPU cache.
const BLOCK: usize = 4_096;
/// Entries per chunk of a list.
const CHUNK: usize = 2 * BLOCK;

/// Hashes and their keys. Takes the size of its entries, rounded up to 8,192 of them, and copies
/// nothing when it grows.
#[derive(Clone, Debug)]
pub struct HashList<K> {
    chunks: Vec<Vec<(ImageHash, K)>>,
}

impl<K> Default for HashList<K> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<K: Copy> HashList<K> {
    /// The bytes that an entry takes.
    pub const ENTRY: usize = size_of::<(ImageHash, K)>();

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a hash.
    pub fn push(&mut self, key: K, hash: ImageHash) {
        if self.chunks.last().is_none_or(|it| it.len() == CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push((hash, key));
        }
    }

    /// Removes the entries whose keys are not wanted.
    pub fn retain(&mut self, wanted: impl Fn(K) -> bool) {
        for chunk in &mut self.chunks {
            chunk.retain(|(_, key)| wanted(*key));
        }
        // The last one stays, because it has room.
        let last = self.chunks.len().saturating_sub(1);
        let mut at = 0..;
        self.chunks.retain(|it| at.next() == Some(last) || !it.is_empty());
    }

    /// The entries that are close to one of the hashes of a query, in the order of the list.
    #[must_use]
    pub fn find(&self, query: &HashQuery) -> Vec<(K, NearHash)> {
        self.chunks.iter().flat_map(|it| query.find_in(it)).collect()
    }
}

/// The closest of the hashes of a query. Ordered by how close it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NearHash {
    /// The number of bits in which the hashes differ.
    pub distance: u32,
    /// The position of the closest hash in the query.
    pub position: usize,
}

/// The hashes of a picture, prepared to be compared with many others.
#[derive(Clone, Debug)]
pub struct HashQuery {
    hashes: Vec<ImageHash>,
    radius: u32,
    /// For each piece; empty if all hashes are compared.
    tables: Vec<Table>,
}

/// The candidates by the value of one piece.
#[derive(Clone, Debug)]
struct Table {
    /// A bit for each value that leads to a candidate.
    marked: Vec<u64>,
    /// The first candidate of each bucket, plus the end.
    starts: Vec<u32>,
    candidates: Vec<Candidate>,
}

/// A hash of the query which a stored hash may be close to, because a piece has this value.
#[derive(Clone, Copy, Debug, Default)]
struct Candidate {
    value: u16,
    position: u16,
}

impl HashQuery {
    /// Prepares a query for all hashes that differ from one of these in at most `radius` bits. Only
    /// the first 65,536 hashes count.
    #[must_use]
    pub fn new(mut hashes: Vec<ImageHash>, radius: u32) -> Self {
        hashes.truncate(VALUES);
        let one = radius / 16;
        let mut tables = Vec::new();
        if one <= MAX_FLIPS {
            let flips: Vec<u16> = (0..=u16::MAX).filter(|it| it.count_ones() <= one).collect();
            tables.extend((0..PIECES).map(|at| Table::of(&hashes, at, &flips)));
        }
        Self { hashes, radius, tables }
    }

    /// The entries that are close to one of the query's hashes, in their order.
    #[must_use]
    pub fn find_in<K: Copy>(&self, entries: &[(ImageHash, K)]) -> Vec<(K, NearHash)> {
        let mut found = Vec::new();
        for block in entries.chunks(BLOCK) {
            let mut near = Vec::new();
            if self.tables.is_empty() {
                for (place, (hash, _)) in block.iter().enumerate() {
                    near.extend((0..self.hashes.len()).filter_map(|position| {
                        self.compare(*hash, position).map(|it| (place, it))
                    }));
                }
            }
            for (at, table) in self.tables.iter().enumerate() {
                self.look_up(block, at, table, &mut near);
            }
            // An entry may be found through several pieces and be close to several hashes.
            near.sort_unstable();
            near.dedup_by_key(|(place, _)| *place);
            found.extend(near.into_iter().map(|(place, it)| (block[place].1, it)));
        }
        found
    }

    /// Looks up a piece of each entry of a block.
    fn look_up<K>(
        &self,
        block: &[(ImageHash, K)],
        at: usize,
        table: &Table,
        near: &mut Vec<(usize, NearHash)>,
    ) {
        // Without a branch, which could not be predicted.
        let (mut hits, mut count) = ([0_u16; BLOCK], 0);
        for (place, (hash, _)) in (0_u16..).zip(block) {
            hits[count] = place;
            count += usize::from(table.is_marked(piece(*hash, at)));
        }
        let (following, two) = ((at + 1) % PIECES, 2 * self.radius / 16);
        for place in hits[..count].iter().map(|it| usize::from(*it)) {
            let hash = block[place].0;
            let (value, next) = (piece(hash, at), piece(hash, following));
            for candidate in table.bucket(value).iter().filter(|it| it.value == value) {
                let position = usize::from(candidate.position);
                let other = self.hashes[position];
                let differ = u32::from(value ^ piece(other, at))
                    | u32::from(next ^ piece(other, following)) << BITS;
                if differ.count_ones() <= two {
                    near.extend(self.compare(hash, position).map(|it| (place, it)));
                }
            }
        }
    }

    fn compare(&self, hash: ImageHash, position: usize) -> Option<NearHash> {
        let distance = self.hashes[position].distance(hash);
        (distance <= self.radius).then_some(NearHash { distance, position })
    }
}

impl Table {
    /// Builds the table by counting sort.
    fn of(hashes: &[ImageHash], at: usize, flips: &[u16]) -> Self {
        let (mut marked, mut starts) = (vec![0_u64; VALUES / 64], vec![0_u32; BUCKETS + 1]);
        for hash in hashes {
            for flip in flips {
                let value = piece(*hash, at) ^ flip;
                starts[bucket(value) + 1] += 1;
                marked[usize::from(value >> 6)] |= 1 << (value & 63);
            }
        }
        for bucket in 0..BUCKETS {
            starts[bucket + 1] += starts[bucket];
        }
        let mut places = starts.clone();
        let mut candidates = vec![Candidate::default(); hashes.len() * flips.len()];
        for (position, hash) in (0..=u16::MAX).zip(hashes) {
            for flip in flips {
                let value = piece(*hash, at) ^ flip;
                let place = &mut places[bucket(value)];
                candidates[*place as usize] = Candidate { value, position };
                *place += 1;
            }
        }
        Self { marked, starts, candidates }
    }

    #[inline]
    fn is_marked(&self, value: u16) -> bool {
        self.marked[usize::from(value >> 6)] >> (value & 63) & 1 == 1
    }

    fn bucket(&self, value: u16) -> &[Candidate] {
        let bucket = bucket(value);
        &self.candidates[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

fn bucket(value: u16) -> usize {
    usize::from(value) >> BUCKET_BITS
}

#[expect(clippy::cast_possible_truncation, reason = "16 bits of 64 are what is wanted")]
#[inline]
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

    fn naive(query: &[ImageHash], radius: u32, hash: ImageHash) -> Option<NearHash> {
        let near = query
            .iter()
            .enumerate()
            .map(|(position, it)| NearHash { distance: it.distance(hash), position });
        near.filter(|it| it.distance <= radius).min()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn everything_near_is_found_and_nothing_else(
            stored in vec(hashes(), 1..200),
            query in vec(hashes(), 1..20),
            radius in 0..90_u32,
        ) {
            let mut list = HashList::default();
            stored.iter().enumerate().for_each(|(key, hash)| list.push(key, *hash));
            let found = list.find(&HashQuery::new(query.clone(), radius));
            let near = stored.iter().enumerate();
            let expected: Vec<_> =
                near.filter_map(|(key, it)| Some((key, naive(&query, radius, *it)?))).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_list_grows_and_shrinks_by_chunks() {
        let mut list = HashList::default();
        let count = 3 * CHUNK + 5;
        (0..count).for_each(|key| list.push(key, ImageHash::default()));
        assert_eq!((list.len(), list.chunks.len()), (count, 4));
        assert!(list.chunks.iter().all(|it| it.capacity() == CHUNK));
        list.retain(|key| (CHUNK..3 * CHUNK).contains(&key));
        assert_eq!((list.len(), list.chunks.len(), list.is_empty()), (2 * CHUNK, 3, false));
        list.push(0, ImageHash::default());
        assert_eq!((list.len(), list.chunks.len()), (2 * CHUNK + 1, 3));
        let found = list.find(&HashQuery::new(vec![ImageHash::default()], 0));
        assert!(found.iter().map(|(key, _)| *key).eq((CHUNK..3 * CHUNK).chain([0])));
        assert_eq!(HashList::<[u8; 16]>::ENTRY, 48);
    }
}
