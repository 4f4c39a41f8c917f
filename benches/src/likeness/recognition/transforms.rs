//! What people do to pictures before they publish them.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ImageFormat, Rgb, RgbImage};

use super::draw::{banner, caption, circle, line_of_text, logo, write};
use super::number::{byte, real, whole};
use super::random::Random;
use super::warp::{perspective, rotate};

/// A transform with its strength. The second picture is an unrelated one, for collages and insets.
pub(crate) type Transform = fn(&RgbImage, &RgbImage, &mut Random) -> RgbImage;

/// The transforms by name.
pub(crate) const TRANSFORMS: [(&str, Transform); 58] = [
    ("unchanged", |it, _, _| it.clone()),
    ("crop to 90 %", |it, _, random| crop(it, 90, random)),
    ("crop to 75 %", |it, _, random| crop(it, 75, random)),
    ("crop to 50 %", |it, _, random| crop(it, 50, random)),
    ("crop to 30 %", |it, _, random| crop(it, 30, random)),
    ("crop to 20 %", |it, _, random| crop(it, 20, random)),
    ("scale 50 %", |it, _, _| scale(it, 50, 50)),
    ("scale 25 %", |it, _, _| scale(it, 25, 25)),
    ("scale 15 %", |it, _, _| scale(it, 15, 15)),
    ("stretch 100 x 80 %", |it, _, _| scale(it, 100, 80)),
    ("JPEG 95", |it, _, _| jpeg(it, 95)),
    ("JPEG 50", |it, _, _| jpeg(it, 50)),
    ("JPEG 30", |it, _, _| jpeg(it, 30)),
    ("JPEG 20", |it, _, _| jpeg(it, 20)),
    ("rotation 5°", |it, _, _| rotate(it, 5.0)),
    ("rotation 15°", |it, _, _| rotate(it, 15.0)),
    ("rotation 45°", |it, _, _| rotate(it, 45.0)),
    ("rotation 90°", |it, _, _| imageops::rotate90(it)),
    ("mirror", |it, _, _| imageops::flip_horizontal(it)),
    ("mirror, crop to 50 %", |it, _, random| crop(&imageops::flip_horizontal(it), 50, random)),
    ("border 5 %", |it, _, random| border(it, 5, random)),
    ("border 15 %", |it, _, random| border(it, 15, random)),
    ("text, a line", line),
    ("text banner 20 %", |it, _, random| banner(it, 20, random)),
    ("text banner 33 %", |it, _, random| banner(it, 33, random)),
    ("logo 10 %", |it, _, random| logo(it, 10, random)),
    ("logo 25 %", |it, _, random| logo(it, 25, random)),
    ("screenshot of a post", |it, _, random| screenshot(it, 80, random)),
    ("screenshot, small", |it, _, random| screenshot(it, 55, random)),
    ("meme captions", |it, _, random| caption(it, random)),
    ("collage of two", |it, other, random| collage(it, other, 2, random)),
    ("collage of four", |it, other, random| collage(it, other, 4, random)),
    ("collage of nine", |it, other, random| collage(it, other, 9, random)),
    ("inset 25 % of the area", |it, other, random| inset(it, other, 50, random)),
    ("inset 15 % of the area", |it, other, random| inset(it, other, 39, random)),
    ("inset 6 % of the area", |it, other, random| inset(it, other, 25, random)),
    ("color, gray", |it, _, _| each(it, |[r, g, b]| [0.3 * r + 0.59 * g + 0.11 * b; 3])),
    ("color, brighter", |it, _, _| each(it, |it| it.map(|it| it * 1.25 + 25.0))),
    ("color, darker", |it, _, _| each(it, |it| it.map(|it| it * 0.5))),
    ("color, low contrast", |it, _, _| each(it, |it| it.map(|it| it * 0.4 + 80.0))),
    ("color, gamma", |it, _, _| each(it, |it| it.map(|it| (it / 255.0).powf(1.8) * 255.0))),
    ("color, tint", |it, _, _| each(it, |[r, g, b]| [r * 1.1 + 20.0, g * 0.95, b * 0.6])),
    ("color, inverted", |it, _, _| each(it, |it| it.map(|it| 255.0 - it))),
    ("blur 0.3 %", |it, _, _| blur(it, 0.003)),
    ("blur 0.6 %", |it, _, _| blur(it, 0.006)),
    ("noise 10", |it, _, random| noise(it, 10.0, random)),
    ("noise 25", |it, _, random| noise(it, 25.0, random)),
    ("perspective, mild", |it, _, random| perspective(it, 0.08, random)),
    ("perspective, strong", |it, _, random| perspective(it, 0.18, random)),
    ("video still", |it, _, _| video(it, 480, 40)),
    ("video still, poor", |it, _, _| video(it, 240, 30)),
    ("photo of a screen", photo_of_screen),
    ("chain: crop, banner, JPEG", |it, _, random| {
        jpeg(&banner(&crop(it, 70, random), 18, random), 40)
    }),
    ("chain: rotation, border, JPEG", |it, _, random| {
        jpeg(&border(&rotate(it, 8.0), 8, random), 35)
    }),
    ("chain: mirror, color, crop", |it, _, random| {
        let tint = each(&imageops::flip_horizontal(it), |[r, g, b]| [r * 1.15, g, b * 0.7]);
        crop(&tint, 60, random)
    }),
    ("chain: scale, text, video still", |it, other, random| {
        video(&line(&scale(it, 50, 50), other, random), 360, 45)
    }),
    ("chain: crop, screenshot, JPEG", |it, _, random| {
        jpeg(&screenshot(&crop(it, 75, random), 75, random), 50)
    }),
    ("chain: any three", any_three),
];

