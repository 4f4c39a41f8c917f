//! JPEGs for print, in CMYK or YCCK, have the colors of the same image in RGB.

use super::*;

/// The gradient of 60 × 40 pixels in CMYK, with black ink, by libjpeg-turbo.
const CMYK: &[u8] = include_bytes!("samples/inks.jpg");
/// The same in YCCK.
const YCCK: &[u8] = include_bytes!("samples/ycck.jpg");
/// The gradient of 1280 × 16 pixels in CMYK, which is decoded at half its size.
const WIDE: &[u8] = include_bytes!("samples/inks_wide.jpg");

/// Each way to write inks.
fn each_way() -> [(&'static str, Vec<u8>); 3] {
    // The Adobe header is the first segment, of 16 bytes.
    let bare = [&CMYK[..2], &CMYK[18..]].concat();
    assert!(contains(CMYK, "Adobe") && !contains(&bare, "Adobe"));
    [("CMYK", CMYK.to_vec()), ("YCCK", YCCK.to_vec()), ("CMYK without a header", bare)]
}

/// The mean color of each quarter.
fn quarters(image: &RgbaImage) -> [[u32; 3]; 4] {
    let (width, height) = (image.width() / 2, image.height() / 2);
    [(0, 0), (width, 0), (0, height), (width, height)].map(|(left, top)| {
        let part = ::image::imageops::crop_imm(image, left, top, width, height).to_image();
        let sum = |channel: usize| part.pixels().map(|it| u32::from(it.0[channel])).sum::<u32>();
        [0, 1, 2].map(|channel| sum(channel) / (width * height))
    })
}

fn assert_alike(what: &str, seen: &RgbaImage, wanted: &RgbaImage) {
    assert_eq!(seen.dimensions(), wanted.dimensions(), "{what}");
    let (seen, wanted) = (quarters(seen), quarters(wanted));
    let near = seen.iter().flatten().zip(wanted.iter().flatten()).all(|(a, b)| a.abs_diff(*b) < 8);
    assert!(near, "{what}: {seen:?}, not {wanted:?}");
}

/// What hashes and features are computed from.
fn drafts(bytes: &[u8]) -> [RgbaImage; 2] {
    [Mode::Store, Mode::Analyze].map(|mode| {
        let (.., draft) = decode(bytes.to_vec(), mode, |_| DRAFT).unwrap();
        ::image::DynamicImage::from(draft).into_rgba8()
    })
}

/// Everything that is made of an image to be shown.
fn copies(bytes: &[u8]) -> [RgbaImage; 4] {
    let thumbnail = prepare(bytes.to_vec()).unwrap().thumbnail;
    let small = copy(bytes.to_vec(), 320).unwrap();
    let large = downscale(bytes.to_vec(), 1024, 480).unwrap();
    [thumbnail, small, large.bytes, large.thumbnail].map(|it| pixels(&it))
}

fn assert_same_colors(what: &str, inks: &[u8], light: &[u8]) {
    for (seen, wanted) in drafts(inks).iter().zip(&drafts(light)) {
        assert_alike(what, seen, wanted);
    }
    for (seen, wanted) in copies(inks).iter().zip(&copies(light)) {
        assert_alike(what, seen, wanted);
    }
}

#[test]
fn inks_are_read_as_the_colors_that_they_print() {
    for (what, bytes) in each_way() {
        assert_same_colors(what, &bytes, &jpeg(60, 40));
    }
}

#[test]
fn inks_of_a_picture_that_is_decoded_smaller_too() {
    assert_eq!(drafts(WIDE)[0].dimensions(), (640, 8));
    assert_same_colors("wide", WIDE, &jpeg(1280, 16));
}

#[test]
fn inks_of_a_picture_held_sideways_too() {
    let note = [b"Exif\0\0".as_slice(), &exif(6, "sideways")].concat();
    let turned = |bytes: &[u8]| with_segments(bytes, &[segment(0xe1, &note)]);
    let light = turned(&jpeg(60, 40));
    for (what, bytes) in each_way() {
        let inks = turned(&bytes);
        let [stored, wanted] = [&inks, &light].map(|it| prepare(it.clone()).unwrap().bytes);
        assert_eq!(pixels(&stored).dimensions(), (40, 60), "{what}");
        assert_alike(what, &pixels(&stored), &pixels(&wanted));
        assert_same_colors(what, &inks, &light);
    }
}
