//! Data hidden after the coded pixels is cut off, or the image is refused.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::*;

/// Longer than any extra data that may stay undetected.
const PLANTED: &str = "planted-behind-the-pixels";

/// Images by the most common encoders (libjpeg-turbo and libwebp).
const SAMPLES: [(&str, &[u8]); 8] = [
    ("baseline.jpg", include_bytes!("samples/baseline.jpg")),
    ("progressive.jpg", include_bytes!("samples/progressive.jpg")),
    ("restart.jpg", include_bytes!("samples/restart.jpg")),
    ("gray.jpg", include_bytes!("samples/gray.jpg")),
    ("cmyk.jpg", include_bytes!("samples/cmyk.jpg")),
    ("lossy.webp", include_bytes!("samples/lossy.webp")),
    ("lossless.webp", include_bytes!("samples/lossless.webp")),
    ("alpha.webp", include_bytes!("samples/alpha.webp")),
];

fn sample(name: &str) -> &'static [u8] {
    SAMPLES.iter().find(|it| it.0 == name).unwrap().1
}

/// The planted text is in the upload but not in the prepared image, which has the same pixels.
fn assert_gone(what: &str, planted: Vec<u8>, original: &[u8]) {
    assert!(contains(&planted, PLANTED), "{what}: the control finds it");
    match prepare(planted) {
        Ok(prepared) => {
            assert!(!contains(&prepared.bytes, PLANTED), "{what}: it rides along");
            assert!(!contains(&prepared.thumbnail, PLANTED), "{what}: in the thumbnail");
            assert_eq!(pixels(&prepared.bytes), pixels(original), "{what}: not a bit is lost");
        }
        Err(error) => assert_eq!(error, InvalidImage::Surplus, "{what}"),
    }
}

#[test]
fn what_common_encoders_write_is_taken_as_it_is() {
    for (name, bytes) in SAMPLES {
        let once = prepare(bytes.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(pixels(&once.bytes), pixels(bytes), "{name}: not a bit is lost");
        assert_eq!(prepare(once.bytes.clone()).unwrap(), once, "{name}: once is enough");
    }
}

/// Inserts text before each marker that follows coded pixels, one at a time.
#[test]
fn of_a_jpeg_between_the_last_pixel_and_the_next_marker() {
    let texts = [PLANTED.as_bytes().to_vec(), PLANTED.repeat(40).into_bytes()];
    for (name, bytes) in SAMPLES.iter().filter(|it| it.0.ends_with("jpg")) {
        let first = bytes.windows(2).position(|it| it == [0xff, 0xda]).unwrap();
        let markers = (first + 2..bytes.len() - 1)
            .filter(|at| bytes[*at] == 0xff && !matches!(bytes[at + 1], 0 | 0xff));
        let markers: Vec<usize> = markers.collect();
        assert!(!markers.is_empty(), "{name}");
        for at in markers {
            // Between tables, which do not directly follow pixels, text damages the file.
            for text in &texts {
                let planted = [&bytes[..at], text, &bytes[at..]].concat();
                if prepare(planted.clone()) == Err(InvalidImage::Damaged) {
                    continue;
                }
                assert_gone(&format!("{name} at {at}"), planted, bytes);
            }
        }
        let end = bytes.len() - 2;
        assert_gone(name, [&bytes[..end], &texts[0], &bytes[end..]].concat(), bytes);
        assert_gone(name, [bytes, texts[0].as_slice()].concat(), bytes);
    }
}

#[test]
fn of_a_jpeg_in_tables_that_no_scan_uses() {
    let mut counts = [0; 16];
    counts[7] = u8::try_from(PLANTED.len()).unwrap();
    let huffman = [&[0x13], counts.as_slice(), PLANTED.as_bytes()].concat();
    let mut quantization = [&[0x03], PLANTED.as_bytes()].concat();
    quantization.resize(65, 1);
    for (name, bytes) in SAMPLES.iter().filter(|it| it.0.ends_with("jpg")) {
        for (marker, table) in [(0xc4, &huffman), (0xdb, &quantization)] {
            assert_gone(name, with_segments(bytes, &[segment(marker, table)]), bytes);
        }
    }
}

pub(super) fn zlib(data: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), level);
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A gray PNG of these compressed pixels.
fn png_of(width: u32, height: u32, idat: &[Vec<u8>]) -> Vec<u8> {
    let header = [&width.to_be_bytes(), &height.to_be_bytes(), &[8, 0, 0, 0, 0][..]].concat();
    let mut chunks = vec![b"\x89PNG\r\n\x1a\n".to_vec(), png_chunk("IHDR", &header)];
    chunks.extend(idat.iter().map(|data| png_chunk("IDAT", data)));
    chunks.push(png_chunk("IEND", b""));
    chunks.concat()
}

