//! How large a picture may be, and how much memory it may take.

use super::{InvalidImage, Still};

/// The largest upload.
pub(super) const MAX_BYTES: usize = 10 * 1024 * 1024;
const MAX_PIXELS: u64 = 50_000_000;
const MAX_SIDE: u32 = 20_000;

/// What a picture may take while it is prepared, its own bytes included. The rest up to 64 MiB is
/// for the thumbnail and the decoder's tables.
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
    /// Refuses what would take too much memory to decode.
    pub(super) fn check_memory(&self) -> Result<(), InvalidImage> {
        check_memory(self.size, self.working, self.bytes.len())
    }
}

/// Decoders keep a copy of what they read, so the file counts twice.
pub(super) fn check_memory(size: Size, working: u64, file: usize) -> Result<(), InvalidImage> {
    let left = MEMORY.saturating_sub(2 * file as u64);
    if working <= left {
        return Ok(());
    }
    let per_pixel = working.div_ceil(size.pixels());
    let megapixels = (left / per_pixel / 1_000_000).max(1);
    Err(InvalidImage::TooMuchMemory { width: size.width, height: size.height, megapixels })
}
