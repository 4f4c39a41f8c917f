//! Gaussian blur.

use crate::number::real;
use crate::plane::Plane;

/// Blurs by a Gaussian with this standard deviation. Pixels beyond the edges repeat the edge.
pub(crate) fn blur(plane: &Plane, sigma: f32) -> Plane {
    match sigma * 3.0 {
        reach if reach <= 3.0 => blur_within::<3>(plane, sigma),
        reach if reach <= 4.0 => blur_within::<4>(plane, sigma),
        reach if reach <= 5.0 => blur_within::<5>(plane, sigma),
        reach if reach <= 6.0 => blur_within::<6>(plane, sigma),
        reach if reach <= 8.0 => blur_within::<8>(plane, sigma),
        _ => blur_within::<10>(plane, sigma),
    }
}

/// Blurs with the weights of `REACH` pixels in each direction. The number is a constant so that the
/// inner loops are unrolled and several pixels are computed at once.
fn blur_within<const REACH: usize>(plane: &Plane, sigma: f32) -> Plane {
    let (center, sides) = weights::<REACH>(sigma);
    let (width, height) = (plane.width, plane.height);
    let mut across = Plane::new(width, height);
    let mut padded = vec![0.0; width + 2 * REACH];
    for y in 0..height {
        let row = plane.row(y);
        padded[..REACH].fill(row[0]);
        padded[REACH..REACH + width].copy_from_slice(row);
        padded[REACH + width..].fill(row[width - 1]);
        let middle = &padded[REACH..][..width];
        let left: [&[f32]; REACH] = std::array::from_fn(|at| &padded[REACH - 1 - at..][..width]);
        let right: [&[f32]; REACH] = std::array::from_fn(|at| &padded[REACH + 1 + at..][..width]);
        weigh(across.row_mut(y), middle, left, right, center, sides);
    }
    let mut both = Plane::new(width, height);
    for y in 0..height {
        let above = std::array::from_fn(|at| across.row(y.saturating_sub(at + 1)));
        let below = std::array::from_fn(|at| across.row((y + at + 1).min(height - 1)));
        weigh(both.row_mut(y), across.row(y), above, below, center, sides);
    }
    both
}

#[inline]
fn weigh<const REACH: usize>(
    to: &mut [f32],
    middle: &[f32],
    before: [&[f32]; REACH],
    after: [&[f32]; REACH],
    center: f32,
    sides: [f32; REACH],
) {
    let width = to.len();
    let middle = &middle[..width];
    let (before, after) = (before.map(|it| &it[..width]), after.map(|it| &it[..width]));
    for x in 0..width {
        let mut sum = middle[x] * center;
        for at in 0..REACH {
            sum += (before[at][x] + after[at][x]) * sides[at];
        }
        to[x] = sum;
    }
}

/// The weight of the pixel itself and of those at each distance.
fn weights<const REACH: usize>(sigma: f32) -> (f32, [f32; REACH]) {
    let at = |distance: usize| (-0.5 * (real(distance) / sigma).powi(2)).exp();
    let sides: [f32; REACH] = std::array::from_fn(|it| at(it + 1));
    let sum = 1.0 + 2.0 * sides.iter().sum::<f32>();
    (1.0 / sum, sides.map(|it| it / sum))
}
