//! Computes how much memory the prefix codes of a lossless WebP take, without storing them.
//!
//! A few bytes describe a group of codes, whose tables take about 20 KiB in the decoder, and there
//! may be 65,536 groups: a small file could take a gigabyte, and the decoder has no limit. Names
//! follow the format's specification.

use super::limit::Size;

const CODE_LENGTH_ORDER: [usize; 19] =
    [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const LENGTH_CODES: u32 = 24;
/// Green or length, red, blue, alpha, distance.
const ALPHABETS: [u32; 5] = [256 + LENGTH_CODES, 256, 256, 256, 40];
/// What a group takes in the decoder's list, which doubles as it grows, without its tables.
const GROUP: u64 = 1024;

/// The decoder's memory in bytes for the codes of a `VP8L` chunk after its header, or of a
/// compressed alpha channel. `None` if they are damaged.
pub(super) fn codes(data: &[u8], size: Size) -> Option<u64> {
    let mut bits = Bits { data, at: 0 };
    let mut width = size.width;
    while bits.read(1)? == 1 {
        match bits.read(2)? {
            // Predictors and color transforms are small images.
            0 | 1 => drop(bits.block_image(width, size.height)?),
            2 => {}
            _ => {
                let colors = bits.read(8)? + 1;
                bits.image(colors.into())?;
                let packed = match colors {
                    0..=2 => 3,
                    3..=4 => 2,
                    5..=16 => 1,
                    _ => 0,
                };
                width = width.div_ceil(1 << packed);
            }
        }
    }
    let cache = bits.color_cache()?;
    let groups = if bits.read(1)? == 1 { bits.block_image(width, size.height)? + 1 } else { 1 };
    let mut total = 0;
    for _ in 0..groups {
        total += GROUP + bits.group(cache)?.iter().map(Code::memory).sum::<u64>();
    }
    Some(total)
}

struct Bits<'a> {
    data: &'a [u8],
    /// Bits read so far. Each byte is read from its lowest bit.
    at: usize,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        let byte = self.data.get(self.at / 8)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Some(bit.into())
    }

    fn read(&mut self, count: u32) -> Option<u32> {
        (0..count).try_fold(0, |value, at| Some(value | self.bit()? << at))
    }

    /// The number of additional symbols in the green alphabet.
    fn color_cache(&mut self) -> Option<u32> {
        if self.bit()? == 0 {
            return Some(0);
        }
        let bits = self.read(4)?;
        (1..=11).contains(&bits).then_some(1 << bits)
    }

    /// An image with one pixel per block of a larger one.
    fn block_image(&mut self, width: u32, height: u32) -> Option<u32> {
        let bits = self.read(3)? + 2;
        let side = |length: u32| u64::from(length.div_ceil(1 << bits));
        self.image(side(width) * side(height))
    }

    /// Skips a small image and returns its largest value of red and green combined, which is the
    /// highest group number. Only literals matter: copies repeat earlier pixels.
    fn image(&mut self, pixels: u64) -> Option<u32> {
        let cache = self.color_cache()?;
        let [green, red, blue, alpha, distance] = self.group(cache)?;
        let (mut largest, mut done) = (0, 0);
        while done < pixels {
            let symbol = green.next(self)?;
            if symbol < 256 {
                largest = largest.max(red.next(self)? << 8 | symbol);
                blue.next(self)?;
                alpha.next(self)?;
                done += 1;
            } else if symbol < 256 + LENGTH_CODES {
                done += u64::from(self.copy(symbol - 256)?);
                let symbol = distance.next(self)?;
                self.copy(symbol)?;
            } else {
                done += 1;
            }
        }
        Some(largest)
    }

    /// A length or distance.
    fn copy(&mut self, symbol: u32) -> Option<u32> {
        if symbol < 4 {
            return Some(symbol + 1);
        }
        let extra = (symbol - 2) >> 1;
        let offset = (2 + (symbol & 1)) << extra;
        Some(offset + self.read(extra)? + 1)
    }

    fn group(&mut self, cache: u32) -> Option<[Code; 5]> {
        let [green, red, blue, alpha, distance] = ALPHABETS;
        Some([
            self.code(green + cache)?,
            self.code(red)?,
            self.code(blue)?,
            self.code(alpha)?,
            self.code(distance)?,
        ])
    }

    fn code(&mut self, alphabet: u32) -> Option<Code> {
        if self.bit()? == 0 {
            return self.normal_code(alphabet);
        }
        let two = self.bit()? == 1;
        let bits = if self.bit()? == 1 { 8 } else { 1 };
        let first = self.read(bits)?;
        if !two {
            return (first < alphabet).then_some(Code::Single(first));
        }
        let second = self.read(8)?;
        if first.max(second) >= alphabet {
            return None;
        }
        let mut counts = [0; 16];
        counts[1] = 2;
        Some(Code::Many { counts, symbols: vec![first, second] })
    }

    fn normal_code(&mut self, alphabet: u32) -> Option<Code> {
        let mut lengths = [0; 19];
        let count = 4 + self.read(4)? as usize;
        for at in CODE_LENGTH_ORDER.iter().take(count) {
            lengths[*at] = self.read(3)?;
        }
        let code = Code::of(&lengths)?;
        let mut left = if self.bit()? == 1 {
            let bits = 2 + 2 * self.read(3)?;
            2 + self.read(bits)?
        } else {
            alphabet
        };
        let (mut lengths, mut previous) = (Vec::new(), 8);
        while lengths.len() < alphabet as usize && left > 0 {
            left -= 1;
            let (length, repeat) = match code.next(self)? {
                16 => (previous, 3 + self.read(2)?),
                17 => (0, 3 + self.read(3)?),
                18 => (0, 11 + self.read(7)?),
                length => (length, 1),
            };
            if length != 0 {
                previous = length;
            }
            lengths.extend(std::iter::repeat_n(length, repeat as usize));
        }
        if lengths.len() > alphabet as usize { None } else { Code::of(&lengths) }
    }
}

