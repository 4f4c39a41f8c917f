//! Reference images of a license: accepted formats and size limits (contract section 5). These
//! rules are checked before decoding, so that no oversized image is decoded.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;

enum_names!(ImageType);

/// The maximum file size, in bytes.
pub const MAX_BYTES: usize = 10 * 1_024 * 1_024;

/// The maximum number of images per license.
pub const MAX_IMAGES: u32 = 50;

/// The maximum number of images per request.
pub const MAX_AT_ONCE: usize = 10;

/// How long the images of a form that was refused are kept, so that nobody has to choose them again.
pub const KEPT_FOR: Duration = Duration::from_hours(1);

/// The maximum number of kept images per user: those of a few forms. The oldest ones make room.
pub const MAX_KEPT: u32 = 30;

/// The maximum number of pixels, which determines the decoder's memory use.
pub const MAX_PIXELS: u64 = 50_000_000;

/// The maximum width and height, in pixels.
pub const MAX_SIDE: u32 = 20_000;

/// An accepted image format, named by its media type.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, VariantNames,
)]
#[strum(prefix = "image/", serialize_all = "lowercase")]
pub enum ImageType {
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// PNG.
    #[serde(rename = "image/png")]
    Png,
    /// WebP.
    #[serde(rename = "image/webp")]
    Webp,
}

impl ImageType {
    /// The file name extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }

    /// Detects the format from the first bytes, regardless of the declared type.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }
}

/// An uploaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFile {
    /// The name that the browser gave it, which errors show.
    pub name: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
}

impl From<Vec<u8>> for ImageFile {
    fn from(bytes: Vec<u8>) -> Self {
        Self { name: None, bytes }
    }
}

/// An error about one of several files, which names the file.
#[must_use]
pub fn error_of_file(name: &str, reason: &str) -> String {
    format!("“{name}” {reason}")
}

/// Checks a file before decoding and returns its format.
pub fn check_file(bytes: &[u8]) -> Result<ImageType, &'static str> {
    if bytes.len() > MAX_BYTES {
        return Err("must be at most 10 MiB");
    }
    ImageType::of(bytes).ok_or("must be a JPEG, PNG or WebP image")
}

/// Checks the dimensions of an image.
pub fn check_size(width: u32, height: u32) -> Result<(), &'static str> {
    if width == 0 || height == 0 {
        Err("must have at least one pixel")
    } else if width > MAX_SIDE || height > MAX_SIDE {
        Err("must be at most 20000 pixels wide and high")
    } else if u64::from(width) * u64::from(height) > MAX_PIXELS {
        Err("must have at most 50 million pixels")
    } else {
        Ok(())
    }
}

/// Checks the number of images after an upload and returns it.
pub fn check_count(present: u32, added: usize) -> Result<u32, &'static str> {
    let total = u32::try_from(added).ok().and_then(|added| present.checked_add(added));
    total.filter(|it| *it <= MAX_IMAGES).ok_or("must be at most 50 per license")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_its_first_bytes() {
        for (bytes, expected) in [
            (&b"\xFF\xD8\xFF\xE0"[..], Some(ImageType::Jpeg)),
            (b"\x89PNG\r\n\x1A\n", Some(ImageType::Png)),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", Some(ImageType::Webp)),
            (b"RIFF\x01\x02\x03\x04WAVE", None),
            (b"\xFF\xD8", None),
            (b"\x89PNG\n", None),
            (b"GIF89a", None),
            (b"<svg", None),
            (b"", None),
        ] {
            assert_eq!(ImageType::of(bytes), expected);
            assert_eq!(check_file(bytes).ok(), expected);
        }
    }

    #[test]
    fn a_file_is_10_mib_at_most() {
        let mut file = vec![0xFF; MAX_BYTES];
        file[1] = 0xD8;
        assert_eq!(check_file(&file), Ok(ImageType::Jpeg));
        file.push(0);
        assert_eq!(check_file(&file), Err("must be at most 10 MiB"));
    }

    #[test]
    fn sizes_and_counts_are_bounded() {
        for (width, height, fits) in [
            (1, 1, true),
            (20_000, 2_500, true),
            (20_000, 2_501, false),
            (20_001, 1, false),
            (1, u32::MAX, false),
            (0, 5, false),
        ] {
            assert_eq!(check_size(width, height).is_ok(), fits, "{width}x{height}");
        }
        assert_eq!([check_count(0, 50), check_count(49, 1), check_count(50, 0)], [Ok(50); 3]);
        for (present, added) in [(50, 1), (0, 51), (1, usize::MAX)] {
            assert!(check_count(present, added).is_err());
        }
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for kind in ImageType::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert!(!kind.extension().is_empty());
        }
        assert!("image/gif".parse::<ImageType>().is_err());
    }
}
