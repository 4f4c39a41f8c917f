//! Deterministic randomness, so that a failed test fails again.

use std::sync::atomic::{AtomicU64, Ordering};

use grantor_domain::Entropy;

/// A counter passed through a mixing function: distinct, evenly distributed, always the same.
#[derive(Debug, Default)]
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// Creates a source that starts at this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let mut value = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            value ^= value >> 31;
            chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
        }
    }
}
