//! Limits on the size of an image and the memory it may take.

use super::{InvalidImage, Still};

/// The largest upload.
pub(super) const MAX_BYTES: usize = 10 * 1024 * 1024;
const MAX_PIXELS: u64 = 50_000_000;
const MAX_SIDE: u32 = 20_000;

/// Memory for preparing one image, including its file. The rest up to 64 MiB is for the thumbnail
/// and the decoder's tables.
const MEMORY: u64 = 58 * 1024 * 1024;

/// Width and height within the limits. Read from the header, before anything is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Size {
    pub(super) fn new(width: u32, height: u32) -> Result<Self, InvalidImage> {
        if width == 0 || height == 0 {
            return Err(InvalidImage::Damaged);
        }
        let size = Self { width, height };
        if width > MAX_SIDE || height > MAX_SIDE || size.pixels() > MAX_PIXELS {
            return Err(InvalidImage::TooManyPixels { width, height });
        }
        Ok(size)
    }

    pub(super) fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

impl Still {
    /// Refuses an image that would take too much memory to decode.
    pub(super) fn check_memory(&self) -> Result<(), InvalidImage> {
        check_memory(self.size, self.working, self.bytes.len())
    }
}

/// The file counts twice, because decoders keep a copy of their input.
pub(super) fn check_memory(size: Size, working: u64, file: usize) -> Result<(), InvalidImage> {
    let left = MEMORY.saturating_sub(2 * file as u64);
    if working <= left {
        return Ok(());
    }
    let per_pixel = working.div_ceil(size.pixels());
    let megapixels = (left / per_pixel / 1_000_000).max(1);
    Err(InvalidImage::TooMuchMemory { width: size.width, height: size.height, megapixels })
}
