//! PDQ, the perceptual hash published by Meta: an image is scaled down to 64 × 64 pixels, and each
//! bit tells whether one of the 16 × 16 lowest frequencies (without the mean) is above the median.
//! Implemented here because the existing crates are unmaintained and do not compute orientations.
//! This implementation scales differently: PDQ blurs by whole pixels, which shifts images of some
//! sizes relative to others, so that resized copies were not recognized.

use std::array::from_fn;
use std::ops::Range;
use std::str::FromStr;

use super::frequency::{WAVES, Waves, quality, shrink, transform};
use super::uncrop::guesses;
use super::{Luma, MIN_QUALITY};
use crate::hex;

/// A perceptual hash of 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageHash(pub [u64; 4]);

impl ImageHash {
    /// The number of bits in which two hashes differ.
    #[must_use]
    pub fn distance(self, other: Self) -> u32 {
        let differ = |at: usize| (self.0[at] ^ other.0[at]).count_ones();
        differ(0) + differ(1) + differ(2) + differ(3)
    }

    /// The hash as bytes, last word first, as PDQ writes it.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (place, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(self.0.iter().rev()) {
            *place = word.to_be_bytes();
        }
        bytes
    }

    /// Reads a hash from 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: &[[u8; 8]; 4] = words.try_into().ok().filter(|_| rest.is_empty())?;
        Some(Self(from_fn(|at| u64::from_be_bytes(words[3 - at]))))
    }

    fn of(waves: &Waves) -> Self {
        let values = waves.as_flattened();
        let mut sorted: [f32; WAVES * WAVES] = from_fn(|at| values[at]);
        sorted.sort_unstable_by(f32::total_cmp);
        let median = sorted[WAVES * WAVES / 2 - 1];
        let bit = |at: usize| u64::from(values[at] > median) << (at % 64);
        Self(from_fn(|word| (0..64).fold(0, |bits, at| bits | bit(word * 64 + at))))
    }
}

impl std::fmt::Display for ImageHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(&self.to_bytes()))
    }
}

impl FromStr for ImageHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = hex::decode(text).and_then(|it| Self::from_bytes(&it));
        bytes.ok_or("must be 64 hexadecimal digits")
    }
}

/// The hash of an image, and its quality from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashed {
    /// The hash.
    pub hash: ImageHash,
    /// How much detail the image has.
    pub quality: u8,
}

/// The hashes of an image from an unknown origin, which may be a rotated, mirrored, framed or
/// cropped copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantHashes {
    /// The hash of the image as is and in the seven other orientations, then the same for the part
    /// inside a border, if there is one, then those of possible uncropped originals.
    pub hashes: Vec<ImageHash>,
    /// How much detail the image has.
    pub quality: u8,
    /// The part inside a border, if it was hashed too.
    pub inside: Option<Region>,
}

impl VariantHashes {
    /// The number of orientations that are hashed.
    const ORIENTATIONS: usize = 8;

    /// The part of the image that the hash at this position stands for; `None` for the whole image.
    #[must_use]
    pub fn region(&self, position: usize) -> Option<Region> {
        let inside = Self::ORIENTATIONS..2 * Self::ORIENTATIONS;
        self.inside.filter(|_| inside.contains(&position))
    }
}

/// A part of an image, in thousandths of its width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The left edge.
    pub x: u16,
    /// The top edge.
    pub y: u16,
    /// The width.
    pub width: u16,
    /// The height.
    pub height: u16,
}

impl Region {
    fn of(luma: &Luma<'_>, columns: &Range<usize>, rows: &Range<usize>) -> Self {
        let share = |part: usize, whole: usize| {
            u16::try_from((part * 1_000 + whole / 2) / whole.max(1)).unwrap_or(1_000)
        };
        Self {
            x: share(columns.start, luma.width()),
            y: share(rows.start, luma.height()),
            width: share(columns.len(), luma.width()),
            height: share(rows.len(), luma.height()),
        }
    }
}

/// Hashes an image as is.
#[must_use]
pub fn hash(luma: Luma<'_>) -> Hashed {
    let small = shrink(luma);
    Hashed { hash: ImageHash::of(&transform(&small)), quality: quality(luma, &small) }
}

/// Computes every hash by which a modified copy of an image may be recognized.
#[must_use]
pub fn variant_hashes(luma: Luma<'_>) -> VariantHashes {
    let mut found = orientations(luma);
    if let Some((columns, rows)) = luma.inside_border()
        && let Some(part) = luma.part(columns.clone(), rows.clone())
    {
        let inside = orientations(part);
        if inside.quality >= MIN_QUALITY {
            found.hashes.extend(inside.hashes);
            found.quality = found.quality.max(inside.quality);
            found.inside = Some(Region::of(&luma, &columns, &rows));
        }
    }
    if found.quality >= MIN_QUALITY {
        found.hashes.extend(guesses(luma));
    }
    found
}

/// The hashes of an image in all orientations, computed from the frequencies: mirroring changes the
/// sign of every second one, transposing swaps the two directions.
#[must_use]
pub fn orientations(luma: Luma<'_>) -> VariantHashes {
    let small = shrink(luma);
    let waves = transform(&small);
    let turned = |which: usize| {
        let (swap, down, across) = (which & 4 != 0, which & 2 != 0, which & 1 != 0);
        ImageHash::of(&from_fn(|i| {
            from_fn(|j| {
                let value = if swap { waves[j][i] } else { waves[i][j] };
                // Index 0 is the first frequency, which is odd.
                let turned = (down && i % 2 == 0) != (across && j % 2 == 0);
                if turned { -value } else { value }
            })
        }))
    };
    let hashes = (0..VariantHashes::ORIENTATIONS).map(turned).collect();
    VariantHashes { hashes, quality: quality(luma, &small), inside: None }
}

