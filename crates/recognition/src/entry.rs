//! What the index knows of a feature, in 64 bits: its word, its direction and size, and a signature
//! that tells how it differs from other features with this word.

use std::f32::consts::TAU;

use crate::feature::Place;
use crate::number::{real, whole};
use crate::vocabulary::Word;

/// Bits of the signature.
const SIGNATURE: u32 = 36;
/// Bits of the direction, and of the size.
const TURN: u32 = 5;
const SIZE: u32 = 5;
/// Steps of the size per doubling.
const SIZE_STEPS: f32 = 4.0;

/// A feature in the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry(pub(crate) u64);

impl Entry {
    /// The bits of what is compared: everything but the word.
    pub(crate) const REST: u32 = SIGNATURE + TURN + SIZE;

    pub(crate) fn new(word: Word, place: &Place, signature: u64) -> Self {
        let word = u64::try_from(word.number()).unwrap_or(0);
        Self(word << Self::REST | geometry(place) | signature)
    }

    pub(crate) fn word(self) -> usize {
        usize::try_from(self.0 >> Self::REST).unwrap_or(0)
    }
}

/// The direction and size of a place, where an entry has them.
pub(crate) fn geometry(place: &Place) -> u64 {
    let turn = place.turn.rem_euclid(TAU) / TAU * real(1 << TURN);
    let turn = whole(turn) % (1 << TURN);
    let size = whole(place.size.max(1.0).log2() * SIZE_STEPS).min((1 << SIZE) - 1);
    u64::try_from(turn << SIZE | size).unwrap_or(0) << SIGNATURE
}

const fn signature_mask() -> u64 {
    (1 << SIGNATURE) - 1
}

/// The number of bits in which two signatures differ.
#[inline]
pub(crate) fn distance(one: u64, other: u64) -> u32 {
    ((one ^ other) & signature_mask()).count_ones()
}

/// The steps by which the direction and the size of the first exceed the second's. Directions go
/// around.
pub(crate) fn change(one: u64, other: u64) -> (u8, i8) {
    let part = |it: u64, shift: u32, bits: u32| (it >> shift) & ((1 << bits) - 1);
    let turn = |it: u64| part(it, SIGNATURE + SIZE, TURN);
    let size = |it: u64| i8::try_from(part(it, SIGNATURE, SIZE)).unwrap_or(0);
    let turned = (turn(one) + (1 << TURN) - turn(other)) % (1 << TURN);
    (u8::try_from(turned).unwrap_or(0), size(one) - size(other))
}

/// The steps of a full turn.
pub(crate) const TURNS: u8 = 1 << TURN;
