//! Reference images: their features, as they are stored.

use std::f32::consts::TAU;

use crate::bits::Bits;
use crate::describe::Histogram;
use crate::entry::Entry;
use crate::feature::{Feature, Place, find};
use crate::number::{byte, real, whole};
use crate::shade::{CELLS, Shades};
use crate::vocabulary::Vocabulary;

/// The most features of a reference.
pub const MOST_FEATURES: usize = 400;
/// The most features of a reference in the index.
pub const MOST_ENTRIES: usize = 200;
/// A picture with fewer features is too plain to be known again.
pub const LEAST_FEATURES: usize = 60;

/// The version of the format and of everything that features depend on. Features of another version
/// cannot be compared.
pub const VERSION: u8 = 2;
/// Bytes before the brightness, and per feature.
const HEAD: usize = 5;
const EACH: usize = 37;
/// Steps of a stored coordinate per pixel.
const STEPS: f32 = 8.0;
/// Steps of a stored size per doubling.
const SIZE_STEPS: f32 = 24.0;

/// The features of a reference image, and what it looks like from afar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) shades: Shades,
    pub(crate) features: Vec<Feature>,
}

/// A reference image as it is stored: its features, and what the index knows of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Described {
    /// The features.
    pub reference: Reference,
    /// The entries for the index.
    pub entries: Vec<Entry>,
}

impl Described {
    /// Describes a picture by its brightness values, in rows from the top. A picture whose size does
    /// not fit has no features.
    #[must_use]
    pub fn of(pixels: &[u8], width: usize, height: usize) -> Self {
        let found = find(pixels, width, height, MOST_FEATURES);
        let vocabulary = Vocabulary::trained();
        let features = found.features();
        let entry = |((place, histogram), (_, projected)): (&(Place, Histogram), &(_, _))| {
            let word = vocabulary.words(histogram)[0];
            Entry::new(word, place, vocabulary.signature(projected, word))
        };
        let entries = found.places.iter().zip(&features).take(MOST_ENTRIES).map(entry).collect();
        let features = features.into_iter().map(|(feature, _)| feature).collect();
        let shades = Shades::of_reference(&found.picture);
        let reference = Reference { width: found.width, height: found.height, shades, features };
        Self { reference, entries }
    }
}

impl Reference {
    /// Whether there is too little in the picture to know a copy of a part of it again.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.features.len() < LEAST_FEATURES
    }

    /// The number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Whether there is no feature.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// The features as bytes, at most 16 KB.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + CELLS + self.features.len() * EACH);
        bytes.push(VERSION);
        bytes.extend(self.width.to_le_bytes());
        bytes.extend(self.height.to_le_bytes());
        bytes.extend(self.shades.to_bytes());
        for Feature { place, bits } in &self.features {
            let [x, y] = [place.x, place.y].map(|it| whole(it * STEPS).min(0xfff));
            let position = u32::try_from(x << 12 | y).unwrap_or(0).to_le_bytes();
            bytes.extend_from_slice(&position[..3]);
            bytes.push(byte(place.size.max(1.0).log2() * SIZE_STEPS));
            bytes.push(
                u8::try_from(whole(place.turn.rem_euclid(TAU) / TAU * 256.0) % 256).unwrap_or(0),
            );
            bytes.extend(bits.0.iter().flat_map(|it| it.to_le_bytes()));
        }
        bytes
    }

    /// Reads features; `None` if they are damaged or of another version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let [VERSION, first, second, third, fourth] = *head else { return None };
        let (shades, rest) = rest.split_first_chunk::<CELLS>()?;
        let (chunks, left) = rest.as_chunks::<EACH>();
        if !left.is_empty() || chunks.len() > MOST_FEATURES {
            return None;
        }
        Some(Self {
            width: u16::from_le_bytes([first, second]),
            height: u16::from_le_bytes([third, fourth]),
            shades: Shades::read(shades),
            features: chunks.iter().map(read).collect(),
        })
    }
}

fn read(bytes: &[u8; EACH]) -> Feature {
    let [low, middle, high, size, turn, ..] = *bytes;
    let position = usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16;
    let (words, _) = bytes[5..].as_chunks::<8>();
    let bits = std::array::from_fn(|at| words.get(at).map_or(0, |it| u64::from_le_bytes(*it)));
    let place = Place {
        x: real(position >> 12) / STEPS,
        y: real(position & 0xfff) / STEPS,
        size: (f32::from(size) / SIZE_STEPS).exp2(),
        turn: f32::from(turn) / 256.0 * TAU,
    };
    Feature { place, bits: Bits(bits) }
}

/// Entries as bytes, 8 each.
#[must_use]
pub fn entries_to_bytes(entries: &[Entry]) -> Vec<u8> {
    entries.iter().flat_map(|it| it.0.to_le_bytes()).collect()
}

/// Reads entries; `None` if they are damaged.
#[must_use]
pub fn entries_from_bytes(bytes: &[u8]) -> Option<Vec<Entry>> {
    let (words, rest) = bytes.as_chunks::<8>();
    let fits = rest.is_empty() && words.len() <= MOST_ENTRIES;
    fits.then(|| words.iter().map(|it| Entry(u64::from_le_bytes(*it))).collect())
}
