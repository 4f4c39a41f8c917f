//! Random numbers with a fixed seed, so that every run is the same.

use image::Rgb;

/// A generator of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// At least the first, below the second.
    pub(crate) fn between(&mut self, least: u32, below: u32) -> u32 {
        let range = u64::from(below.saturating_sub(least).max(1));
        least + u32::try_from(((self.next() >> 32) * range) >> 32).unwrap_or(0)
    }

    /// Below a length.
    pub(crate) fn below(&mut self, length: usize) -> usize {
        usize::try_from(self.next() >> 1).unwrap_or(0) % length.max(1)
    }

    /// From 0 to 1.
    pub(crate) fn part(&mut self) -> f32 {
        super::number::real(u32::try_from(self.next() >> 40).unwrap_or(0)) / 16_777_216.0
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    pub(crate) fn color(&mut self) -> Rgb<u8> {
        match self.between(0, 4) {
            0 => Rgb([255; 3]),
            1 => Rgb([0; 3]),
            _ => Rgb([0; 3].map(|_: u8| self.byte())),
        }
    }

    /// Words of random letters.
    pub(crate) fn words(&mut self, count: u32) -> String {
        let mut text = String::new();
        for _ in 0..count {
            for _ in 0..self.between(2, 9) {
                text.push(char::from(b'A' + self.byte() % 26));
            }
            text.push(' ');
        }
        text
    }
}
