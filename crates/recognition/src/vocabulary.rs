//! The words that descriptions are looked up by. Each half of a description is assigned to the
//! nearest of a few hundred typical halves; the pair of them is the word.
//!
//! The typical lower halves are the mirror images of the upper ones, so the word of a mirrored
//! description is the word with its two parts swapped.

use std::sync::LazyLock;

use crate::bits::{Projected, Projections, signs};
use crate::describe::{Histogram, LENGTH, mirrored};
use crate::number::whole;

/// Typical halves.
pub const CENTERS: usize = 512;
/// The number of words.
pub(crate) const WORDS: usize = CENTERS * CENTERS;
/// Values per half.
pub const HALF: usize = LENGTH / 2;
/// What one step of a stored value is worth.
pub const STEP: f32 = 1.0 / 512.0;
/// The words that a description is looked up by.
pub(crate) const PROBES: usize = 6;

/// The trained vocabulary: the mean of all descriptions, then the typical upper halves, as bytes.
static TRAINED: &[u8; LENGTH + CENTERS * HALF] = include_bytes!("vocabulary.bin");

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::read(TRAINED));

/// The two parts of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word {
    upper: u16,
    lower: u16,
}

impl Word {
    /// The word of the mirrored description.
    pub(crate) fn mirrored(self) -> Self {
        Self { upper: self.lower, lower: self.upper }
    }

    /// The number of the word, below [`WORDS`].
    pub(crate) fn number(self) -> usize {
        usize::from(self.upper) * CENTERS + usize::from(self.lower)
    }
}

/// The typical halves, and the mean of all descriptions.
pub(crate) struct Vocabulary {
    /// The projections of the mean of all descriptions.
    pub(crate) mean: Projections,
    /// In steps, which are compared faster than floats.
    centers: [Vec<Steps>; 2],
    /// Half the squared length of each, in squared steps.
    norms: Vec<i32>,
    /// The projections of each, in its half.
    projected: [Vec<Projected>; 2],
}

impl Vocabulary {
    /// The trained vocabulary.
    pub(crate) fn trained() -> &'static Self {
        &VOCABULARY
    }

    fn read(bytes: &[u8; LENGTH + CENTERS * HALF]) -> Self {
        let value = |at: usize| f32::from(bytes[at]) * STEP;
        let center = |at: usize| std::array::from_fn(|it| value(LENGTH + at * HALF + it));
        let upper: Vec<[f32; HALF]> = (0..CENTERS).map(center).collect();
        let lower = upper.iter().map(mirrored_half).collect();
        let centers: [Vec<[f32; HALF]>; 2] = [upper, lower];
        let projected = [0, 1].map(|which| {
            let whole = |half: &[f32; HALF]| {
                let mut whole = [0.0; LENGTH];
                whole[which * HALF..][..HALF].copy_from_slice(half);
                Projections::of(&whole).first()
            };
            centers[which].iter().map(whole).collect()
        });
        let mean = Projections::of(&std::array::from_fn(value));
        let centers = centers.map(|it| it.iter().map(steps).collect::<Vec<Steps>>());
        let norms = centers[0].iter().map(|it| product(it, it) / 2).collect();
        Self { mean, centers, norms, projected }
    }

    /// Bits that tell how a description differs from what is typical for a word, from its
    /// projections.
    pub(crate) fn signature(&self, projected: &Projected, word: Word) -> u64 {
        let upper = &self.projected[0][usize::from(word.upper)];
        let lower = &self.projected[1][usize::from(word.lower)];
        let rest: Projected = std::array::from_fn(|at| projected[at] - upper[at] - lower[at]);
        signs(&rest)
    }

    /// The most likely words of a description, best first.
    pub(crate) fn words(&self, histogram: &Histogram) -> [Word; PROBES] {
        let half = |which: usize| steps(&std::array::from_fn(|at| histogram[which * HALF + at]));
        let (upper, lower) = (self.nearest(0, &half(0)), self.nearest(1, &half(1)));
        let mut pairs = Vec::with_capacity(PROBES * 3);
        for (rank, (near, upper)) in upper.iter().enumerate() {
            // Where both ranks are higher, enough other pairs are nearer.
            for (far, lower) in &lower[..PROBES / (rank + 1)] {
                pairs.push((near + far, Word { upper: *upper, lower: *lower }));
            }
        }
        pairs.sort_unstable();
        std::array::from_fn(|at| pairs[at].1)
    }

    /// The nearest typical halves.
    fn nearest(&self, which: usize, half: &Steps) -> [(i32, u16); PROBES] {
        let mut best = [(i32::MAX, 0); PROBES];
        for (number, (center, norm)) in (0..).zip(self.centers[which].iter().zip(&self.norms)) {
            let distance = norm - product(center, half);
            if distance < best[PROBES - 1].0 {
                let place = best.partition_point(|it| it.0 <= distance);
                best[place..].rotate_right(1);
                best[place] = (distance, number);
            }
        }
        best
    }
}

