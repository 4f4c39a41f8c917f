//! Brightness values as floats, scaled to the size in which features are searched.

use crate::number::{floor, real};

/// The longer side of the picture in which features are searched.
pub(crate) const WORKING_SIDE: usize = 512;

/// Rows of floats, from the top.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plane {
    pub(crate) values: Vec<f32>,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Plane {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { values: vec![0.0; width * height], width, height }
    }

    pub(crate) fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..][..self.width]
    }

    pub(crate) fn row_mut(&mut self, y: usize) -> &mut [f32] {
        &mut self.values[y * self.width..][..self.width]
    }

    /// Every second value of every second row.
    pub(crate) fn half(&self) -> Self {
        let mut half = Self::new(self.width / 2, self.height / 2);
        for y in 0..half.height {
            let from = self.row(y * 2).iter().step_by(2);
            for (to, from) in half.row_mut(y).iter_mut().zip(from) {
                *to = *from;
            }
        }
        half
    }
}

/// Scales brightness values so that the longer side is [`WORKING_SIDE`]: down by the mean of the
/// covered area, up between the nearest values.
pub(crate) fn scaled(pixels: &[u8], width: usize, height: usize) -> Plane {
    let longer = width.max(height);
    let side = |it: usize| ((it * WORKING_SIDE + longer / 2) / longer).max(1);
    resized(pixels, [width, height], [width, height].map(side))
}

/// Scales values from one width and height to others, in the same way.
pub(crate) fn resized<T: Copy>(values: &[T], from: [usize; 2], to: [usize; 2]) -> Plane
where
    f32: From<T>,
{
    let (columns, rows) = (spans(from[0], to[0]), spans(from[1], to[1]));
    let mut narrow = Plane::new(columns.len(), from[1]);
    for (y, row) in values.chunks_exact(from[0]).enumerate() {
        for (to, span) in narrow.row_mut(y).iter_mut().zip(&columns) {
            *to = span.mean(row);
        }
    }
    let mut plane = Plane::new(columns.len(), rows.len());
    for (y, span) in rows.iter().enumerate() {
        for (from, weight) in (span.start..).zip(span.weights()) {
            for (to, value) in plane.row_mut(y).iter_mut().zip(narrow.row(from)) {
                *to += value * weight;
            }
        }
    }
    plane
}

/// The values that one scaled value is made of: the first, a weight for it and the last, and one for
/// those between.
struct Span {
    start: usize,
    count: usize,
    first: f32,
    middle: f32,
    last: f32,
}

impl Span {
    /// The weighted mean of the values in a row.
    fn mean<T: Copy>(&self, row: &[T]) -> f32
    where
        f32: From<T>,
    {
        match &row[self.start..][..self.count] {
            [] => 0.0,
            [only] => f32::from(*only) * self.first,
            [first, between @ .., last] => {
                let between: f32 = between.iter().map(|it| f32::from(*it)).sum();
                let ends = f32::from(*first) * self.first + f32::from(*last) * self.last;
                ends + between * self.middle
            }
        }
    }

    fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        (0..self.count).map(|at| match at {
            0 => self.first,
            _ if at + 1 == self.count => self.last,
            _ => self.middle,
        })
    }
}

fn spans(from: usize, to: usize) -> Vec<Span> {
    let ratio = real(from) / real(to);
    let span = |at: usize| {
        if to > from {
            let center = ((real(at) + 0.5) * ratio - 0.5).clamp(0.0, real(from - 1));
            let start = floor(center).unsigned_abs().min(from - 1);
            let last = center - real(start);
            let count = if start + 1 < from { 2 } else { 1 };
            let first = if count == 2 { 1.0 - last } else { 1.0 };
            return Span { start, count, first, middle: 0.0, last };
        }
        // Exact in whole numbers: the covered part is [at·from, (at + 1)·from) in units of 1/to.
        let (begin, end) = (at * from, (at + 1) * from);
        let (start, stop) = (begin / to, end.div_ceil(to));
        let count = (stop - start).max(1);
        let all = real(from);
        let first = real(((start + 1) * to).min(end) - begin) / all;
        let last = real(end - (stop - 1) * to) / all;
        Span { start, count, first, middle: real(to) / all, last }
    };
    (0..to).map(span).collect()
}
