//! Drafts: images scaled down row by row while they are decoded. The thumbnail and the likeness
//! hash are made from the draft.

use ::image::codecs::jpeg::JpegEncoder;
use ::image::imageops::{FilterType, resize};
use ::image::{ExtendedColorType, RgbImage};
use grantor_domain::likeness::Luma;

use super::limit::{Size, check_memory};
use super::{InvalidImage, Still};

/// The longer side of a thumbnail.
const THUMBNAIL: u32 = 320;
/// The minimum longer side of a draft, if the image is that large: twice the thumbnail, for smooth
/// scaling.
pub(super) const DRAFT: u16 = 640;
/// The same for larger copies.
const LARGE_DRAFT: u16 = 1024;
/// What decoding to a large draft takes in addition: the decoded pixels, twice, and the draft.
const LARGE_DRAFT_MEMORY: u64 = 32 * 1024 * 1024;
const QUALITY: u8 = 82;

/// Averages squares of pixels, holding one row of squares at a time.
pub(super) struct Draft {
    source: Size,
    factor: u32,
    sums: Vec<[u32; 3]>,
    rows: u32,
    pixels: Vec<u8>,
}

impl Draft {
    /// A draft whose longer side has at least `least` pixels, if the image is that large.
    pub(super) fn new(source: Size, least: u16) -> Self {
        let factor = (source.width.max(source.height) / u32::from(least)).max(1);
        let width = source.width.div_ceil(factor) as usize;
        Self { source, factor, sums: vec![[0; 3]; width], rows: 0, pixels: Vec::new() }
    }

    /// Adds the next row, from the top.
    pub(super) fn row(&mut self, pixels: impl Iterator<Item = [u8; 3]>) {
        let factor = self.factor as usize;
        for (x, pixel) in pixels.take(self.source.width as usize).enumerate() {
            let sum = &mut self.sums[x / factor];
            for (sum, value) in sum.iter_mut().zip(pixel) {
                *sum += u32::from(value);
            }
        }
        self.rows += 1;
        if self.rows == self.factor {
            self.flush();
        }
    }

    /// Returns the draft, once all rows were added.
    pub(super) fn finish(mut self) -> Result<RgbImage, InvalidImage> {
        if self.rows > 0 {
            self.flush();
        }
        let width = self.source.width.div_ceil(self.factor);
        let height = self.source.height.div_ceil(self.factor);
        RgbImage::from_raw(width, height, self.pixels).ok_or(InvalidImage::Damaged)
    }

    /// Converts the sums of a row of squares to pixels. Squares at the edges may be smaller.
    fn flush(&mut self) {
        let mut left = self.source.width;
        for sum in &mut self.sums {
            let count = left.min(self.factor) * self.rows;
            left = left.saturating_sub(self.factor);
            let mean = sum.map(|it| u8::try_from((it + count / 2) / count).unwrap_or(u8::MAX));
            self.pixels.extend_from_slice(&mean);
            *sum = [0; 3];
        }
        self.rows = 0;
    }
}

/// The minimum longer side of the draft of an image that large copies are made of. An image that
/// takes much memory to decode gets the usual draft, so that the memory stays within the limit.
pub(super) fn large_draft(still: &Still) -> u16 {
    let working = still.working + LARGE_DRAFT_MEMORY;
    match check_memory(still.size, working, still.bytes.len()) {
        Ok(()) => LARGE_DRAFT,
        Err(_) => DRAFT,
    }
}

/// The size of a copy with at most `longest` pixels on its longer side, no larger than its draft.
pub(super) fn size_of_copy(draft: &RgbImage, of: Size, longest: u32) -> (u32, u32) {
    size_within(of, longest.min(draft.width().max(draft.height())))
}

/// Encodes the thumbnail of an image of this size as a JPEG.
pub(super) fn thumbnail(draft: &RgbImage, of: Size) -> Result<Vec<u8>, InvalidImage> {
    scaled(draft, of, THUMBNAIL)
}

/// Encodes a copy of an image of this size as a JPEG, with at most `longest` pixels on its longer
/// side.
pub(super) fn scaled(draft: &RgbImage, of: Size, longest: u32) -> Result<Vec<u8>, InvalidImage> {
    resized(draft, size_within(of, longest))
}

/// Encodes a smaller copy of a draft as a JPEG.
pub(super) fn resized(
    draft: &RgbImage,
    (width, height): (u32, u32),
) -> Result<Vec<u8>, InvalidImage> {
    if draft.dimensions() == (width, height) {
        return encode(draft);
    }
    encode(&resize(draft, width, height, FilterType::CatmullRom))
}

fn encode(image: &RgbImage) -> Result<Vec<u8>, InvalidImage> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode(image, image.width(), image.height(), ExtendedColorType::Rgb8)
        .map_err(|_| InvalidImage::Damaged)?;
    Ok(bytes)
}

/// The brightness of each pixel, row by row.
pub(super) fn brightness(draft: &RgbImage) -> Vec<u8> {
    draft.pixels().map(|pixel| Luma::of_rgb(pixel.0)).collect()
}

fn size_within(size: Size, longest: u32) -> (u32, u32) {
    let longer = size.width.max(size.height);
    let fit = |side: u32| {
        if longer <= longest { side } else { ((side * longest + longer / 2) / longer).max(1) }
    };
    (fit(size.width), fit(size.height))
}

/// The pixels of a row of one to four channels, blended onto white.
pub(super) fn on_white(row: &[u8], channels: usize) -> impl Iterator<Item = [u8; 3]> {
    row.chunks_exact(channels.max(1)).map(|pixel| match *pixel {
        [gray] => [gray; 3],
        [gray, alpha] => [over_white(gray, alpha); 3],
        [red, green, blue] => [red, green, blue],
        [red, green, blue, alpha] => [red, green, blue].map(|it| over_white(it, alpha)),
        _ => [255; 3],
    })
}

fn over_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    let mixed = (value * alpha + 255 * (255 - alpha) + 127) / 255;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}
