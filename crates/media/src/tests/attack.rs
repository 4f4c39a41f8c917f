//! Files that are not images, have false headers, or were tampered with.

use super::result::animated_png;
use super::*;

#[test]
fn only_the_content_says_what_something_is() {
    for other in [
        b"".as_slice(),
        b"\xff",
        b"\xff\xd8",
        b"GIF89a\x01\0\x01\0\0\0\0;",
        b"BM\x46\0\0\0",
        b"II*\0\x08\0\0\0",
        b"\0\0\0\x20ftypavif",
        b"\0\0\0\x20ftypheic",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<?xml version='1.0'?><svg/>",
        b"<!doctype html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"RIFF\x04\0\0\0WAVE",
    ] {
        assert_eq!(prepare(other.to_vec()), Err(InvalidImage::UnknownType), "{other:?}");
    }
}

#[test]
fn a_picture_cut_off_anywhere_is_refused() {
    for (kind, bytes) in each() {
        for part in 0..20 {
            let cut = bytes[..bytes.len() * part / 20].to_vec();
            assert!(prepare(cut).is_err(), "{kind:?} {part}/20");
        }
        for missing in 1..=12 {
            let cut = bytes[..bytes.len() - missing].to_vec();
            assert!(prepare(cut).is_err(), "{kind:?} without {missing}");
        }
    }
}

#[test]
fn a_header_may_not_promise_too_much() {
    let mut jpeg = jpeg(60, 40);
    let frame = jpeg.windows(2).position(|it| it == [0xff, 0xc0]).unwrap();
    for (height, width) in [(10_000_u16, 10_000_u16), (65_535, 65_535), (1, 20_001)] {
        jpeg[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
        jpeg[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
        let (width, height) = (width.into(), height.into());
        let refused = InvalidImage::TooManyPixels { width, height };
        assert_eq!(prepare(jpeg.clone()), Err(refused));
    }
    for (width, height) in [(10_000_u32, 10_000_u32), (u32::MAX, u32::MAX), (20_001, 1)] {
        let refused = InvalidImage::TooManyPixels { width, height };
        assert_eq!(prepare(png_header(width, height)), Err(refused));
    }
    assert_eq!(prepare(png_header(0, 5)), Err(InvalidImage::Damaged));
    let huge = riff(&[vp8x(0, 10_000, 10_000), picture_chunk(&webp(60, 40))]);
    let refused = InvalidImage::TooManyPixels { width: 10_000, height: 10_000 };
    assert_eq!(prepare(huge), Err(refused));
}

/// A PNG of this size that has no pixels.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let chunks = [png_chunk("IHDR", &header), png_chunk("IDAT", b""), png_chunk("IEND", b"")];
    [png::SIGNATURE, &chunks.concat()].concat()
}

#[test]
fn a_header_that_promises_less_than_comes_is_refused_or_obeyed() {
    let large = webp(600, 400);
    let lying = riff(&[vp8x(0, 60, 40), picture_chunk(&large)]);
    assert_eq!(prepare(lying), Err(InvalidImage::Damaged));
    // Of a PNG of one row that inflates to a thousand, only one row is read.
    let mut png = png(1000, 1000);
    let header = [&1000_u32.to_be_bytes()[..], &1_u32.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    png.splice(8..33, png_chunk("IHDR", &header));
    if let Ok(prepared) = prepare(png) {
        assert_eq!((prepared.width, prepared.height), (1000, 1));
    }
}

#[test]
fn animations_are_refused() {
    let frame = riff(&[
        vp8x(0x02, 60, 40),
        riff_chunk("ANIM", &[0; 6]),
        riff_chunk("ANMF", &[&[0; 16], picture_chunk(&webp(60, 40)).as_slice()].concat()),
    ]);
    let unsaid =
        riff(&[vp8x(0, 60, 40), riff_chunk("ANIM", &[0; 6]), picture_chunk(&webp(60, 40))]);
    for bytes in [animated_png(), frame, unsaid] {
        assert_eq!(prepare(bytes), Err(InvalidImage::Animated));
    }
}

#[test]
fn a_jpeg_of_countless_scans_is_refused() {
    let original = jpeg(60, 40);
    let scan = original.windows(2).position(|it| it == [0xff, 0xda]).unwrap();
    let (head, scan) = (&original[..scan], &original[scan..original.len() - 2]);
    let many = [head, &scan.repeat(1_000), b"\xff\xd9"].concat();
    assert_eq!(prepare(many), Err(InvalidImage::UncommonJpeg));
}

#[test]
fn no_mutation_makes_it_panic() {
    let mut random = Random(7);
    for (_, original) in each() {
        for round in 0..1_000 {
            let mut bytes = original.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = random.byte(),
                    1 => bytes[at] ^= 1 << random.below(8),
                    2 => drop(bytes.remove(at)),
                    _ => bytes.truncate(at.max(20)),
                }
            }
            let decoded = |bytes: Vec<u8>| {
                decode(bytes, Mode::Store, |_| DRAFT).map(|(_, still, _)| still.bytes)
            };
            if let Ok(kept) = decoded(bytes.clone()) {
                // What is kept is intact: it passes again, and other decoders can read it.
                assert_eq!(decoded(kept.clone()), Ok(kept));
            }
            // Features take most of the time.
            if round % 25 == 0 {
                assert_eq!(prepare(bytes.clone()).is_ok(), decoded(bytes.clone()).is_ok());
                compared(bytes);
            }
        }
    }
}

/// Goes the way of a picture that is looked up, and returns how many features it has.
fn compared(bytes: Vec<u8>) -> usize {
    see(bytes).map_or(0, |it| it.brightness.query().len())
}

#[test]
fn pictures_of_any_size_and_color_are_described() {
    let flat = |width, height| encoded(&RgbImage::new(width, height), ImageFormat::Png);
    for bytes in [flat(1, 1), flat(1, 3_000), flat(3_000, 1), flat(2_000, 1_999), flat(641, 7)] {
        assert_eq!(describe(bytes.clone()).map(|it| it.count), Ok(0));
        assert_eq!(prepare(bytes.clone()).map(|it| it.features.count), Ok(0));
        assert_eq!(compared(bytes), 0);
    }
    let mut random = Random(3);
    let noise = RgbImage::from_fn(700, 500, |_, _| ::image::Rgb([random.byte(); 3]));
    let noise = encoded(&noise, ImageFormat::Png);
    let described = describe(noise.clone()).unwrap();
    assert!(described.count <= 400 && described.features.len() <= 15_000, "{}", described.count);
    assert!(described.entries.len() <= 1_600 && compared(noise.clone()) <= 500);
    assert_eq!(prepare(noise).unwrap().features, described);
}
