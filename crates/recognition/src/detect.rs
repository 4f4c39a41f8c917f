//! Finds blobs: places that differ most from their surroundings, at the scale at which they do.

use crate::number::{floor, real};
use crate::plane::Plane;
use crate::pyramid::{Octave, STEPS, blur_of};

/// The least difference from the surroundings, in steps of brightness.
const LEAST_CONTRAST: f32 = 1.2;
/// Edges are no places: the larger curvature must be below this many times the smaller one.
const EDGE_RATIO: f32 = 10.0;
/// Pixels at the border that are not searched.
const MARGIN: usize = 3;

/// A place in a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The octave.
    pub(crate) octave: usize,
    /// The position in pixels of the octave.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// The level in the octave, between two levels.
    pub(crate) level: f32,
    /// How much it differs from its surroundings.
    pub(crate) contrast: f32,
}

impl Spot {
    /// The blur at which it stands out most, in pixels of the octave.
    pub(crate) fn blur(&self) -> f32 {
        blur_of(self.level)
    }
}

/// Finds all places in all octaves.
pub(crate) fn spots(octaves: &[Octave]) -> Vec<Spot> {
    let mut found = Vec::new();
    for (number, octave) in octaves.iter().enumerate() {
        for level in 1..=STEPS {
            let layers = Layers::at(octave, level);
            for y in MARGIN..layers.middle.height.saturating_sub(MARGIN) {
                let row = layers.middle.row(y);
                for (x, near) in (1..).zip(row.windows(3)) {
                    let [left, value, right] = *near else { continue };
                    // Most end here. The rest is slower.
                    let peak = value >= left.max(right) || value <= left.min(right);
                    let inside = x >= MARGIN && x + MARGIN < row.len();
                    let clear = value.abs() >= 0.7 * LEAST_CONTRAST;
                    if clear && peak && inside && layers.is_extreme(x, y, value) {
                        found.extend(refined(octave, number, (x, y, level)));
                    }
                }
            }
        }
    }
    found
}

/// A layer of differences between its neighbors.
struct Layers<'a> {
    below: &'a Plane,
    middle: &'a Plane,
    above: &'a Plane,
}

impl<'a> Layers<'a> {
    fn at(octave: &'a Octave, level: usize) -> Self {
        let layer = |it: usize| &octave.differences[it];
        Self { below: layer(level - 1), middle: layer(level), above: layer(level + 1) }
    }

    /// Whether a value is above all of its neighbors, or below all.
    fn is_extreme(&self, x: usize, y: usize, value: f32) -> bool {
        let sign = value.signum();
        let value = value.abs();
        let exceeds = |plane: &Plane, at: usize| {
            plane.row(y + at - 1)[x - 1..x + 2].iter().all(|it| it * sign <= value)
        };
        [1, 0, 2].into_iter().all(|at| exceeds(self.middle, at))
            && (0..3).all(|at| exceeds(self.below, at) && exceeds(self.above, at))
    }

    fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        [self.below, self.middle, self.above][z].row(y)[x]
    }

    /// The slope and the curvatures along and between the axes.
    fn derivatives(&self, x: usize, y: usize) -> ([f32; 3], [[f32; 3]; 3]) {
        let middle = self.value([x, y, 1]);
        let moved = |axes: [usize; 2], by: [usize; 2]| {
            let mut place = [x, y, 1];
            for (axis, by) in axes.into_iter().zip(by) {
                place[axis] = place[axis] + by - 1;
            }
            self.value(place)
        };
        let along = |axis: usize, by: usize| {
            let mut place = [x, y, 1];
            place[axis] = place[axis] + by - 1;
            self.value(place)
        };
        let slope = [0, 1, 2].map(|axis| (along(axis, 2) - along(axis, 0)) / 2.0);
        let curvature = [0, 1, 2].map(|one| {
            [0, 1, 2].map(|other| {
                if one == other {
                    return along(one, 2) + along(one, 0) - 2.0 * middle;
                }
                let at = |by: [usize; 2]| moved([one, other], by);
                (at([2, 2]) - at([2, 0]) - at([0, 2]) + at([0, 0])) / 4.0
            })
        });
        (slope, curvature)
    }
}

/// Finds the exact position of an extreme value between pixels; `None` if it is no stable place.
fn refined(octave: &Octave, number: usize, place: (usize, usize, usize)) -> Option<Spot> {
    let (mut x, mut y, mut level) = place;
    for _ in 0..4 {
        let layers = Layers::at(octave, level);
        let (slope, curvature) = layers.derivatives(x, y);
        let offset = solve(curvature, slope.map(|it| -it))?;
        if offset.iter().all(|it| it.abs() <= 0.6) {
            let gain: f32 = slope.iter().zip(offset).map(|(slope, by)| slope * by).sum();
            let contrast = (layers.value([x, y, 1]) + gain / 2.0).abs();
            let stable = contrast >= LEAST_CONTRAST && !is_edge(&curvature);
            return stable.then_some(Spot {
                octave: number,
                x: real(x) + offset[0],
                y: real(y) + offset[1],
                level: real(level) + offset[2],
                contrast,
            });
        }
        let step = |at: usize, by: f32| at.checked_add_signed(floor(by.clamp(-1.0, 1.0) + 0.5));
        (x, y, level) = (step(x, offset[0])?, step(y, offset[1])?, step(level, offset[2])?);
        let (width, height) = (layers.middle.width, layers.middle.height);
        let inside = (MARGIN..width - MARGIN).contains(&x)
            && (MARGIN..height - MARGIN).contains(&y)
            && (1..=STEPS).contains(&level);
        if !inside {
            return None;
        }
    }
    None
}

fn is_edge(curvature: &[[f32; 3]; 3]) -> bool {
    let sum = curvature[0][0] + curvature[1][1];
    let product = curvature[0][0] * curvature[1][1] - curvature[0][1] * curvature[1][0];
    product <= 0.0 || sum * sum * EDGE_RATIO >= (EDGE_RATIO + 1.0).powi(2) * product
}

/// Solves three linear equations by Cramer's rule; `None` if they have no single solution.
fn solve(rows: [[f32; 3]; 3], right: [f32; 3]) -> Option<[f32; 3]> {
    let of = |m: &[[f32; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let all = of(&rows);
    if all.abs() < 1e-9 {
        return None;
    }
    let solved = [0, 1, 2].map(|column| {
        let mut replaced = rows;
        for (row, value) in replaced.iter_mut().zip(right) {
            row[column] = value;
        }
        of(&replaced) / all
    });
    solved.iter().all(|it| it.is_finite()).then_some(solved)
}
