//! Why an image is refused. The messages are shown to the uploader.

use grantor_domain::Error;

/// The request field that contains images.
const FIELD: &str = "images";

/// Why an image is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidImage {
    /// The file is too large.
    #[error("must be at most 10 MiB")]
    TooLarge,
    /// The content is not of an accepted type.
    #[error("must be a JPEG, PNG or WebP image")]
    UnknownType,
    /// The file is truncated or inconsistent.
    #[error("is incomplete or damaged")]
    Damaged,
    /// The dimensions are too large.
    #[error("is {width} × {height} pixels; the maximum is 50 megapixels and 20000 pixels per side")]
    TooManyPixels {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// Decoding this encoding would take too much memory.
    #[error(
        "is {width} × {height} pixels, which takes too much memory with this encoding: reduce it \
         to {megapixels} megapixels or less, or save it as a baseline JPEG without rotation"
    )]
    TooMuchMemory {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The maximum for this encoding.
        megapixels: u64,
    },
    /// There is extra data among the pixels.
    #[error("contains data that is not part of the image; save it again with an image editor")]
    Surplus,
    /// The image is animated.
    #[error("is animated; only still images are accepted")]
    Animated,
    /// The JPEG encoding is not supported.
    #[error("has an uncommon encoding; save it as an 8-bit baseline or progressive JPEG")]
    UncommonJpeg,
}

impl From<InvalidImage> for Error {
    fn from(error: InvalidImage) -> Self {
        Self::field(FIELD, error.to_string())
    }
}
