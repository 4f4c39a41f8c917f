//! Large numbers of references, made of parts of real ones as they are stored.
//!
//! Each is a collage of seven regions of different real references, shifted and turned by quarters.
//! About a tenth of the bits of every description are changed, so that no two are the same. So
//! features are as common as in real pictures, and lie in the same local arrangements.

use grantor_recognition::{Described, Entry, Reference, entries_from_bytes, entries_to_bytes};

use super::random::Random;
use crate::measure::Outcome;

/// The regions of a reference, and the most features of each.
const REGIONS: usize = 7;
const PER_REGION: usize = 34;
/// The layout of stored features: a version and the size, the brightness of cells, and each feature
/// with its position in steps of an eighth of a pixel.
const SIZE: usize = 5;
const CELLS: usize = 32;
const HEAD: usize = SIZE + CELLS * CELLS;
const EACH: usize = 37;
const STEPS: u32 = 8;
/// The side of a region and of a reference in these steps.
const REGION: u32 = 2_000;
const SIDE: u32 = 4_095;
/// The side of a cell of a generated reference in these steps.
const CELL: u32 = (SIDE + 1) / 32;
/// Where the direction is in an entry, and the bits of its signature.
const TURN: u32 = 41;
const SIGNATURE: u64 = (1 << 36) - 1;
/// The most entries of a reference.
const ENTRIES: usize = grantor_recognition::MOST_ENTRIES;

/// A real reference as bytes.
pub(crate) struct Source {
    name: String,
    features: Vec<u8>,
    entries: Vec<u8>,
}

impl Source {
    pub(crate) fn new(name: String, described: &Described) -> Self {
        let features = described.reference.to_bytes();
        Self { name, features, entries: entries_to_bytes(&described.entries) }
    }
}

/// A generated reference as bytes.
struct Made {
    shades: Vec<u8>,
    features: Vec<u8>,
    more: Vec<u8>,
    entries: Vec<u8>,
    sources: Vec<String>,
}

/// The names of the pictures that the generated reference with this number has parts of.
pub(crate) fn names(sources: &[Source], number: u64) -> String {
    made(sources, number).sources.join(", ")
}

/// The entries of the generated reference with this number.
pub(crate) fn entries(sources: &[Source], number: u64) -> Outcome<Vec<Entry>> {
    entries_from_bytes(&made(sources, number).entries).ok_or_else(|| "wrong entries".into())
}

/// The features of the generated reference with this number.
pub(crate) fn features(sources: &[Source], number: u64) -> Outcome<Reference> {
    let Made { shades, features, more, .. } = made(sources, number);
    let head = [grantor_recognition::VERSION, 0, 2, 0, 2].into_iter();
    let bytes: Vec<u8> = head.chain(shades).chain(features).chain(more).collect();
    Reference::from_bytes(&bytes).ok_or_else(|| "wrong features".into())
}

fn made(sources: &[Source], number: u64) -> Made {
    let mut random = Random(number.wrapping_mul(0x1234_5678_9abc_def1) + 1);
    let mut made = Made {
        shades: vec![128; CELLS * CELLS],
        features: Vec::new(),
        more: Vec::new(),
        entries: Vec::new(),
        sources: Vec::new(),
    };
    for _ in 0..REGIONS {
        let source = &sources[random.below(sources.len())];
        made.sources.push(source.name.clone());
        region(&mut made, source, &mut random);
    }
    made
}

/// Adds a region of a source.
fn region(made: &mut Made, source: &Source, random: &mut Random) {
    let from = [0; 2].map(|_: u32| random.between(0, SIDE - REGION / 2));
    let to = [0; 2].map(|_: u32| random.between(0, SIDE - REGION));
    let turn = random.between(0, 4);
    shade(&mut made.shades, source, (from, to, turn));
    let (features, _) = source.features[HEAD..].as_chunks::<EACH>();
    let (entries, _) = source.entries.as_chunks::<8>();
    let mut left = PER_REGION.min(ENTRIES - made.entries.len() / 8);
    for (at, (feature, entry)) in features.iter().zip(entries).enumerate() {
        let [low, middle, high, ..] = *feature;
        let place = u32::from_le_bytes([low, middle, high, 0]);
        let [x, y] = [place >> 12, place & 0xfff];
        let inside = |at: u32, from: u32| at.checked_sub(from).filter(|it| *it < REGION);
        let (Some(x), Some(y)) = (inside(x, from[0]), inside(y, from[1])) else { continue };
        if left == 0 {
            return;
        }
        left -= 1;
        let changed = [0; 4].map(|_: u64| few_bits(random));
        let turned = match turn {
            0 => [x, y],
            1 => [REGION - y, x],
            2 => [REGION - x, REGION - y],
            _ => [y, REGION - x],
        };
        let place = (turned[0] + to[0]) << 12 | (turned[1] + to[1]);
        made.features.extend(altered(feature, place, turn, changed));
        // One that is not in the index, if there is one.
        if let Some(other) = features.get(at + ENTRIES) {
            made.more.extend(altered(other, place ^ 0x10_010, turn, changed));
        }
        let entry = u64::from_le_bytes(*entry);
        let direction = ((entry >> TURN) + u64::from(turn) * 8) & 31;
        let entry = entry & !(31 << TURN) | direction << TURN;
        made.entries.extend((entry ^ changed[0] & SIGNATURE).to_le_bytes());
    }
}

/// Gives the cells of a region the brightness that they have in a source.
fn shade(shades: &mut [u8], source: &Source, (from, to, turn): ([u32; 2], [u32; 2], u32)) {
    let side = |at: usize| {
        let side = u16::from_le_bytes([source.features[at], source.features[at + 1]]);
        u32::from(side).max(1) * STEPS
    };
    let (width, height) = (side(1), side(3));
    let (_, stored) = source.features.split_at(SIZE);
    for (row, line) in (0..).zip(shades.chunks_exact_mut(CELLS)) {
        for (column, value) in (0..).zip(line) {
            let inside = |cell: u32, to: u32| {
                (cell * CELL + CELL / 2).checked_sub(to).filter(|it| *it < REGION)
            };
            let (Some(x), Some(y)) = (inside(column, to[0]), inside(row, to[1])) else { continue };
            // Back from where it is turned to.
            let [x, y] = match turn {
                0 => [x, y],
                1 => [y, REGION - x],
                2 => [REGION - x, REGION - y],
                _ => [REGION - y, x],
            };
            let (x, y) = (x + from[0], y + from[1]);
            if x < width && y < height {
                *value = stored[(y * 32 / height * 32 + x * 32 / width) as usize];
            }
        }
    }
}

/// A feature at another place, turned by quarters, with other bits.
fn altered(feature: &[u8; EACH], place: u32, turn: u32, changed: [u64; 4]) -> [u8; EACH] {
    let mut altered = *feature;
    altered[..3].copy_from_slice(&place.to_le_bytes()[..3]);
    altered[4] = altered[4].wrapping_add(64 * turn.to_le_bytes()[0]);
    let bits = changed.iter().flat_map(|it| it.to_le_bytes());
    for (byte, change) in altered[5..].iter_mut().zip(bits) {
        *byte ^= change;
    }
    altered
}

/// About a tenth of the bits.
fn few_bits(random: &mut Random) -> u64 {
    random.next() & random.next() & random.next() & (random.next() | random.next())
}
