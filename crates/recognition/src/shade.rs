//! What pictures look like from afar: their brightness in coarse cells.
//!
//! Lattices (mosaics, codes, tables) and pictures with the same logo have details in the same
//! arrangement, though they show different things. Their brightness tells them apart.

use crate::geometry::Map;
use crate::number::{byte, part, real, whole};
use crate::plane::{Plane, resized};
use crate::query::Query;
use crate::reference::Reference;

/// The cells per side of a reference, whatever its proportions.
const SIDE: usize = 32;
/// The cells of a reference.
pub(crate) const CELLS: usize = SIDE * SIDE;
/// One side of a cell of a picture to look up, in pixels. Small, because the copy may be only a
/// small part of it.
const PIXELS: usize = 4;
/// The cells per side of a window in which brightness is compared. Windows overlap.
const WINDOW: usize = 6;
/// The fewest cells of a window that are seen.
const LEAST_SEEN: usize = 27;
/// The share of a cell that must lie in the picture.
const LEAST_INSIDE: f32 = 0.7;
/// The most places per side of a cell at which the picture is sampled.
const MOST_PLACES: usize = 8;
/// A window that varies less in both pictures is plain, and says nothing. This is a variance.
const PLAIN: f32 = 9.0;
/// Less variance is taken for this much, so that rounding is not taken for a pattern.
const ROUNDING: f32 = 1.0;
/// The least correlation of a window that looks alike in both pictures.
const ALIKE: f32 = 0.7;
/// Fewer windows that are not plain say nothing.
const LEAST_WINDOWS: usize = 8;

/// The brightness of cells, in rows from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shades {
    values: Vec<u8>,
    width: usize,
    height: usize,
}

impl Shades {
    /// Those of a reference.
    pub(crate) fn of_reference(picture: &Plane) -> Self {
        Self::of(picture, SIDE, SIDE)
    }

    /// Those of a picture to look up.
    pub(crate) fn of_query(picture: &Plane) -> Self {
        Self::of(picture, picture.width.div_ceil(PIXELS), picture.height.div_ceil(PIXELS))
    }

    /// Reads those of a reference.
    pub(crate) fn read(values: &[u8; CELLS]) -> Self {
        Self { values: values.to_vec(), width: SIDE, height: SIDE }
    }

    /// Those of a reference as bytes. A picture without any has black ones.
    pub(crate) fn to_bytes(&self) -> [u8; CELLS] {
        std::array::from_fn(|at| self.values.get(at).copied().unwrap_or(0))
    }

    fn of(picture: &Plane, width: usize, height: usize) -> Self {
        if picture.values.is_empty() {
            return Self::default();
        }
        let plane = resized(&picture.values, [picture.width, picture.height], [width, height]);
        let values = plane.values.iter().map(|it| byte(*it)).collect();
        Self { values, width, height }
    }

    /// The brightness at a place, between the centers of cells. The place must not be outside.
    fn at(&self, [x, y]: [f32; 2]) -> f32 {
        let cell = |at: f32, count: usize| {
            let at = (at - 0.5).clamp(0.0, real(count - 1));
            let low = part(at);
            (low, (low + 1).min(count - 1), at - real(low))
        };
        let ((left, right, across), (top, bottom, down)) =
            (cell(x, self.width), cell(y, self.height));
        let row = |y: usize| {
            let value = |x: usize| f32::from(self.values[y * self.width + x]);
            value(left) + (value(right) - value(left)) * across
        };
        row(top) + (row(bottom) - row(top)) * down
    }
}

/// The share of what is seen of a reference that looks alike in the picture, or the mirrored
/// picture, that it is mapped to. `None` if too little is seen, or all of it is plain.
pub(crate) fn alike(query: &Query, mirrored: bool, reference: &Reference, map: Map) -> Option<f32> {
    let correlations = correlations(query, mirrored, reference, map);
    let alike = correlations.iter().filter(|it| **it >= ALIKE).count();
    (correlations.len() >= LEAST_WINDOWS).then(|| real(alike) / real(correlations.len()))
}

/// How well each window agrees, from -1 to 1, without those that are plain or not seen.
fn correlations(query: &Query, mirrored: bool, reference: &Reference, map: Map) -> Vec<f32> {
    if reference.shades.values.is_empty() || query.shades.values.is_empty() {
        return Vec::new();
    }
    let seen = seen(query, mirrored, reference, map);
    let mut found = Vec::new();
    for top in 0..=SIDE - WINDOW {
        for left in 0..=SIDE - WINDOW {
            let places =
                (0..WINDOW * WINDOW).map(|at| (top + at / WINDOW) * SIDE + left + at % WINDOW);
            let pairs = places
                .filter_map(|at| seen[at].map(|it| [it, f32::from(reference.shades.values[at])]));
            found.extend(correlation(pairs));
        }
    }
    found
}

/// The correlation of a window; `None` if it is plain or too little of it is seen.
fn correlation(pairs: impl Iterator<Item = [f32; 2]> + Clone) -> Option<f32> {
    let count = pairs.clone().count();
    if count < LEAST_SEEN {
        return None;
    }
    let share = 1.0 / real(count);
    let sum = pairs.clone().fold([0.0; 2], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
    let mean = sum.map(|it| it * share);
    let [mut one, mut both, mut other] = [0.0; 3];
    for pair in pairs {
        let [x, y] = [pair[0] - mean[0], pair[1] - mean[1]];
        one += x * x * share;
        both += x * y * share;
        other += y * y * share;
    }
    (one > PLAIN || other > PLAIN).then(|| both / (one.max(ROUNDING) * other.max(ROUNDING)).sqrt())
}

/// The brightness of the picture in each cell of the reference; `None` for those outside of it.
fn seen(query: &Query, mirrored: bool, reference: &Reference, map: Map) -> Vec<Option<f32>> {
    let shades = &query.shades;
    let cell = [reference.width, reference.height].map(|it| f32::from(it) / real(SIDE));
    let [width, height] = [real(shades.width), real(shades.height)];
    let zoom = [width / f32::from(query.width), height / f32::from(query.height)];
    let places = (cell[0].max(cell[1]) * map.scale() * zoom[0].max(zoom[1])).ceil();
    let places = whole(places).clamp(1, MOST_PLACES);
    let step = 1.0 / real(places);
    let brightness = |at: usize| {
        let (mut sum, mut inside) = (0.0, 0.0);
        for place in 0..places * places {
            let x = real(at % SIDE) + (real(place % places) + 0.5) * step;
            let y = real(at / SIDE) + (real(place / places) + 0.5) * step;
            let [x, y] = map.apply([x * cell[0], y * cell[1]]);
            let (x, y) = (x * zoom[0], y * zoom[1]);
            let x = if mirrored { width - x } else { x };
            if (0.0..=width).contains(&x) && (0.0..=height).contains(&y) {
                sum += shades.at([x, y]);
                inside += 1.0;
            }
        }
        (inside >= LEAST_INSIDE * real(places * places)).then(|| sum / inside)
    };
    (0..CELLS).map(brightness).collect()
}