/// The values of a half in steps.
type Steps = [i16; HALF];

fn steps(half: &[f32; HALF]) -> Steps {
    half.map(|it| i16::try_from(whole(it / STEP)).unwrap_or(i16::MAX))
}

/// The scalar product.
fn product(one: &Steps, other: &Steps) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum()
}

/// The half as the other half of a mirrored description.
#[must_use]
pub fn mirrored_half(half: &[f32; HALF]) -> [f32; HALF] {
    let mut whole = [0.0; LENGTH];
    whole[..HALF].copy_from_slice(half);
    let turned = mirrored(&whole);
    std::array::from_fn(|at| turned[HALF + at])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some description.
    fn description(number: u32) -> Histogram {
        let mut state = number * 2_654_435 + 1;
        let values: Histogram = std::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(state.to_be_bytes()[0]) / 255.0
        });
        let sum: f32 = values.iter().sum();
        values.map(|it| (it / sum).sqrt())
    }

    #[test]
    fn words_of_a_mirrored_description_are_swapped() {
        let vocabulary = Vocabulary::trained();
        for number in 0..20 {
            let plain = description(number);
            let (words, swapped) = (vocabulary.words(&plain), vocabulary.words(&mirrored(&plain)));
            assert_eq!(words.map(Word::mirrored)[0], swapped[0]);
            assert!(words.iter().all(|it| it.number() < WORDS));
            let twice = mirrored(&mirrored(&plain));
            assert_eq!(twice.map(f32::to_bits), plain.map(f32::to_bits));
        }
    }

    #[test]
    fn words_are_the_nearest_pairs_of_halves() {
        let vocabulary = Vocabulary::trained();
        let plain = description(7);
        let distance = |word: Word| {
            let [upper, lower] = [(0, word.upper), (1, word.lower)].map(|(which, at)| {
                let at = usize::from(at);
                let half = steps(&std::array::from_fn(|at| plain[which * HALF + at]));
                vocabulary.norms[at] - product(&vocabulary.centers[which][at], &half)
            });
            upper + lower
        };
        let all = (0..512).flat_map(|upper| (0..512).map(move |lower| Word { upper, lower }));
        let mut distances: Vec<i32> = all.map(distance).collect();
        distances.sort_unstable();
        assert_eq!(vocabulary.words(&plain).map(distance), distances[..PROBES]);
    }

    #[test]
    fn a_signature_differs_in_every_bit_for_the_opposite_side_of_a_word() {
        let vocabulary = Vocabulary::trained();
        let plain = description(3);
        let word = vocabulary.words(&plain)[0];
        let (upper, lower) = (usize::from(word.upper), usize::from(word.lower));
        let center: Histogram = std::array::from_fn(|at| match at.checked_sub(HALF) {
            Some(at) => f32::from(vocabulary.centers[1][lower][at]) * STEP,
            None => f32::from(vocabulary.centers[0][upper][at]) * STEP,
        });
        let other: Histogram = std::array::from_fn(|at| 2.0 * center[at] - plain[at]);
        let [one, other] =
            [plain, other].map(|it| vocabulary.signature(&Projections::of(&it).first(), word));
        assert!((one ^ other).count_ones() >= 35, "{one:b} {other:b}");
    }
}
