//! Turns a description into 256 bits: the signs of its projections onto fixed directions, which are
//! the rows of a scrambled Hadamard matrix.

use std::sync::LazyLock;

use crate::describe::{Histogram, LENGTH};

/// A description as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bits(pub(crate) [u64; 4]);

impl Bits {
    /// The number of bits in which two descriptions differ.
    #[must_use]
    #[inline]
    pub(crate) fn distance(&self, other: &Self) -> u32 {
        let [a, b, c, d] = std::array::from_fn(|at| (self.0[at] ^ other.0[at]).count_ones());
        a + b + c + d
    }
}

/// Projections that the index compares.
pub(crate) const COMPARED: usize = 36;

/// The first projections of a description.
pub(crate) type Projected = [f32; COMPARED];

/// All projections of a description.
#[derive(Clone, Debug)]
pub(crate) struct Projections([Histogram; 2]);

impl Projections {
    pub(crate) fn of(histogram: &Histogram) -> Self {
        Self([0, 1].map(|set| projections(*histogram, set)))
    }

    /// The first ones.
    pub(crate) fn first(&self) -> Projected {
        std::array::from_fn(|at| self.0[0][at])
    }

    /// The signs of how much they exceed those of the mean.
    pub(crate) fn bits(&self, mean: &Self) -> Bits {
        let [first, second] = [0, 1].map(|set| -> Histogram {
            std::array::from_fn(|at| self.0[set][at] - mean.0[set][at])
        });
        let half = |values: &Histogram, at: usize| signs(&values[at * 64..][..64]);
        Bits([half(&first, 0), half(&first, 1), half(&second, 0), half(&second, 1)])
    }
}

/// A bit for each value, set if it is positive.
pub(crate) fn signs(values: &[f32]) -> u64 {
    (0..).zip(values).fold(0, |bits, (at, value)| bits | u64::from(*value > 0.0) << at)
}

/// The projections of a description: one of two sets of 128.
fn projections(mut values: Histogram, set: usize) -> Histogram {
    for signs in &SIGNS[set * 2..][..2] {
        values.iter_mut().zip(signs).for_each(|(value, sign)| *value *= sign);
        hadamard(&mut values);
    }
    values
}

/// 1 or -1 for each value, irregular but fixed, for each round of both sets.
static SIGNS: LazyLock<[Histogram; 4]> = LazyLock::new(|| {
    [0_u64, 1, 2, 3].map(|round| {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(round + 1);
        let mut signs = [1.0; LENGTH];
        for chunk in signs.chunks_exact_mut(64) {
            state ^= state >> 30;
            state = state.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            state ^= state >> 27;
            state = state.wrapping_mul(0x94d0_49bb_1331_11eb);
            state ^= state >> 31;
            for (at, sign) in chunk.iter_mut().enumerate() {
                if state >> at & 1 == 1 {
                    *sign = -1.0;
                }
            }
        }
        signs
    })
});

/// The fast Hadamard transform.
fn hadamard(values: &mut Histogram) {
    let mut half = 1;
    while half < LENGTH {
        for chunk in values.chunks_exact_mut(half * 2) {
            let (low, high) = chunk.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                (*low, *high) = (*low + *high, *low - *high);
            }
        }
        half *= 2;
    }
}
