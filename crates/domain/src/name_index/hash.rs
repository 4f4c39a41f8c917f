//! Hashes of words. Two different words collide with a probability of 2^-64.

use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher, RandomState};
use std::sync::LazyLock;

/// Random per process, so that nobody can craft names with equal hashes.
static SECRETS: LazyLock<[u64; 2]> = LazyLock::new(|| {
    let state = RandomState::new();
    [state.hash_one(0), state.hash_one(1) | 1]
});

/// Hashes sequences of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixer {
    seed: u64,
    factor: u64,
}

impl Mixer {
    pub(super) fn new() -> Self {
        let [seed, factor] = *SECRETS;
        Self { seed, factor }
    }

    /// The same in every process, for keys that are stored.
    pub(super) const fn stable() -> Self {
        Self { seed: 0x243F_6A88_85A3_08D3, factor: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Combines a hash with the next value.
    #[expect(clippy::cast_possible_truncation, reason = "both halves of the product are used")]
    #[inline]
    pub(super) fn mix(self, hash: u64, more: u64) -> u64 {
        let product = u128::from(hash ^ more) * u128::from(self.factor);
        product as u64 ^ (product >> 64) as u64
    }
}

/// Hashes the letters of a word, eight bytes at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordHash {
    mixer: Mixer,
    hash: u64,
    block: u64,
    filled: u32,
}

impl WordHash {
    pub(super) fn new(mixer: Mixer) -> Self {
        Self { mixer, hash: mixer.seed, block: 0, filled: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.block = self.block << 8 | u64::from(byte);
        self.filled += 1;
        if self.filled == 8 {
            self.hash = self.mixer.mix(self.hash, self.block);
            (self.block, self.filled) = (0, 0);
        }
    }

    pub(super) fn push_char(&mut self, letter: char) {
        letter.encode_utf8(&mut [0; 4]).bytes().for_each(|it| self.push(it));
    }

    /// Returns the hash of the word and resets the state.
    #[inline]
    pub(super) fn finish(&mut self) -> u64 {
        let hash = self.mixer.mix(self.hash, self.block);
        *self = Self::new(self.mixer);
        hash
    }
}

/// For tables whose keys are already hashes.
pub(super) type Hashed = BuildHasherDefault<AsItIs>;

#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
