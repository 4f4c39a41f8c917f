//! Images generated for tests.

mod attack;
mod ink;
mod memory;
mod metadata;
mod result;
mod tail;

use ::image::codecs::jpeg::JpegEncoder;
use ::image::{ExtendedColorType, ImageEncoder as _, ImageFormat, RgbImage, RgbaImage};

use super::*;

/// Deterministic pseudorandom numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[4]
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }
}

/// Red grows to the right, green downward; the top left quarter has blue.
fn gradient(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let blue = if x < width / 2 && y < height / 2 { 255 } else { 0 };
        let part = |at: u32, of: u32| u8::try_from(at * 255 / of).unwrap();
        ::image::Rgb([part(x, width), part(y, height), blue])
    })
}

fn jpeg_of(image: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 90)
        .write_image(image, image.width(), image.height(), ExtendedColorType::Rgb8)
        .unwrap();
    bytes
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    jpeg_of(&gradient(width, height))
}

fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&gradient(width, height), ImageFormat::Png)
}

fn webp(width: u32, height: u32) -> Vec<u8> {
    encoded(&gradient(width, height), ImageFormat::WebP)
}

fn encoded(image: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// One of each kind.
fn each() -> [(ContentType, Vec<u8>); 3] {
    let size = (60, 40);
    [
        (ContentType::Jpeg, jpeg(size.0, size.1)),
        (ContentType::Png, png(size.0, size.1)),
        (ContentType::WebP, webp(size.0, size.1)),
    ]
}

/// A segment of a JPEG.
fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).unwrap().to_be_bytes();
    [&[0xff, marker], length.as_slice(), data].concat()
}

/// Inserts segments at the start of a JPEG.
fn with_segments(jpeg: &[u8], segments: &[Vec<u8>]) -> Vec<u8> {
    [&jpeg[..2], &segments.concat(), &jpeg[2..]].concat()
}

/// A chunk of a PNG, with its checksum.
fn png_chunk(kind: &str, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    let mut table = u32::MAX;
    for byte in kind.as_bytes().iter().chain(data) {
        table ^= u32::from(*byte);
        for _ in 0..8 {
            table = if table & 1 == 1 { (table >> 1) ^ 0xedb8_8320 } else { table >> 1 };
        }
    }
    [length.as_slice(), kind.as_bytes(), data, &(!table).to_be_bytes()].concat()
}

/// Inserts chunks after the header of a PNG.
fn with_chunks(png: &[u8], chunks: &[Vec<u8>]) -> Vec<u8> {
    // Signature, then 13 bytes of header in a chunk.
    [&png[..33], &chunks.concat(), &png[33..]].concat()
}

pub(crate) fn riff_chunk(kind: &str, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    let padding: &[u8] = if data.len() % 2 == 1 { b"\0" } else { b"" };
    [kind.as_bytes(), &length, data, padding].concat()
}

pub(crate) fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    riff_chunk("RIFF", &[b"WEBP".as_slice(), &chunks.concat()].concat())
}

/// The extended header of a WebP.
fn vp8x(flags: u8, width: u32, height: u32) -> Vec<u8> {
    let (w, h) = ((width - 1).to_le_bytes(), (height - 1).to_le_bytes());
    riff_chunk("VP8X", &[flags, 0, 0, 0, w[0], w[1], w[2], h[0], h[1], h[2]])
}

/// The chunks of a simple WebP.
fn picture_chunk(webp: &[u8]) -> Vec<u8> {
    webp[12..].to_vec()
}

/// EXIF with an orientation, a location and a text.
fn exif(orientation: u8, text: &str) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x03".to_vec();
    tiff.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    let count = u32::try_from(text.len()).unwrap().to_be_bytes();
    tiff.extend([&[0x01, 0x0e, 0, 2], count.as_slice(), &[0, 0, 0, 50]].concat());
    tiff.extend([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 50]);
    tiff.extend([0; 4]);
    tiff.extend(text.as_bytes());
    tiff
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

/// The pixels as decoded by the `image` crate.
fn pixels(bytes: &[u8]) -> RgbaImage {
    ::image::load_from_memory(bytes).unwrap().into_rgba8()
}
