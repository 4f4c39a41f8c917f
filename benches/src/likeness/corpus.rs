//! Generated images, the same in every run, and the transforms that people apply to images. Like
//! photographs, the images have structure at every scale: layers of clouds and plain shapes.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ImageFormat, Rgb, RgbImage};

use crate::measure::Outcome;

/// A random number generator with a fixed seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    pub(crate) fn between(&mut self, least: u32, most: u32) -> u32 {
        let [low, high, ..] = self.next().to_le_bytes();
        least + u32::from(u16::from_le_bytes([low, high])) * (most - least) / 65_536
    }

    /// A number from 0 to 1.
    fn part(&mut self) -> f32 {
        let [low, high, ..] = self.next().to_le_bytes();
        f32::from(u16::from_le_bytes([low, high])) / 65_536.0
    }

    fn color(&mut self) -> [f32; 3] {
        [self.part() * 255.0, self.part() * 255.0, self.part() * 255.0]
    }
}

/// The minimum and maximum side of an image.
pub(crate) const LARGE: [u32; 2] = [300, 640];
/// The same for large numbers of images.
pub(crate) const SMALL: [u32; 2] = [160, 320];

/// Generates the image with this number.
pub(crate) fn draw(number: u64, [least, most]: [u32; 2]) -> RgbImage {
    let mut random = Random(number * 1_000_003 + 17);
    let (width, height) = (random.between(least, most), random.between(least, most));
    let mut picture = clouds(&mut random, width, height);
    for _ in 0..random.between(3, 18) {
        shape(&mut random, &mut picture);
    }
    picture
}

/// Six layers of noise, each twice as fine and half as strong as the previous one.
fn clouds(random: &mut Random, width: u32, height: u32) -> RgbImage {
    let (from, to) = (random.color(), random.color());
    let mut cover = vec![0.0_f32; (width * height) as usize];
    let (mut cells, mut weight) = (random.between(2, 4), 0.5);
    for _ in 0..6 {
        let side = cells + 2;
        let knots: Vec<f32> = (0..side * side).map(|_| random.part()).collect();
        for (at, value) in (0..).zip(cover.iter_mut()) {
            let place = |at: u32, of: u32| {
                let exact = real(at) / real(of) * real(cells);
                (whole(exact), exact.fract())
            };
            let ((x, right), (y, down)) = (place(at % width, width), place(at / width, height));
            let knot = |x: u32, y: u32| knots[(y * side + x) as usize];
            let above = mix(knot(x, y), knot(x + 1, y), right);
            let below = mix(knot(x, y + 1), knot(x + 1, y + 1), right);
            *value += weight * mix(above, below, down);
        }
        (cells, weight) = (cells * 2, weight / 2.0);
    }
    RgbImage::from_fn(width, height, |x, y| {
        blend(from, to, cover[(y * width + x) as usize].mul_add(1.6, -0.3).clamp(0.0, 1.0))
    })
}

/// Draws an ellipse or a box of one color.
fn shape(random: &mut Random, picture: &mut RgbImage) {
    let (width, height) = picture.dimensions();
    let center = (random.part() * real(width), random.part() * real(height));
    let mut radius = || (random.part() * 0.22 + 0.02) * real(width.min(height));
    let radii = (radius(), radius());
    let (round, color, weight) = (random.part() < 0.6, random.color(), random.part() * 0.6 + 0.4);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (across, down) = ((real(x) - center.0) / radii.0, (real(y) - center.1) / radii.1);
        let inside = if round { across.hypot(down) } else { across.abs().max(down.abs()) } < 1.0;
        if inside {
            *pixel = blend(pixel.0.map(f32::from), color, weight);
        }
    }
}

