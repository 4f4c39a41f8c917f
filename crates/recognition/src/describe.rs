//! Describes the surroundings of a place by the directions of their gradients, 8 directions in each
//! of 4 × 4 cells, in a frame that turns and scales with the place.

use std::f32::consts::TAU;

use crate::detect::Spot;
use crate::gradient::angle;
use crate::number::{floor, part, real};
use crate::plane::Plane;

/// Cells per side.
const CELLS: usize = 4;
/// Directions per cell.
const TURNS: usize = 8;
/// The number of values of a description.
pub(crate) const LENGTH: usize = CELLS * CELLS * TURNS;
/// Samples per side, without those at the border that only serve for the gradients.
const SAMPLES: usize = 16;
const SIDE: usize = SAMPLES + 2;
/// The side of a cell in units of the blur.
const CELL: f32 = 3.0;

/// The strengths of the directions in all cells.
pub(crate) type Histogram = [f32; LENGTH];

/// Describes a place in this direction.
pub(crate) fn describe(plane: &Plane, spot: &Spot, turn: f32, grid: &Grid) -> Histogram {
    let patch = sample(plane, spot, turn);
    let mut histogram = [0.0; LENGTH];
    for row in 0..SAMPLES {
        for column in 0..SAMPLES {
            let at = |x: usize, y: usize| patch[y * SIDE + x];
            let across = at(column + 2, row + 1) - at(column, row + 1);
            let along = at(column + 1, row + 2) - at(column + 1, row);
            let strength = (across * across + along * along).sqrt();
            let turn = angle(across, along) / TAU * real(TURNS) + real(TURNS);
            let low = part(turn);
            let share = turn - real(low);
            let (first, second) = (low % TURNS, (low + 1) % TURNS);
            for (cell, weight) in grid.cells(column, row) {
                let strength = strength * weight;
                histogram[cell * TURNS + first] += strength * (1.0 - share);
                histogram[cell * TURNS + second] += strength * share;
            }
        }
    }
    balanced(histogram)
}

/// The description of the same place in the mirrored picture.
pub(crate) fn mirrored(histogram: &Histogram) -> Histogram {
    std::array::from_fn(|at| {
        let (cell, turn) = (at / TURNS, at % TURNS);
        let (row, column) = (cell / CELLS, cell % CELLS);
        let cell = (CELLS - 1 - row) * CELLS + column;
        histogram[cell * TURNS + (TURNS - turn) % TURNS]
    })
}

/// Samples the picture in the frame of a place. Beyond the edges the edge is repeated.
fn sample(plane: &Plane, spot: &Spot, turn: f32) -> [f32; SIDE * SIDE] {
    let step = spot.blur() * CELL * real(CELLS) / real(SAMPLES);
    let (sine, cosine) = turn.sin_cos();
    let half = real(SIDE - 1) / 2.0;
    let (right, bottom) = (real(plane.width - 1), real(plane.height - 1));
    let mut patch = [0.0; SIDE * SIDE];
    for (row, line) in patch.chunks_exact_mut(SIDE).enumerate() {
        let down = (real(row) - half) * step;
        for (column, value) in line.iter_mut().enumerate() {
            let away = (real(column) - half) * step;
            let x = (spot.x + cosine * away - sine * down).clamp(0.0, right);
            let y = (spot.y + sine * away + cosine * down).clamp(0.0, bottom);
            *value = between(plane, x, y);
        }
    }
    patch
}

/// The value at a position between pixels.
fn between(plane: &Plane, x: f32, y: f32) -> f32 {
    let (left, top) = (part(x), part(y));
    let (right, bottom) = ((left + 1).min(plane.width - 1), (top + 1).min(plane.height - 1));
    let (across, down) = (x - real(left), y - real(top));
    let (upper, lower) = (plane.row(top), plane.row(bottom));
    let above = upper[left] + (upper[right] - upper[left]) * across;
    let below = lower[left] + (lower[right] - lower[left]) * across;
    above + (below - above) * down
}

/// Square roots of the shares, so that one strong edge does not outweigh everything.
fn balanced(mut histogram: Histogram) -> Histogram {
    let sum: f32 = histogram.iter().sum();
    if sum > 0.0 {
        for value in &mut histogram {
            *value = (*value / sum).sqrt();
        }
    }
    histogram
}

/// How much each sample counts for which cells: more the nearer it is to the center of a cell, and
/// the nearer to the center of all.
pub(crate) struct Grid {
    cells: Vec<[(usize, f32); 4]>,
}

impl Grid {
    pub(crate) fn new() -> Self {
        let place = |at: usize| {
            let exact = (real(at) + 0.5) / real(SAMPLES) * real(CELLS) - 0.5;
            let low = floor(exact);
            let part = exact - exact.floor();
            let cell = |at: isize| usize::try_from(at).ok().filter(|at| *at < CELLS);
            [(cell(low), 1.0 - part), (cell(low + 1), part)]
        };
        let away = |at: usize| ((real(at) + 0.5) / real(SAMPLES) - 0.5) * 2.0;
        let mut cells = Vec::new();
        for row in 0..SAMPLES {
            for column in 0..SAMPLES {
                let distance = away(row).powi(2) + away(column).powi(2);
                let central = (-0.5 * distance).exp();
                let mut shares = [(0, 0.0); 4];
                let pairs = place(row)
                    .into_iter()
                    .flat_map(|down| place(column).into_iter().map(move |across| (down, across)));
                for (share, ((down, first), (across, second))) in shares.iter_mut().zip(pairs) {
                    if let (Some(down), Some(across)) = (down, across) {
                        *share = (down * CELLS + across, first * second * central);
                    }
                }
                cells.push(shares);
            }
        }
        Self { cells }
    }

    fn cells(&self, column: usize, row: usize) -> [(usize, f32); 4] {
        self.cells[row * SAMPLES + column]
    }
}