#[test]
fn of_a_png_behind_its_pixels() {
    let lines: Vec<u8> = (0..40).flat_map(|y| [vec![0], vec![y * 5; 60]].concat()).collect();
    let text = PLANTED.as_bytes();
    let whole = zlib(&lines, Compression::best());
    let original = png_of(60, 40, std::slice::from_ref(&whole));
    let more = zlib(&[&lines, text].concat(), Compression::none());
    for (what, idat) in [
        ("in the same chunk", vec![[&whole, text].concat()]),
        ("in a chunk of its own", vec![whole.clone(), text.to_vec()]),
        ("behind the last line", vec![more]),
        ("another stream", vec![[whole.clone(), zlib(text, Compression::none())].concat()]),
    ] {
        assert_gone(what, png_of(60, 40, &idat), &original);
    }
    let surplus = png_of(60, 40, &[zlib(&[&lines, text].concat(), Compression::none())]);
    assert_eq!(prepare(surplus), Err(InvalidImage::Surplus));
}

#[test]
fn of_a_png_in_chunks_of_color() {
    let original = png(60, 40);
    let mut colors = PLANTED.as_bytes().to_vec();
    colors.resize(32, b'.');
    for chunk in [
        png_chunk("cHRM", &colors),
        png_chunk("PLTE", &colors[..30]),
        png_chunk("tRNS", PLANTED.as_bytes()),
    ] {
        assert_gone("color", with_chunks(&original, &[chunk]), &original);
    }
}

#[test]
fn interlaced_lines_are_counted_too() {
    for (width, height) in [(1, 1), (3, 2), (5, 9), (60, 40)] {
        let mut bytes = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(::png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![9; (width * height * 3) as usize]).unwrap();
        writer.finish().unwrap();
        let plain = prepare(bytes).unwrap();
        assert_eq!((plain.width, plain.height), (width, height));
    }
}

/// A WebP with extra data in one of its chunks.
fn lengthened(webp: &[u8], kind: &str, more: &dyn Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let (mut chunks, mut rest) = (Vec::new(), &webp[12..]);
    while rest.len() >= 8 {
        let length = u32::from_le_bytes(*rest[4..].first_chunk::<4>().unwrap()) as usize;
        let (name, data) = (std::str::from_utf8(&rest[..4]).unwrap(), &rest[8..8 + length]);
        let data = if name == kind { more(data) } else { data.to_vec() };
        chunks.push(riff_chunk(name, &data));
        rest = rest.get(8 + length + length % 2..).unwrap_or_default();
    }
    riff(&chunks)
}

#[test]
fn of_a_webp_behind_its_pixels() {
    for length in [16, PLANTED.len(), 4_000] {
        let text = PLANTED.repeat(200).into_bytes()[..length].to_vec();
        let behind = |data: &[u8]| [data, &text].concat();
        for (name, kind) in [
            ("lossy.webp", "VP8 "),
            ("lossless.webp", "VP8L"),
            ("alpha.webp", "VP8 "),
            ("alpha.webp", "ALPH"),
        ] {
            let planted = lengthened(sample(name), kind, &behind);
            assert_eq!(prepare(planted), Err(InvalidImage::Surplus), "{name} {kind} {length}");
        }
        // After the first partition of a lossy image, the block modes.
        let within = |data: &[u8]| {
            let tag = u32::from_le_bytes([data[0], data[1], data[2], 0]);
            let (size, flags) = ((tag >> 5) as usize, tag & 0x1f);
            let tag = (u32::try_from(size + length).unwrap() << 5 | flags).to_le_bytes();
            [&tag[..3], &data[3..10 + size], &text, &data[10 + size..]].concat()
        };
        let planted = lengthened(sample("lossy.webp"), "VP8 ", &within);
        assert_eq!(prepare(planted), Err(InvalidImage::Surplus), "first part {length}");
    }
    for (kind, original) in each().into_iter().filter(|it| it.0 == ContentType::WebP) {
        let planted = lengthened(&original, "VP8L", &|data| [data, PLANTED.as_bytes()].concat());
        assert_gone(&format!("{kind:?}"), planted, &original);
    }
}

#[test]
fn raw_transparency_ends_with_its_last_pixel() {
    let lossy = sample("lossy.webp");
    let alpha = [vec![0], vec![200; 60 * 40]].concat();
    let of =
        |alpha: &[u8]| riff(&[vp8x(0x10, 60, 40), riff_chunk("ALPH", alpha), picture_chunk(lossy)]);
    let planted = of(&[&alpha, PLANTED.as_bytes()].concat());
    assert_gone("raw transparency", planted, &of(&alpha));
}

/// Hidden data does not prevent an image from being recognized.
#[test]
fn a_picture_that_is_not_kept_is_still_recognized() {
    for (name, kind) in [("lossy.webp", "VP8 "), ("lossless.webp", "VP8L")] {
        let original = sample(name);
        let planted = lengthened(original, kind, &|data| [data, PLANTED.as_bytes()].concat());
        assert_eq!(prepare(planted.clone()), Err(InvalidImage::Surplus));
        assert_eq!(hash(planted).unwrap(), hash(original.to_vec()).unwrap(), "{name}");
    }
    let lines: Vec<u8> = (0..40).flat_map(|y| [vec![0], vec![y * 5; 60]].concat()).collect();
    let clean = png_of(60, 40, &[zlib(&lines, Compression::none())]);
    let more = png_of(60, 40, &[zlib(&[&lines, PLANTED.as_bytes()].concat(), Compression::none())]);
    assert_eq!(hash(more).unwrap(), hash(clean).unwrap());
}