fn line(picture: &RgbImage, _: &RgbImage, random: &mut Random) -> RgbImage {
    line_of_text(picture, random)
}

/// Three different transforms, drawn at random.
fn any_three(picture: &RgbImage, other: &RgbImage, random: &mut Random) -> RgbImage {
    const CHOICE: [Transform; 10] = [
        |it, _, random| crop(it, 70, random),
        |it, _, _| scale(it, 50, 50),
        |it, _, _| rotate(it, 7.0),
        |it, _, _| imageops::flip_horizontal(it),
        |it, _, random| border(it, 8, random),
        |it, _, random| banner(it, 18, random),
        |it, _, _| each(it, |[r, g, b]| [r * 1.1 + 10.0, g * 0.9, b * 0.8]),
        |it, _, random| logo(it, 15, random),
        |it, _, random| perspective(it, 0.06, random),
        |it, _, _| jpeg(it, 40),
    ];
    let mut left: Vec<Transform> = CHOICE.to_vec();
    let mut changed = picture.clone();
    for _ in 0..3 {
        let at = random.below(left.len());
        changed = left.swap_remove(at)(&changed, other, random);
    }
    changed
}

/// Keeps this share of the area, with the same proportions, at a random place.
fn crop(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let side = (real(percent) / 100.0).sqrt();
    let (width, height) = picture.dimensions();
    let kept = |it: u32| whole(real(it) * side).max(1);
    let (across, down) = (kept(width), kept(height));
    let (left, top) = (random.between(0, width - across + 1), random.between(0, height - down + 1));
    imageops::crop_imm(picture, left, top, across, down).to_image()
}

fn scale(picture: &RgbImage, across: u32, down: u32) -> RgbImage {
    let side = |it: u32, by: u32| (it * by / 100).max(1);
    let (width, height) = (side(picture.width(), across), side(picture.height(), down));
    imageops::resize(picture, width, height, FilterType::CatmullRom)
}

/// Scales so that the longer side is this long.
fn scale_to(picture: &RgbImage, side: u32) -> RgbImage {
    let longer = picture.width().max(picture.height());
    let fit = |it: u32| (it * side / longer).max(1);
    let (width, height) = (fit(picture.width()), fit(picture.height()));
    imageops::resize(picture, width, height, FilterType::Triangle)
}

/// Encodes and decodes a picture.
pub(crate) fn jpeg(picture: &RgbImage, quality: u8) -> RgbImage {
    let mut bytes = Vec::new();
    let done = JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture);
    let read = |()| image::load(Cursor::new(bytes), ImageFormat::Jpeg);
    done.and_then(read).map_or_else(|_| picture.clone(), image::DynamicImage::into_rgb8)
}

fn border(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let (width, height) = picture.dimensions();
    let wide = width * percent / 100;
    let mut framed = RgbImage::from_pixel(width + 2 * wide, height + 2 * wide, random.color());
    imageops::replace(&mut framed, picture, wide.into(), wide.into());
    framed
}

