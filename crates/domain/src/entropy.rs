//! Randomness as an argument: the server reads it from the operating system, tests use a seed.

/// A source of unpredictable bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the whole buffer.
    fn fill(&self, buffer: &mut [u8]);
}

impl dyn Entropy {
    /// Returns an array of random bytes.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}
