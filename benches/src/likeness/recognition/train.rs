//! Trains the vocabulary of the index by Lloyd's algorithm: `likeness train` writes it.

use grantor_recognition::{CENTERS, HALF, STEP, mirrored_half};

use super::number::{byte, count, real};
use super::random::Random;
use crate::measure::{Outcome, report};

const SAMPLES: usize = 100_000;
const ROUNDS: usize = 14;

type Half = [f32; HALF];

/// Writes a vocabulary for descriptions like these.
pub(crate) fn train(descriptions: &[[f32; 2 * HALF]], file: &str) -> Outcome {
    // Each lower half is mirrored to an upper one.
    let upper = |it: &[f32; 2 * HALF]| -> Half { std::array::from_fn(|at| it[at]) };
    let lower = |it: &[f32; 2 * HALF]| mirrored_half(&std::array::from_fn(|at| it[HALF + at]));
    let halves: Vec<Half> = descriptions.iter().flat_map(|it| [upper(it), lower(it)]).collect();
    let mut random = Random(3);
    let mut some = |count: usize| -> Vec<Half> {
        (0..count).map(|_| halves[random.below(halves.len())]).collect()
    };
    let (samples, mut centers) = (some(SAMPLES), some(CENTERS));
    for round in 0..ROUNDS {
        let error = improve(&samples, &mut centers);
        report("likeness", &format!("round {round}: mean squared error {error:.5}"));
    }
    let upper = mean(&halves);
    let lower = mirrored_half(&upper);
    let values = upper.iter().chain(&lower).chain(centers.as_flattened());
    let bytes: Vec<u8> = values.map(|it| byte(it / STEP)).collect();
    Ok(std::fs::write(file, bytes)?)
}

fn mean(halves: &[Half]) -> Half {
    let mut mean = [0.0; HALF];
    for (number, half) in (1..).zip(halves) {
        for (mean, value) in mean.iter_mut().zip(half) {
            *mean += (value - *mean) / real(number);
        }
    }
    mean
}

/// Moves each center to the mean of the samples nearest to it. Returns the mean squared error before.
fn improve(samples: &[Half], centers: &mut [Half]) -> f64 {
    let norms: Vec<f32> = centers.iter().map(|it| dot(it, it)).collect();
    let mut sums = vec![([0.0_f32; HALF], 0_u32); centers.len()];
    let mut error = 0.0;
    for sample in samples {
        let distances = centers.iter().zip(&norms).map(|(it, norm)| norm - 2.0 * dot(it, sample));
        let nearest = distances.enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
        let Some((nearest, distance)) = nearest else { continue };
        error += f64::from(distance + dot(sample, sample));
        let (sum, members) = &mut sums[nearest];
        *members += 1;
        for (sum, value) in sum.iter_mut().zip(sample) {
            *sum += value;
        }
    }
    for (center, (sum, members)) in centers.iter_mut().zip(sums) {
        if members > 0 {
            *center = sum.map(|it| it / real(members));
        }
    }
    error / count(samples.len())
}

/// The scalar product, in lanes that are computed at once.
fn dot(one: &Half, other: &Half) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for (one, other) in one.as_chunks::<16>().0.iter().zip(other.as_chunks::<16>().0) {
        for at in 0..16 {
            lanes[at] += one[at] * other[at];
        }
    }
    lanes.iter().sum()
}
