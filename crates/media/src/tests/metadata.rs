//! Metadata is not kept.

use ::image::metadata::Orientation;

use super::*;

const PLANTED: &str = "planted-51.4779N-0.0015W";

fn assert_clean(bytes: Vec<u8>, original: &[u8]) {
    assert!(contains(&bytes, PLANTED));
    let prepared = prepare(bytes).unwrap();
    assert!(!contains(&prepared.bytes, PLANTED));
    assert!(!contains(&prepared.thumbnail, PLANTED));
    for word in ["Exif", "EXIF", "eXIf", "XMP ", "ns.adobe.com", "ICC_PROFILE", "ICCP", "iCCP"] {
        assert!(!contains(&prepared.bytes, word), "{word}");
    }
    assert_eq!(pixels(&prepared.bytes), pixels(original), "not a bit is lost");
}

#[test]
fn of_a_jpeg_the_pixels_stay_as_they_were() {
    let original = jpeg(60, 40);
    let text = |start: &[u8]| [start, PLANTED.as_bytes()].concat();
    let segments = [
        segment(0xe1, &[b"Exif\0\0".as_slice(), &exif(1, PLANTED)].concat()),
        segment(0xe1, &text(b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>")),
        segment(0xe2, &text(b"ICC_PROFILE\0\x01\x01")),
        segment(0xe2, &text(b"MPF\0")),
        segment(0xed, &text(b"Photoshop 3.0\0")),
        segment(0xe0, &text(b"JFXX\0\x10")),
        segment(0xe0, &text(b"JFIF\0\x01\x01\0\0\x01\0\x01\x08\x01")),
        segment(0xef, &text(b"")),
        segment(0xfe, &text(b"a comment ")),
    ];
    for one in &segments {
        assert_clean(with_segments(&original, std::slice::from_ref(one)), &original);
    }
    assert_clean(with_segments(&original, &segments), &original);
}

#[test]
fn of_a_jpeg_between_its_scans_too() {
    let original = jpeg(60, 40);
    let end = original.len() - 2;
    let comment = segment(0xfe, PLANTED.as_bytes());
    let bytes = [&original[..end], &comment, &original[end..]].concat();
    assert_clean(bytes, &original);
}

#[test]
fn how_a_jpeg_writes_its_colors_stays() {
    // Without this segment, RGB would be decoded as YCbCr.
    let adobe = segment(0xee, b"Adobe\0\x64\0\0\0\0\x00more words");
    let original = jpeg(60, 40);
    // Remove the encoder's own header, which contradicts it.
    let without_jfif = [&original[..2], &adobe, &original[20..]].concat();
    let prepared = prepare(without_jfif.clone()).unwrap();
    assert!(contains(&prepared.bytes, "Adobe") && !contains(&prepared.bytes, "more words"));
    assert_eq!(pixels(&prepared.bytes), pixels(&without_jfif));
    assert_ne!(pixels(&prepared.bytes), pixels(&original));
}

#[test]
fn of_a_png_the_pixels_stay_as_they_were() {
    let original = png(60, 40);
    let planted = PLANTED.as_bytes();
    let chunks = [
        png_chunk("eXIf", &exif(1, PLANTED)),
        png_chunk("tEXt", &[b"Comment\0", planted].concat()),
        png_chunk("zTXt", &[b"Comment\0\0", planted].concat()),
        png_chunk("iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", planted].concat()),
        png_chunk("iCCP", &[b"profile\0\0", planted].concat()),
        png_chunk("tIME", planted),
        png_chunk("gAMA", planted),
        png_chunk("prVt", planted),
    ];
    for one in &chunks {
        assert_clean(with_chunks(&original, std::slice::from_ref(one)), &original);
    }
    assert_clean(with_chunks(&original, &chunks), &original);
}

#[test]
fn the_colors_of_a_png_stay() {
    let gamma = png_chunk("gAMA", &45_455_u32.to_be_bytes());
    let bytes = with_chunks(&png(60, 40), &[gamma, png_chunk("sRGB", b"\0")]);
    assert_eq!(prepare(bytes.clone()).unwrap().bytes, bytes);
}

#[test]
fn of_a_webp_the_pixels_stay_as_they_were() {
    let original = webp(60, 40);
    let flags = 0x20 | 0x08 | 0x04;
    let bytes = riff(&[
        vp8x(flags, 60, 40),
        riff_chunk("ICCP", PLANTED.as_bytes()),
        picture_chunk(&original),
        riff_chunk("EXIF", &exif(1, PLANTED)),
        riff_chunk("XMP ", PLANTED.as_bytes()),
        riff_chunk("junk", PLANTED.as_bytes()),
    ]);
    assert_clean(bytes.clone(), &original);
    let prepared = prepare(bytes).unwrap();
    assert_eq!(prepared.bytes, riff(&[vp8x(0, 60, 40), picture_chunk(&original)]));
}

#[test]
fn nothing_follows_the_end_of_the_picture() {
    for (kind, original) in each() {
        let zip = [b"PK\x03\x04".as_slice(), PLANTED.as_bytes(), b"PK\x05\x06"].concat();
        let prepared = prepare([original.clone(), zip].concat()).unwrap();
        assert!(!contains(&prepared.bytes, "PK"), "{kind:?}");
        assert_eq!(prepared, prepare(original).unwrap(), "{kind:?}");
    }
}

#[test]
fn a_picture_held_sideways_is_turned_and_its_note_is_gone() {
    let upright = gradient(60, 40);
    for orientation in 1..=8_u8 {
        // The pixels that a camera with this orientation would have written.
        let mut stored = ::image::DynamicImage::from(upright.clone());
        let inverse = [1, 2, 3, 4, 5, 8, 7, 6][usize::from(orientation) - 1];
        stored.apply_orientation(Orientation::from_exif(inverse).unwrap());
        let note = [b"Exif\0\0".as_slice(), &exif(orientation, PLANTED)].concat();
        let bytes = with_segments(&jpeg_of(&stored.into_rgb8()), &[segment(0xe1, &note)]);

        let prepared = prepare(bytes).unwrap();
        assert_eq!((prepared.width, prepared.height), (60, 40), "{orientation}");
        assert!(!contains(&prepared.bytes, PLANTED) && !contains(&prepared.bytes, "Exif"));
        assert_alike(&pixels(&prepared.bytes), &upright, orientation);
        assert_alike(&pixels(&prepared.thumbnail), &upright, orientation);
    }
}

fn assert_alike(seen: &RgbaImage, upright: &RgbImage, orientation: u8) {
    assert_eq!(seen.dimensions(), upright.dimensions(), "{orientation}");
    for (x, y) in [(5, 5), (55, 5), (5, 35), (55, 35)] {
        let (seen, wanted) = (seen.get_pixel(x, y).0, upright.get_pixel(x, y).0);
        let near = seen.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) < 24);
        assert!(near, "orientation {orientation} at {x}, {y}: {seen:?}, not {wanted:?}");
    }
}