/// A prefix code.
enum Code {
    /// One symbol, encoded by no bits.
    Single(u32),
    /// The number of symbols of each length, and the symbols by length.
    Many { counts: [u32; 16], symbols: Vec<u32> },
}

impl Code {
    /// `None` unless every bit sequence encodes exactly one symbol.
    fn of(lengths: &[u32]) -> Option<Self> {
        let mut counts = [0; 16];
        let mut symbols = Vec::new();
        for length in 1..=15 {
            let of_length = lengths.iter().zip(0_u32..).filter(|(it, _)| **it == length);
            let before = symbols.len();
            symbols.extend(of_length.map(|(_, symbol)| symbol));
            counts[length as usize] = u32::try_from(symbols.len() - before).ok()?;
        }
        match *symbols.as_slice() {
            [] => None,
            [only] => Some(Self::Single(only)),
            _ => {
                let share = |(count, length): (&u32, u32)| count << (15 - length);
                let total: u32 = counts.iter().zip(0..).map(share).sum();
                (total == 1 << 15).then_some(Self::Many { counts, symbols })
            }
        }
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<u32> {
        let Self::Many { counts, symbols } = self else {
            return if let Self::Single(only) = self { Some(*only) } else { None };
        };
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &counts[1..] {
            code = code << 1 | bits.bit()?;
            first <<= 1;
            if code < first + count {
                return symbols.get((index + code - first) as usize).copied();
            }
            index += count;
            first += count;
        }
        None
    }

    /// A table for codes of up to ten bits, and a tree for longer ones.
    fn memory(&self) -> u64 {
        let Self::Many { counts, .. } = self else { return 0 };
        let longest = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        let longer: u32 = counts.iter().skip(11).sum();
        (4_u64 << longest.min(10)) + 64 * u64::from(longer) + 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InvalidImage;
    use crate::tests::{riff, riff_chunk};

    /// Writes bits, starting with the lowest of each byte.
    #[derive(Default)]
    struct Writer(Vec<bool>);

    impl Writer {
        fn put(&mut self, value: u32, count: u32) {
            self.0.extend((0..count).map(|at| value >> at & 1 == 1));
        }

        fn bytes(&self) -> Vec<u8> {
            let byte =
                |bits: &[bool]| bits.iter().rev().fold(0, |it, bit| it << 1 | u8::from(*bit));
            self.0.chunks(8).map(byte).collect()
        }

        /// A code of one symbol.
        fn single(&mut self, symbol: u32) {
            self.put(0b101, 3);
            self.put(symbol, 8);
        }

        /// Eleven symbols of one to ten bits: the shortest encoding of the largest table.
        fn large(&mut self) {
            self.put(0, 1);
            self.put(15 - 4, 4);
            for at in CODE_LENGTH_ORDER.iter().take(15) {
                // Ten codes of four bits; the two shorter ones take the space of the other six.
                let length = match at {
                    0 => 2,
                    17 => 3,
                    1..=10 => 4,
                    _ => 0,
                };
                self.put(length, 3);
            }
            self.put(1, 1);
            self.put(1, 3);
            self.put(11 - 2, 4);
            for length in (1..=10).chain([10]) {
                // Ordered by code length, then by symbol: 0, 17, then 1 to 10.
                let code: u32 = 0b0110 + length - 1;
                self.put(code.reverse_bits() >> 28, 4);
            }
        }
    }

    /// An image of 64 by 64 pixels with this many groups.
    fn bomb(groups: u32) -> Vec<u8> {
        let mut bits = Writer::default();
        bits.put(63, 14);
        bits.put(63, 14);
        // No alpha, version 0, no transform, no cache, groups in blocks of four.
        bits.put(0, 1 + 3 + 1 + 1);
        bits.put(1, 1);
        bits.put(0, 3);
        bits.put(0, 1);
        let last = groups - 1;
        bits.single(last & 255);
        bits.single(last >> 8);
        (0..3).for_each(|_| bits.single(0));
        for _ in 0..groups {
            (0..5).for_each(|_| bits.large());
        }
        riff(&[riff_chunk("VP8L", &[vec![0x2f], bits.bytes()].concat())])
    }

    #[test]
    fn a_thousand_groups_are_counted_and_65536_refused() {
        let few = bomb(1_000);
        let (data, size) = (&few[25..], Size { width: 64, height: 64 });
        assert_eq!(codes(data, size), Some(1_000 * (1024 + 5 * (4_096 + 64))));
        let many = bomb(65_536);
        assert!(many.len() < 5 * 1024 * 1024, "{}", many.len());
        let refused = crate::prepare(many);
        assert!(matches!(refused, Err(InvalidImage::TooMuchMemory { .. })), "{refused:?}");
    }

    #[test]
    fn what_is_cut_off_has_no_codes() {
        let whole = bomb(3);
        let size = Size { width: 64, height: 64 };
        assert!(codes(&whole[25..], size).is_some());
        assert!((25..whole.len() - 2).all(|end| codes(&whole[25..end], size).is_none()));
    }
}
