//! The lowest frequencies of an image, from which its hash is made, and how much detail it has.

use std::array::from_fn;
use std::f32::consts::PI;
use std::sync::LazyLock;

use super::Luma;

/// The side length of the scaled image.
const SMALL: usize = 64;
/// The number of frequencies in each direction.
pub(super) const WAVES: usize = 16;
/// The minimum side length of an image, in pixels.
const MIN_SIDE: usize = 5;

/// The scaled image.
pub(super) type Small = [[f32; SMALL]; SMALL];
/// The frequencies without the mean, by row and column.
pub(super) type Waves = [[f32; WAVES]; WAVES];

/// The mean brightness of each of 64 × 64 equal parts, first along rows, then along columns.
pub(super) fn shrink(luma: Luma<'_>) -> Small {
    let mut line = Line::default();
    let mut columns: [Vec<f32>; SMALL] = from_fn(|_| Vec::with_capacity(luma.height()));
    for row in luma.rows() {
        line.values.clear();
        line.values.extend(row.iter().map(|it| f32::from(*it)));
        for (column, mean) in columns.iter_mut().zip(line.means()) {
            column.push(mean);
        }
    }
    let mut small = [[0.0; SMALL]; SMALL];
    for (x, column) in columns.into_iter().enumerate() {
        line.values = column;
        for (row, mean) in small.iter_mut().zip(line.means()) {
            row[x] = mean;
        }
    }
    small
}

/// One row or column and its prefix sums.
#[derive(Default)]
struct Line {
    values: Vec<f32>,
    sums: Vec<f32>,
}

impl Line {
    /// The mean of each of 64 equal parts. A pixel shared by two parts counts for both by its
    /// share, so that the result does not depend on the image size.
    fn means(&mut self) -> [f32; SMALL] {
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        self.sums.extend(self.values.iter().map(|it| {
            sum += it;
            sum
        }));
        let length = self.values.len();
        let until = |part: usize| {
            let (whole, rest) = (part * length / SMALL, part * length % SMALL);
            let begun = self.values.get(whole).map_or(0.0, |it| it * real(rest) / real(SMALL));
            self.sums[whole] + begun
        };
        from_fn(|part| (until(part + 1) - until(part)) * real(SMALL) / real(length))
    }
}

/// The first 16 frequencies of the cosine transform at 64 positions.
static COSINES: LazyLock<[[f32; SMALL]; WAVES]> = LazyLock::new(|| {
    let step = PI / real(2 * SMALL);
    let scale = (2.0 / real(SMALL)).sqrt();
    from_fn(|wave| from_fn(|at| scale * (step * real((wave + 1) * (2 * at + 1))).cos()))
});

/// The lowest frequencies of the scaled image.
pub(super) fn transform(small: &Small) -> Waves {
    let mut down = [[0.0; SMALL]; WAVES];
    for (row, cosines) in down.iter_mut().zip(COSINES.iter()) {
        for (line, cosine) in small.iter().zip(cosines) {
            for (sum, value) in row.iter_mut().zip(line) {
                *sum += cosine * value;
            }
        }
    }
    let across = |row: &[f32; SMALL], cosines: &[f32; SMALL]| -> f32 {
        row.iter().zip(cosines).map(|(value, cosine)| value * cosine).sum()
    };
    from_fn(|i| from_fn(|j| across(&down[i], &COSINES[j])))
}

/// The sum of visible brightness changes between neighbors, with the constants of PDQ.
pub(super) fn quality(luma: Luma<'_>, small: &Small) -> u8 {
    if luma.width() < MIN_SIDE || luma.height() < MIN_SIDE {
        return 0;
    }
    let step = |from: f32, to: f32| ((from - to) * 100.0 / 255.0).abs().trunc();
    let across = small.iter().flat_map(|row| row.windows(2).map(|it| step(it[0], it[1])));
    let pairs = small.windows(2).flat_map(|rows| rows[0].iter().zip(&rows[1]));
    let down = pairs.map(|(above, below)| step(*above, *below));
    percent(across.chain(down).sum::<f32>() / 90.0)
}

#[expect(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^24")]
fn real(value: usize) -> f32 {
    value as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 100 by then"
)]
pub(super) fn percent(value: f32) -> u8 {
    value.clamp(0.0, 100.0) as u8
}