/// A page with a heading, rows of text, buttons and the picture at this share of the width.
fn screenshot(picture: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let dark = random.between(0, 2) == 0;
    let ground = if dark { Rgb([24, 26, 30]) } else { Rgb([250, 250, 252]) };
    let ink = if dark { Rgb([225; 3]) } else { Rgb([30; 3]) };
    let width = picture.width() * 100 / percent;
    let (head, foot) = (width / 8, width / 5);
    let mut page = RgbImage::from_pixel(width, picture.height() + head + foot, ground);
    let left = (width - picture.width()) / 2;
    imageops::replace(&mut page, picture, left.into(), head.into());
    let size = (width / 60).max(6);
    circle(&mut page, (left + head / 3, head / 2), head / 4, Rgb([200, 80, 60]));
    let text = random.words(4);
    write(&mut page, &text, (left + head, head / 3), size, ink);
    for row in 0..4 {
        let text = random.words(9);
        let top = head + picture.height() + size * (1 + row * 2);
        write(&mut page, &text, (left, top), size, ink);
    }
    page
}

/// Several pictures of the same size, this one among them at a random place.
fn collage(picture: &RgbImage, other: &RgbImage, count: u32, random: &mut Random) -> RgbImage {
    let (columns, side) = if count == 2 { (2, 1) } else { (count.isqrt(), count.isqrt()) };
    let (width, height) = picture.dimensions();
    let mut all = RgbImage::new(width * columns, height * side);
    let place = random.between(0, count);
    let filler = imageops::resize(other, width, height, FilterType::Triangle);
    for at in 0..count {
        let (left, top) = (at % columns * width, at / columns * height);
        let turned = match at % 4 {
            0 => filler.clone(),
            1 => imageops::flip_horizontal(&filler),
            2 => imageops::rotate180(&filler),
            _ => imageops::flip_vertical(&filler),
        };
        let tile = if at == place { picture } else { &turned };
        imageops::replace(&mut all, tile, left.into(), top.into());
    }
    all
}

/// The picture inside another one, its width this share of the other's.
fn inset(picture: &RgbImage, other: &RgbImage, percent: u32, random: &mut Random) -> RgbImage {
    let mut outer = scale_to(other, 1_024);
    let (width, height) = outer.dimensions();
    let by = (real(width) / real(picture.width())).min(real(height) / real(picture.height()));
    let by = by * real(percent) / 100.0;
    let side = |it: u32| whole(real(it) * by).max(1);
    let (across, down) = (side(picture.width()), side(picture.height()));
    let small = imageops::resize(picture, across, down, FilterType::Triangle);
    let left = random.between(0, width - across + 1);
    let top = random.between(0, height - down + 1);
    imageops::replace(&mut outer, &small, left.into(), top.into());
    outer
}

fn each(picture: &RgbImage, change: impl Fn([f32; 3]) -> [f32; 3]) -> RgbImage {
    let mut changed = picture.clone();
    for pixel in changed.pixels_mut() {
        pixel.0 = change(pixel.0.map(f32::from)).map(byte);
    }
    changed
}

/// Blurs by this share of the longer side.
fn blur(picture: &RgbImage, share: f32) -> RgbImage {
    imageops::fast_blur(picture, real(picture.width().max(picture.height())) * share)
}

fn noise(picture: &RgbImage, strength: f32, random: &mut Random) -> RgbImage {
    let mut changed = picture.clone();
    for pixel in changed.pixels_mut() {
        // The sum of four is nearly normal.
        pixel.0 = pixel.0.map(|it| {
            let sum = (0..4).map(|_| random.part() - 0.5).sum::<f32>();
            byte(f32::from(it) + sum * strength * 1.732)
        });
    }
    changed
}

/// A frame of a video: few lines, coarse colors, strong compression, and scaled up again.
fn video(picture: &RgbImage, lines: u32, quality: u8) -> RgbImage {
    let (width, height) = picture.dimensions();
    let by = real(lines) / real(height.min(width));
    if by >= 1.0 {
        return jpeg(&blur(picture, 0.002), quality);
    }
    let side = |it: u32| whole(real(it) * by).max(16);
    let small = imageops::resize(picture, side(width), side(height), FilterType::Triangle);
    let coarse = jpeg(&blur(&small, 0.002), quality);
    imageops::resize(&coarse, width, height, FilterType::CatmullRom)
}

/// Another angle, other colors, the lines of a screen, and blur.
fn photo_of_screen(picture: &RgbImage, _: &RgbImage, random: &mut Random) -> RgbImage {
    let mut tilted = perspective(&rotate(picture, 3.0), 0.05, random);
    for (x, y, pixel) in tilted.enumerate_pixels_mut() {
        let line = if y % 3 == 0 { 0.85 } else { 1.0 };
        let mask = if x % 3 == 0 { 0.92 } else { 1.0 };
        pixel.0 = pixel.0.map(|it| byte(f32::from(it) * line * mask * 0.9 + 15.0));
    }
    jpeg(&blur(&tilted, 0.001), 60)
}
