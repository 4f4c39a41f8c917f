//! A filter that rules out most keys without asking the database.

/// A set of keys with false positives (a Bloom filter) that never takes more memory than it was
/// given. Beyond that it only gets less selective.
#[derive(Debug)]
pub struct KeyFilter {
    layers: Vec<Layer>,
    /// The bytes that new layers may take.
    left: usize,
}

/// A part of the filter, twice as large as the one before it.
#[derive(Debug)]
struct Layer {
    blocks: Vec<u64>,
    /// How many more keys it takes before it is full.
    room: usize,
}

/// The number of blocks in the first layer: 64 KiB.
const FIRST: usize = 1 << 13;
/// The keys for which a block of 64 bits has room. With three bits each, 1 % of other keys pass.
const KEYS_EACH: usize = 4;

impl KeyFilter {
    /// Creates an empty filter that takes at most this many bytes, or 64 KiB if that is more.
    #[must_use]
    pub const fn new(memory: usize) -> Self {
        Self { layers: Vec::new(), left: memory }
    }

    /// Adds a key.
    pub fn add(&mut self, key: i64) {
        if self.may_hold(key) {
            return;
        }
        if self.layers.last().is_none_or(|it| it.room == 0) {
            self.grow();
        }
        if let Some(layer) = self.layers.last_mut() {
            layer.room = layer.room.saturating_sub(1);
            let (place, bits) = layer.place(key);
            layer.blocks[place] |= bits;
        }
    }

    /// Whether the key may have been added.
    #[must_use]
    pub fn may_hold(&self, key: i64) -> bool {
        self.layers.iter().any(|layer| {
            let (place, bits) = layer.place(key);
            layer.blocks[place] & bits == bits
        })
    }

    /// The memory it takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.layers.iter().map(|it| it.blocks.len() * size_of::<u64>()).sum()
    }

    /// Adds a layer if there is memory for it. Otherwise the last one takes more than it has room
    /// for.
    fn grow(&mut self) {
        let blocks = FIRST << self.layers.len();
        let bytes = blocks * size_of::<u64>();
        if bytes <= self.left || self.layers.is_empty() {
            self.left = self.left.saturating_sub(bytes);
            self.layers.push(Layer { blocks: vec![0; blocks], room: blocks * KEYS_EACH });
        }
    }
}

impl Layer {
    /// The block of a key, and its bits there.
    fn place(&self, key: i64) -> (usize, u64) {
        // Keys are hashes already, but those of one-letter words differ in few bits.
        let mixed = key.cast_unsigned().wrapping_mul(0x9FB2_1C65_1E98_DF25);
        let mixed = mixed ^ (mixed >> 32);
        let bits = 1 << (mixed >> 58) | 1 << (mixed >> 52 & 63) | 1 << (mixed >> 46 & 63);
        ((mixed >> 8) as usize & (self.blocks.len() - 1), bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name_index::NameKey;

    fn key(number: u32) -> i64 {
        NameKey::of(&format!("Person Number{number}")).unwrap().whole
    }

    fn filled(memory: usize, count: u32) -> KeyFilter {
        let mut filter = KeyFilter::new(memory);
        (0..count).for_each(|it| filter.add(key(it)));
        filter
    }

    fn false_positives(filter: &KeyFilter) -> usize {
        (1_000_000..1_010_000).filter(|it| filter.may_hold(key(*it))).count()
    }

    #[test]
    fn what_was_added_passes_and_little_else() {
        let filter = filled(1 << 20, 100_000);
        assert!((0..100_000).all(|it| filter.may_hold(key(it))));
        let passed = false_positives(&filter);
        assert!(passed < 500, "{passed} of 10,000 pass");
    }

    #[test]
    fn it_takes_no_more_memory_than_it_was_given() {
        for memory in [0, 1 << 16, 200_000, 1 << 20] {
            let filter = filled(memory, 200_000);
            assert!(filter.memory() <= memory.max(1 << 16), "{memory}: {}", filter.memory());
            assert!((0..200_000).all(|it| filter.may_hold(key(it))), "{memory}");
        }
        let full = filled(0, 200_000);
        assert!(false_positives(&full) > 1_000, "less selective, as is said");
    }
}
