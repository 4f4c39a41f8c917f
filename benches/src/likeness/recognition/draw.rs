//! Text, banners and logos.

use image::{Rgb, RgbImage};

use super::number::{real, whole};
use super::random::Random;

/// The letters from A to Z: seven rows of five pixels each.
const LETTERS: [[u8; 7]; 26] = [
    [14, 17, 17, 31, 17, 17, 17],
    [30, 17, 17, 30, 17, 17, 30],
    [14, 17, 16, 16, 16, 17, 14],
    [30, 17, 17, 17, 17, 17, 30],
    [31, 16, 16, 30, 16, 16, 31],
    [31, 16, 16, 30, 16, 16, 16],
    [14, 17, 16, 23, 17, 17, 15],
    [17, 17, 17, 31, 17, 17, 17],
    [14, 4, 4, 4, 4, 4, 14],
    [7, 2, 2, 2, 2, 18, 12],
    [17, 18, 20, 24, 20, 18, 17],
    [16, 16, 16, 16, 16, 16, 31],
    [17, 27, 21, 21, 17, 17, 17],
    [17, 25, 21, 19, 17, 17, 17],
    [14, 17, 17, 17, 17, 17, 14],
    [30, 17, 17, 30, 16, 16, 16],
    [14, 17, 17, 17, 21, 18, 13],
    [30, 17, 17, 30, 20, 18, 17],
    [15, 16, 16, 14, 1, 1, 30],
    [31, 4, 4, 4, 4, 4, 4],
    [17, 17, 17, 17, 17, 17, 14],
    [17, 17, 17, 17, 17, 10, 4],
    [17, 17, 17, 21, 21, 27, 17],
    [17, 17, 10, 4, 10, 17, 17],
    [17, 17, 10, 4, 4, 4, 4],
    [31, 1, 2, 4, 8, 16, 31],
];

/// Writes a line of text. `size` is the height of a letter.
pub(crate) fn write(
    picture: &mut RgbImage,
    text: &str,
    (left, top): (u32, u32),
    size: u32,
    ink: Rgb<u8>,
) {
    let dot = (real(size) / 7.0).max(1.0);
    for (place, letter) in (0..).zip(text.bytes()) {
        let Some(rows) = letter.checked_sub(b'A').and_then(|it| LETTERS.get(usize::from(it)))
        else {
            continue;
        };
        let start = real(left) + real(place) * dot * 6.0;
        for y in 0..size {
            for x in 0..whole(dot * 5.0) {
                let (row, column) = (whole(real(y) / dot), whole(real(x) / dot));
                let line = rows.get(row as usize);
                let inked = line.is_some_and(|it| it >> (4 - column.min(4)) & 1 == 1);
                let (x, y) = (whole(start) + x, top + y);
                if inked && x < picture.width() && y < picture.height() {
                    picture.put_pixel(x, y, ink);
                }
            }
        }
    }
}

/// A line of text across the picture.
pub(crate) fn line_of_text(picture: &RgbImage, random: &mut Random) -> RgbImage {
    let mut written = picture.clone();
    let size = (picture.height() / 16).max(7);
    let top = random.between(0, picture.height().saturating_sub(size).max(1));
    let ink = random.color();
    write(&mut written, &random.words(12), (size, top), size, ink);
    written
}

/// A banner with text over this share of the height, at the top, in the middle or at the bottom.
pub(crate) fn banner(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let mut covered = picture.clone();
    let (width, height) = picture.dimensions();
    let high = height * percent / 100;
    let top = (height - high) * random.between(0, 3) / 2;
    let (ground, ink) = (random.color(), random.color());
    for y in top..top + high {
        for x in 0..width {
            covered.put_pixel(x, y, ground);
        }
    }
    let size = (high / 4).max(7);
    for row in 0..2 {
        let text = random.words(8);
        write(&mut covered, &text, (size, top + size / 2 + row * size * 3 / 2), size, ink);
    }
    covered
}

/// White bars above and below with captions.
pub(crate) fn caption(picture: &RgbImage, random: &mut Random) -> RgbImage {
    let (width, height) = picture.dimensions();
    let bar = height / 6;
    let mut framed = RgbImage::from_pixel(width, height + 2 * bar, Rgb([255; 3]));
    image::imageops::replace(&mut framed, picture, 0, bar.into());
    let size = bar / 3;
    for top in [bar / 3, height + bar + bar / 3] {
        let text = random.words(8);
        write(&mut framed, &text, (size, top), size, Rgb([0; 3]));
    }
    framed
}

/// A round logo with letters, its width this share of the picture's.
pub(crate) fn logo(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let mut marked = picture.clone();
    let (width, height) = picture.dimensions();
    let wide = (width.min(height) * percent / 100).max(8);
    let left = random.between(0, width - wide);
    let top = random.between(0, height - wide);
    let (ground, ink) = (random.color(), random.color());
    circle(&mut marked, (left + wide / 2, top + wide / 2), wide / 2, ground);
    let text: String = random.words(1).chars().take(3).collect();
    write(&mut marked, &text, (left + wide / 5, top + wide / 3), wide / 3, ink);
    marked
}

/// A filled circle.
pub(crate) fn circle(picture: &mut RgbImage, center: (u32, u32), radius: u32, color: Rgb<u8>) {
    let reach = |at: u32, side: u32| at.saturating_sub(radius)..(at + radius + 1).min(side);
    for y in reach(center.1, picture.height()) {
        for x in reach(center.0, picture.width()) {
            let (across, down) = (x.abs_diff(center.0), y.abs_diff(center.1));
            if across * across + down * down <= radius * radius {
                picture.put_pixel(x, y, color);
            }
        }
    }
}