#[cfg(test)]
mod tests {
    use super::super::frequency::percent;
    use super::*;

    /// Squares in many shades.
    fn squares(width: u32, height: u32) -> Vec<u8> {
        let shade = |x: u32, y: u32| ((x / 20 * 37) ^ (y / 20 * 91)).to_le_bytes()[0];
        (0..height).flat_map(|y| (0..width).map(move |x| shade(x, y))).collect()
    }

    fn turn(pixels: &[u8], width: usize, height: usize) -> Vec<u8> {
        let columns = (0..width).map(|x| (0..height).rev().map(move |y| pixels[y * width + x]));
        columns.flatten().collect()
    }

    fn mirror(pixels: &[u8], width: usize) -> Vec<u8> {
        pixels.chunks(width).flat_map(|row| row.iter().rev().copied()).collect()
    }

    /// Hashes are stored: a changed algorithm needs a way to distinguish old hashes from new ones.
    #[test]
    fn a_hash_stays_what_it_is() {
        let hashed = hash(Luma::new(&squares(300, 200), 300, 200).unwrap());
        assert_eq!(
            hashed.hash.to_string(),
            "99af8badc8ef72506452c45affff3ba59bad8daf371074526650607055026550"
        );
        assert_eq!(hashed.quality, 100);
    }

    /// The same picture in any size: soft shapes of a few dozen pixels.
    fn scene(width: u16, height: u16) -> Vec<u8> {
        let shade = |x: f32, y: f32| {
            let waves = (9.0 * x + 17.0 * y * y).sin() + (31.0 * x * y).cos() + (23.0 * y).sin();
            percent((waves + (13.0 * (x - y)).cos()).mul_add(12.0, 50.0)) * 2
        };
        let place = |at: u16, side: u16| (f32::from(at) + 0.5) / f32::from(side);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        pixels.map(|(x, y)| shade(place(x, width), place(y, height))).collect()
    }

    #[test]
    fn a_picture_is_known_in_every_size() {
        let of = |width: u16, height: u16| {
            hash(Luma::new(&scene(width, height), width.into(), height.into()).unwrap()).hash
        };
        let whole = of(360, 450);
        for width in [90, 128, 129, 150, 180, 200, 256, 257, 300, 384, 400, 500, 512, 720] {
            let distance = of(width, width * 5 / 4).distance(whole);
            assert!(distance <= 8, "{width}: {distance}");
        }
    }

    #[test]
    fn a_turned_picture_is_among_the_orientations() {
        let (mut pixels, mut width, mut height) = (squares(900, 600), 900_u16, 600_u16);
        let luma = |pixels: &[u8], width: u16, height: u16| {
            hash(Luma::new(pixels, width.into(), height.into()).unwrap()).hash
        };
        let found = orientations(Luma::new(&pixels, 900, 600).unwrap());
        assert_eq!(found.hashes[0], luma(&pixels, width, height));
        let mut nearest = Vec::new();
        for _ in 0..4 {
            let mirrored = mirror(&pixels, width.into());
            for hash in [luma(&pixels, width, height), luma(&mirrored, width, height)] {
                let near = found.hashes.iter().enumerate().map(|(at, it)| (it.distance(hash), at));
                nearest.extend(near.min());
            }
            pixels = turn(&pixels, width.into(), height.into());
            (width, height) = (height, width);
        }
        assert!(nearest.iter().all(|(distance, _)| *distance <= 10), "{nearest:?}");
        let mut which: Vec<_> = nearest.iter().map(|(_, at)| *at).collect();
        which.sort_unstable();
        assert_eq!(which, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_framed_picture_is_known_by_what_is_inside() {
        let plain = squares(300, 200);
        let framed: Vec<u8> = (0..260 * 360)
            .map(|at| match (at % 360, at / 360) {
                (x @ 30..330, y @ 30..230) => plain[(y - 30) * 300 + x - 30],
                _ => 240,
            })
            .collect();
        let [plain, framed] =
            [(plain, 300, 200), (framed, 360, 260)].map(|(pixels, width, height)| {
                variant_hashes(Luma::new(&pixels, width, height).unwrap())
            });
        assert_eq!((plain.hashes.len(), framed.hashes.len()), (48, 56));
        assert_eq!(framed.hashes[8..16], plain.hashes[..8]);
        assert!(framed.hashes[..8].iter().all(|it| it.distance(plain.hashes[0]) > 31));
        let region = Region { x: 83, y: 115, width: 833, height: 769 };
        let regions = [7, 8, 15, 16].map(|at| framed.region(at));
        assert_eq!(regions, [None, Some(region), Some(region), None]);
        assert_eq!((plain.inside, plain.region(8)), (None, None));
    }

    #[test]
    fn what_shows_nothing_has_no_quality() {
        for (pixels, width, height) in
            [(vec![90; 10_000], 100, 100), (squares(300, 4), 300, 4), (vec![0], 1, 1)]
        {
            let luma = Luma::new(&pixels, width, height).unwrap();
            assert_eq!((hash(luma).quality, orientations(luma).quality), (0, 0));
        }
    }

    #[test]
    fn a_hash_is_read_as_it_is_written() {
        let hash = ImageHash([1, 2, 3, 0xF000_0000_0000_0004]);
        let text = "f000000000000004000000000000000300000000000000020000000000000001";
        assert_eq!((hash.to_string().as_str(), text.parse()), (text, Ok(hash)));
        for wrong in ["", "f0", &text[2..], &text.to_uppercase(), &format!("{text}00")] {
            assert!(wrong.parse::<ImageHash>().is_err());
        }
        assert_eq!((hash.distance(hash), hash.distance(ImageHash::default())), (0, 9));
    }
}
