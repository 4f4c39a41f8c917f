//! Pictures as they come in and as they are kept: known by their content, within limits, decoded
//! once to prove that they are whole, freed of everything that is not picture, with a thumbnail.
//!
//! The pixels of a picture are kept as they came. What is removed is removed from the container
//! around them; only a picture that a camera held sideways is encoded anew. At no time is a large
//! picture in memory as a whole where it can be avoided: see `limit` for what that costs.

mod draft;
mod error;
mod jpeg;
mod limit;
mod lossless;
mod png;
mod scan;
mod tail;
mod upright;
mod webp;

use std::sync::Arc;

use ::image::RgbImage;
use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::image::ImageType;
use grantor_domain::likeness::{self, Hashed, Luma, Seen};
use grantor_domain::{Error, Result, hex};
use tokio::sync::Semaphore;

use crate::context::Waiter;

use draft::{brightness, thumbnail};
pub use error::InvalidImage;
use limit::{MAX_BYTES, Size};

/// The kinds of picture that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentType {
    /// JPEG, baseline or progressive.
    Jpeg,
    /// PNG, still.
    Png,
    /// WebP, still.
    WebP,
}

impl ContentType {
    /// Its media type.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
        }
    }

    /// What the first bytes say. Names and headers of an upload say whatever their sender likes.
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ if bytes.starts_with(png::SIGNATURE) => Some(Self::Png),
            _ => None,
        }
    }
}

impl From<ContentType> for ImageType {
    fn from(kind: ContentType) -> Self {
        match kind {
            ContentType::Jpeg => Self::Jpeg,
            ContentType::Png => Self::Png,
            ContentType::WebP => Self::Webp,
        }
    }
}

/// A picture ready to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// What is kept: the picture and nothing else.
    pub bytes: Vec<u8>,
    /// What it is.
    pub content_type: ContentType,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// SHA-256 of what is kept, in hexadecimal digits.
    pub sha256: String,
    /// The small one, 320 pixels at its longer side or less.
    pub thumbnail: Vec<u8>,
    /// What it is known again by.
    pub hashed: Hashed,
}

impl Prepared {
    /// What every thumbnail is.
    pub const THUMBNAIL_TYPE: ContentType = ContentType::Jpeg;
}

/// Prepares pictures on threads of its own, a few at a time, so that the memory of all is bounded.
#[derive(Clone, Debug)]
pub struct Images {
    slots: Arc<Semaphore>,
}

impl Images {
    /// Works on so many pictures at once.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self { slots: Arc::new(Semaphore::new(at_once)) }
    }

    /// Checks a picture and makes what is kept of it, unless whoever sent it left before its turn.
    pub async fn prepare(&self, bytes: Vec<u8>, waiter: &Waiter) -> Result<Prepared> {
        self.work(waiter, move || prepare(bytes)).await
    }

    /// What a picture is known again by, that is kept already.
    pub async fn hash(&self, bytes: Vec<u8>) -> Result<Hashed> {
        self.work(&Waiter::default(), move || hash(bytes)).await
    }

    /// What a picture that is not kept looks like, under the same limits.
    pub async fn see(&self, bytes: Vec<u8>) -> Result<Seen> {
        self.work(&Waiter::default(), move || see(bytes)).await
    }

    async fn work<T, F>(&self, waiter: &Waiter, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, InvalidImage> + Send + 'static,
    {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        let slot = slot.map_err(|error| Error::internal(error.to_string()))?;
        if waiter.has_left() {
            return Err(Error::unavailable("nobody waits for this picture any more"));
        }
        let work = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(slot);
            done
        });
        match work.await {
            Ok(done) => Ok(done?),
            // A decoder that gives up in panic met a picture nobody should have to open.
            Err(error) => Err(Error::from(InvalidImage::Damaged).because(error.to_string())),
        }
    }
}

/// What a picture is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// To be kept and handed on: nothing but the picture may be in it.
    Keep,
    /// To be looked at: whatever a viewer would show counts, however odd its file is.
    Look,
}

/// A picture freed of what is not picture, with what its header says.
struct Still {
    bytes: Vec<u8>,
    size: Size,
    /// What decoding it takes besides its own bytes.
    working: u64,
}

/// The same, on this thread.
fn prepare(bytes: Vec<u8>) -> Result<Prepared, InvalidImage> {
    let (content_type, still, draft) = decode(bytes, Aim::Keep)?;
    let hashed = likeness::hash(luma(&draft, &brightness(&draft))?);
    let Still { bytes, size, .. } = still;
    Ok(Prepared {
        content_type,
        width: size.width,
        height: size.height,
        sha256: hex::encode(digest(&SHA256, &bytes).as_ref()),
        thumbnail: thumbnail(draft, size)?,
        bytes,
        hashed,
    })
}

fn hash(bytes: Vec<u8>) -> Result<Hashed, InvalidImage> {
    let (.., draft) = decode(bytes, Aim::Look)?;
    Ok(likeness::hash(luma(&draft, &brightness(&draft))?))
}

fn see(bytes: Vec<u8>) -> Result<Seen, InvalidImage> {
    let (.., draft) = decode(bytes, Aim::Look)?;
    Ok(likeness::see(luma(&draft, &brightness(&draft))?))
}

/// Frees a picture of what is not picture, and decodes what is kept, so that it is proved whole.
fn decode(bytes: Vec<u8>, aim: Aim) -> Result<(ContentType, Still, RgbImage), InvalidImage> {
    if bytes.len() > MAX_BYTES {
        return Err(InvalidImage::TooLarge);
    }
    let content_type = ContentType::of(&bytes).ok_or(InvalidImage::UnknownType)?;
    let still = match content_type {
        ContentType::Jpeg => jpeg::strip(&bytes, aim)?,
        ContentType::Png => png::strip(&bytes, aim)?,
        ContentType::WebP => webp::strip(&bytes)?,
    };
    drop(bytes);
    still.check_memory()?;
    let draft = match content_type {
        ContentType::Jpeg => jpeg::draft(&still)?,
        ContentType::Png => png::draft(&still)?,
        ContentType::WebP => webp::draft(&still, aim)?,
    };
    Ok((content_type, still, draft.finish()?))
}

fn luma<'a>(draft: &RgbImage, brightness: &'a [u8]) -> Result<Luma<'a>, InvalidImage> {
    Luma::new(brightness, draft.width(), draft.height()).ok_or(InvalidImage::Damaged)
}

#[cfg(test)]
pub(crate) mod tests;