/// The transforms, by name.
pub(crate) const TRANSFORMS: [(&str, Transform); 27] = [
    ("unchanged", |it, _| it.clone()),
    ("JPEG 30", |it, _| recompress(it, 30)),
    ("JPEG 50", |it, _| recompress(it, 50)),
    ("JPEG 70", |it, _| recompress(it, 70)),
    ("JPEG 95", |it, _| recompress(it, 95)),
    ("resize 25 %", |it, _| resize(it, 25, 25)),
    ("resize 50 %", |it, _| resize(it, 50, 50)),
    ("resize 150 %", |it, _| resize(it, 150, 150)),
    ("resize 100 x 80 %", |it, _| resize(it, 100, 80)),
    ("crop 5 %", |it, random| crop(it, 5, random)),
    ("crop 10 %", |it, random| crop(it, 10, random)),
    ("crop 15 %", |it, random| crop(it, 15, random)),
    ("crop 20 %", |it, random| crop(it, 20, random)),
    ("crop 5 %, even", |it, _| crop_evenly(it, 5)),
    ("crop 10 %, even", |it, _| crop_evenly(it, 10)),
    ("crop 15 %, even", |it, _| crop_evenly(it, 15)),
    ("crop 20 %, even", |it, _| crop_evenly(it, 20)),
    ("rotate 90°", |it, _| imageops::rotate90(it)),
    ("rotate 180°", |it, _| imageops::rotate180(it)),
    ("rotate 270°", |it, _| imageops::rotate270(it)),
    ("mirror", |it, _| imageops::flip_horizontal(it)),
    ("mirror, rotate 90°", |it, _| imageops::rotate90(&imageops::flip_horizontal(it))),
    ("border 3 %", |it, random| border(it, 3, random)),
    ("border 10 %", |it, random| border(it, 10, random)),
    ("text, a line", |it, random| text(it, 16, random)),
    ("text, a band", |it, random| text(it, 8, random)),
    ("text, mirror, JPEG 50", |it, random| {
        recompress(&imageops::flip_horizontal(&text(it, 16, random)), 50)
    }),
];

/// A transform of an image.
pub(crate) type Transform = fn(&RgbImage, &mut Random) -> RgbImage;

/// Encodes an image as a JPEG file.
pub(crate) fn file(picture: &RgbImage, quality: u8) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture)?;
    Ok(bytes)
}

fn recompress(picture: &RgbImage, quality: u8) -> RgbImage {
    let read = |bytes: Vec<u8>| image::load(Cursor::new(bytes), ImageFormat::Jpeg);
    let bytes = file(picture, quality).unwrap_or_default();
    read(bytes).map_or_else(|_| picture.clone(), image::DynamicImage::into_rgb8)
}

fn resize(picture: &RgbImage, across: u32, down: u32) -> RgbImage {
    let (width, height) = (picture.width() * across / 100, picture.height() * down / 100);
    imageops::resize(picture, width, height, FilterType::CatmullRom)
}

/// Crops a percentage of the width and height, at random sides.
fn crop(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let (width, height) = picture.dimensions();
    let (across, down) = (width * percent / 100, height * percent / 100);
    let (left, top) = (random.between(0, across + 1), random.between(0, down + 1));
    imageops::crop_imm(picture, left, top, width - across, height - down).to_image()
}

/// Crops the same amount at each side.
fn crop_evenly(picture: &RgbImage, percent: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let (across, down) = (width * percent / 100, height * percent / 100);
    let part = imageops::crop_imm(picture, across / 2, down / 2, width - across, height - down);
    part.to_image()
}

/// Adds a border of one color.
fn border(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let (width, height) = picture.dimensions();
    let wide = width * percent / 100;
    let color = blend(random.color(), [255.0; 3], if random.part() < 0.5 { 1.0 } else { 0.0 });
    let mut framed = RgbImage::from_pixel(width + 2 * wide, height + 2 * wide, color);
    imageops::replace(&mut framed, picture, wide.into(), wide.into());
    framed
}

/// Draws white letters whose height is this fraction of the image's: small ones over half of the
/// width, large ones on a dark band.
fn text(picture: &RgbImage, part: u32, random: &mut Random) -> RgbImage {
    let mut written = picture.clone();
    let (width, height) = picture.dimensions();
    let (size, band) = (height / part, part < 16);
    let top = random.between(0, height - size);
    let end = if band { width } else { width / 2 };
    let strokes: Vec<u64> = (0..width).map(|_| random.next()).collect();
    for y in top..top + size {
        for x in 0..end {
            let pixel = written.get_pixel_mut(x, y);
            let (row, column) = ((y - top) * 8 / size, x * 8 / size);
            let letter = strokes[(column / 6) as usize] >> (row * 6 + column % 6);
            let ink = (1..7).contains(&row) && column % 6 != 5 && letter & 1 == 1;
            if ink {
                *pixel = Rgb([255; 3]);
            } else if band {
                *pixel = blend(pixel.0.map(f32::from), [0.0; 3], 0.4);
            }
        }
    }
    written
}

fn blend(from: [f32; 3], to: [f32; 3], weight: f32) -> Rgb<u8> {
    let [red, green, blue] = [0, 1, 2].map(|at| mix(from[at], to[at], weight));
    Rgb([red, green, blue].map(|it| u8::try_from(whole(it + 0.5)).unwrap_or(u8::MAX)))
}

fn mix(from: f32, to: f32, weight: f32) -> f32 {
    (to - from).mul_add(weight, from)
}

#[expect(clippy::cast_precision_loss, reason = "sides of images are far below 2^24")]
fn real(value: u32) -> f32 {
    value as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
fn whole(value: f32) -> u32 {
    value as u32
}
