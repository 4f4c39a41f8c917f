//! Finds the direction of a place, so that turned copies are described alike.

use std::f32::consts::{PI, TAU};

use crate::detect::Spot;
use crate::gradient::angle;
use crate::number::{floor, real, whole};
use crate::plane::Plane;

/// Directions that are told apart.
const BINS: usize = 36;
/// A second direction is used too if it is this strong in relation to the first.
const SECOND: f32 = 0.8;
/// The most directions of one place.
const MOST: usize = 2;

/// The strongest directions of the gradients around a place, in radians.
pub(crate) fn directions(plane: &Plane, spot: &Spot) -> Vec<f32> {
    let bins = smoothed(histogram(plane, spot));
    let most = bins.iter().copied().fold(0.0, f32::max);
    if most <= 0.0 {
        return Vec::new();
    }
    let mut peaks: Vec<(f32, f32)> = Vec::new();
    for at in 0..BINS {
        let (before, here, after) = (bins[(at + BINS - 1) % BINS], bins[at], bins[(at + 1) % BINS]);
        if here > before && here >= after && here >= SECOND * most {
            let shift = 0.5 * (before - after) / (before - 2.0 * here + after);
            let turn = (real(at) + 0.5 + shift) / real(BINS) * TAU - PI;
            peaks.push((here, turn));
        }
    }
    peaks.sort_by(|one, other| other.0.total_cmp(&one.0));
    peaks.into_iter().take(MOST).map(|(_, turn)| turn).collect()
}

fn histogram(plane: &Plane, spot: &Spot) -> [f32; BINS] {
    let mut bins = [0.0; BINS];
    let spread = 1.5 * spot.blur();
    let reach = floor(spread * 3.0 + 0.5);
    let (column, row) = (floor(spot.x + 0.5), floor(spot.y + 0.5));
    for y in row - reach..=row + reach {
        let Some(y) = inside(y, plane.height) else { continue };
        let (above, here, below) = (plane.row(y - 1), plane.row(y), plane.row(y + 1));
        for x in column - reach..=column + reach {
            let Some(x) = inside(x, plane.width) else { continue };
            let (away, down) = (real(x) - spot.x, real(y) - spot.y);
            let distance = (away * away + down * down) / (spread * spread);
            if distance > 9.0 {
                continue;
            }
            let (across, along) = (here[x + 1] - here[x - 1], below[x] - above[x]);
            let strength = (across * across + along * along).sqrt() * falloff(distance);
            let turn = (angle(across, along) + PI) / TAU * real(BINS);
            bins[whole(turn - 0.5).min(BINS - 1)] += strength;
        }
    }
    bins
}

/// Approximates a Gaussian of the squared distance in standard deviations.
fn falloff(square: f32) -> f32 {
    let part = (1.0 - square / 18.0).max(0.0);
    let fourth = part * part * part;
    fourth * fourth * fourth
}

/// A coordinate whose neighbors are inside too.
fn inside(at: isize, side: usize) -> Option<usize> {
    usize::try_from(at).ok().filter(|at| *at > 0 && at + 1 < side)
}

fn smoothed(mut bins: [f32; BINS]) -> [f32; BINS] {
    for _ in 0..4 {
        let old = bins;
        for (at, bin) in bins.iter_mut().enumerate() {
            *bin = (old[(at + BINS - 1) % BINS] + old[at] + old[(at + 1) % BINS]) / 3.0;
        }
    }
    bins
}
