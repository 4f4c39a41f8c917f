//! Applies the EXIF orientation to the pixels, because metadata is not kept.

use std::io::Cursor;

use ::image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use ::image::metadata::Orientation;
use ::image::{
    ColorType, GenericImageView, ImageBuffer, ImageDecoder as _, Luma, PixelWithColorType, Rgb,
};

use super::limit::{MAX_BYTES, Size, check_memory};
use super::{InvalidImage, Still};

/// Tried in order until the file is small enough: a noisy image may grow when re-encoded.
const QUALITIES: [u8; 3] = [92, 80, 60];

/// Re-encodes a JPEG with its orientation applied. This is the only case in which an image loses
/// quality.
pub(super) fn apply(still: &Still, orientation: Orientation) -> Result<Still, InvalidImage> {
    let damaged = |_| InvalidImage::Damaged;
    let size = still.size;
    check_memory(size, still.working + 3 * size.pixels(), still.bytes.len())?;
    let decoder = JpegDecoder::new(Cursor::new(&still.bytes)).map_err(damaged)?;
    if decoder.dimensions() != (size.width, size.height) {
        return Err(InvalidImage::Damaged);
    }
    let color = decoder.color_type();
    let length = usize::try_from(decoder.total_bytes()).map_err(|_| InvalidImage::Damaged)?;
    let mut pixels = vec![0; length];
    decoder.read_image(&mut pixels).map_err(damaged)?;
    let bytes = match color {
        ColorType::L8 => ImageBuffer::<Luma<u8>, _>::from_raw(size.width, size.height, pixels)
            .map(|image| encode(image, orientation)),
        ColorType::Rgb8 => ImageBuffer::<Rgb<u8>, _>::from_raw(size.width, size.height, pixels)
            .map(|image| encode(image, orientation)),
        _ => None,
    };
    let bytes = bytes.ok_or(InvalidImage::UncommonJpeg)??;
    let (width, height) = rotated(size.width, size.height, orientation);
    Ok(Still { bytes, size: Size::new(width, height)?, working: 0 })
}

fn encode<I: GenericImageView>(image: I, by: Orientation) -> Result<Vec<u8>, InvalidImage>
where
    I::Pixel: PixelWithColorType,
{
    let rotated = Rotated { image, by };
    for quality in QUALITIES {
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        encoder.encode_image(&rotated).map_err(|_| InvalidImage::Damaged)?;
        if bytes.len() <= MAX_BYTES {
            return Ok(bytes);
        }
    }
    Err(InvalidImage::TooLarge)
}

/// A rotated view of an image: a rotated copy would double the memory.
struct Rotated<I> {
    image: I,
    by: Orientation,
}

impl<I: GenericImageView> GenericImageView for Rotated<I> {
    type Pixel = I::Pixel;

    fn dimensions(&self) -> (u32, u32) {
        rotated(self.image.width(), self.image.height(), self.by)
    }

    fn get_pixel(&self, x: u32, y: u32) -> I::Pixel {
        let (right, bottom) = (self.image.width() - 1, self.image.height() - 1);
        let (x, y) = match self.by {
            Orientation::NoTransforms => (x, y),
            Orientation::FlipHorizontal => (right - x, y),
            Orientation::Rotate180 => (right - x, bottom - y),
            Orientation::FlipVertical => (x, bottom - y),
            Orientation::Rotate90FlipH => (y, x),
            Orientation::Rotate90 => (y, bottom - x),
            Orientation::Rotate270FlipH => (right - y, bottom - x),
            Orientation::Rotate270 => (right - y, x),
        };
        self.image.get_pixel(x, y)
    }
}

fn rotated(width: u32, height: u32, by: Orientation) -> (u32, u32) {
    match by {
        Orientation::NoTransforms
        | Orientation::FlipHorizontal
        | Orientation::Rotate180
        | Orientation::FlipVertical => (width, height),
        Orientation::Rotate90FlipH
        | Orientation::Rotate90
        | Orientation::Rotate270FlipH
        | Orientation::Rotate270 => (height, width),
    }
}
