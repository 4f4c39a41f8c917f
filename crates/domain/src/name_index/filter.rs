//! A filter that quickly rules out most words as the start of a name.

/// A set with false positives (a Bloom filter). It fits into a CPU cache, unlike the tables of a
/// million names.
#[derive(Default)]
pub(super) struct Filter {
    bits: Vec<u64>,
    /// The number of additions since the last rebuild, including the entries at that time.
    added: usize,
}

/// Bits per entry, which determines the rate of false positives.
const BITS_EACH: usize = 16;

impl Filter {
    /// Adds a hash. `all` are all hashes in the set: when the filter is full, it is rebuilt from
    /// them.
    pub(super) fn add(&mut self, hash: u64, all: impl ExactSizeIterator<Item = u64>) {
        if (self.added + 1) * BITS_EACH > self.bits.len() * 64 {
            let size = (all.len() * BITS_EACH * 2 / 64).next_power_of_two().max(64);
            self.bits = vec![0; size];
            self.added = all.len();
            all.for_each(|it| self.put(it));
        } else if !self.may_hold(hash) {
            self.added += 1;
        }
        self.put(hash);
    }

    #[inline]
    pub(super) fn may_hold(&self, hash: u64) -> bool {
        self.bits.get(self.place(hash)).is_some_and(|it| it >> (hash >> 58) & 1 == 1)
    }

    pub(super) fn memory(&self) -> usize {
        self.bits.capacity() * size_of::<u64>()
    }

    fn put(&mut self, hash: u64) {
        let place = self.place(hash);
        self.bits[place] |= 1 << (hash >> 58);
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 20) as usize & self.bits.len().wrapping_sub(1)
    }
}
