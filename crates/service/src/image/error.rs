//! What can be wrong with a picture, in words for whoever sent it.

use grantor_domain::Error;

/// The field of a request that pictures come in.
const FIELD: &str = "images";

/// Why a picture is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidImage {
    /// More bytes than an upload may have.
    #[error("must be at most 10 MiB")]
    TooLarge,
    /// By its content it is something else.
    #[error("must be a JPEG, PNG or WebP image")]
    UnknownType,
    /// It ends too early, or its parts do not fit together.
    #[error("is cut off or damaged")]
    Damaged,
    /// More than the header of a picture may announce.
    #[error(
        "is {width} × {height} pixels; at most 50 megapixels and 20000 pixels a side are taken"
    )]
    TooManyPixels {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// Its way of encoding needs more memory than there is for one picture.
    #[error(
        "is {width} × {height} pixels, which take too much memory in the way this file is encoded: \
         make it {megapixels} megapixels or less, or save it as an upright baseline JPEG"
    )]
    TooMuchMemory {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// How many a file like it may have.
        megapixels: u64,
    },
    /// More than pixels, in a place where only pixels belong.
    #[error("holds data that is no part of the picture; save it anew with an image program")]
    Surplus,
    /// A row of pictures.
    #[error("is animated; only still images are taken")]
    Animated,
    /// A way of encoding that hardly any program reads.
    #[error("is encoded in an uncommon way; save it as a baseline or progressive JPEG of 8 bits")]
    UncommonJpeg,
}

impl From<InvalidImage> for Error {
    fn from(error: InvalidImage) -> Self {
        Self::field(FIELD, error.to_string())
    }
}
