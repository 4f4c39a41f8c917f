//! Says quickly of most words that no name begins with them.

/// A set that may hold more than was put in. It fits a processor's cache, as the tables of a
/// million names do not.
#[derive(Default)]
pub(super) struct Filter {
    bits: Vec<u64>,
    /// How many were added since it was written anew, those that were there before included.
    added: usize,
}

/// One word in so many is taken for one that is in.
const BITS_EACH: usize = 16;

impl Filter {
    /// Puts a hash in. `all` are those that are to be in: when it is full, it grows and takes them.
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
