//! Rotation and perspective.

use image::{Rgb, RgbImage};

use super::number::{byte, real, whole};
use super::random::Random;

/// Rotates by degrees, with the corners filled in white, on a canvas that holds all.
pub(crate) fn rotate(picture: &RgbImage, degrees: f32) -> RgbImage {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (width, height) = (real(picture.width()), real(picture.height()));
    let wide = width * cosine.abs() + height * sine.abs();
    let high = width * sine.abs() + height * cosine.abs();
    RgbImage::from_fn(whole(wide), whole(high), |x, y| {
        let (x, y) = (real(x) - wide / 2.0, real(y) - high / 2.0);
        let (from, down) = (cosine * x + sine * y, cosine * y - sine * x);
        at(picture, from + width / 2.0, down + height / 2.0)
    })
}

/// Moves the corners inward by up to this share of the sides.
pub(crate) fn perspective(picture: &RgbImage, share: f32, random: &mut Random) -> RgbImage {
    let (width, height) = (real(picture.width()), real(picture.height()));
    let mut moved = |x: f32, y: f32| {
        let (across, down) = (random.part() * share, random.part() * share);
        let toward = |at: f32, by: f32, side: f32| (at + (0.5 - at).signum() * by) * side;
        (toward(x, across, width), toward(y, down, height))
    };
    let corners = [moved(0.0, 0.0), moved(1.0, 0.0), moved(1.0, 1.0), moved(0.0, 1.0)];
    let map = projection(corners);
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let (x, y) = (real(x), real(y));
        let below = map[6] * x + map[7] * y + 1.0;
        let from = (map[0] * x + map[1] * y + map[2]) / below;
        let down = (map[3] * x + map[4] * y + map[5]) / below;
        at(picture, from * width, down * height)
    })
}

/// The projection that maps these corners to the unit square.
fn projection(corners: [(f32, f32); 4]) -> [f32; 8] {
    let targets = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let mut rows: Vec<[f32; 9]> = Vec::new();
    for ((x, y), (u, v)) in corners.into_iter().zip(targets) {
        rows.push([x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u]);
        rows.push([0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v]);
    }
    for column in 0..8 {
        let best = (column..8)
            .max_by(|one, other| rows[*one][column].abs().total_cmp(&rows[*other][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let pivot = rows[column];
        for (at, row) in rows.iter_mut().enumerate() {
            if at != column {
                let by = row[column] / pivot[column];
                for (value, from) in row.iter_mut().zip(pivot) {
                    *value -= by * from;
                }
            }
        }
    }
    std::array::from_fn(|at| rows[at][8] / rows[at][at])
}

/// The color between pixels; white outside.
fn at(picture: &RgbImage, x: f32, y: f32) -> Rgb<u8> {
    let (left, top) = (x.floor(), y.floor());
    let (part, share) = (x - left, y - top);
    let pixel = |x: f32, y: f32| {
        let inside =
            x >= 0.0 && y >= 0.0 && x < real(picture.width()) && y < real(picture.height());
        if inside { picture.get_pixel(whole(x), whole(y)).0.map(f32::from) } else { [255.0; 3] }
    };
    let corners = [
        pixel(left, top),
        pixel(left + 1.0, top),
        pixel(left, top + 1.0),
        pixel(left + 1.0, top + 1.0),
    ];
    Rgb([0, 1, 2].map(|it| {
        let above = corners[0][it] + (corners[1][it] - corners[0][it]) * part;
        let below = corners[2][it] + (corners[3][it] - corners[2][it]) * part;
        byte(above + (below - above) * share)
    }))
}
