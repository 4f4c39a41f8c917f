//! Prepares uploaded images for storage: detects their type, enforces limits, decodes them once to
//! check that they are intact, removes everything but the image itself, makes a thumbnail and
//! computes what the image is known again by.
//!
//! Pixels are stored as uploaded: metadata is removed from the container around them. Only images
//! with an EXIF orientation are re-encoded. Large images are decoded row by row where possible; see
//! `limit` for the memory that one image may take.

mod draft;
mod error;
mod jpeg;
mod limit;
mod lossless;
mod orientation;
mod png;
mod scan;
mod tail;
mod webp;

use std::sync::Arc;
use std::time::Duration;

use ::image::RgbImage;
use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::image::ImageType;
use grantor_domain::likeness::{self, Hashed, LocalFeatures, Luma, VariantHashes};
use grantor_domain::{Error, ErrorKind, Result, hex};
use grantor_recognition::{Brightness, Described, Query, entries_to_bytes};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use grantor_domain::waiter::Waiter;

use draft::{DRAFT, brightness, large_draft, resized, scaled, size_of_copy, thumbnail};
pub use error::InvalidImage;
use limit::{MAX_BYTES, Size};

/// The accepted image types.
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
    /// The media type.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
        }
    }

    /// Detects the type by the first bytes. File names and headers of an upload are not trusted.
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

/// An image ready to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The image without metadata.
    pub bytes: Vec<u8>,
    /// Its type.
    pub content_type: ContentType,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// The SHA-256 of `bytes` in hexadecimal.
    pub sha256: String,
    /// The thumbnail, at most 320 pixels on its longer side.
    pub thumbnail: Vec<u8>,
    /// The likeness hash.
    pub hashed: Hashed,
    /// The local features.
    pub features: LocalFeatures,
    /// The image as others are searched for that look like it.
    pub seen: Seen,
}

impl Prepared {
    /// The type of thumbnails.
    pub const THUMBNAIL_TYPE: ContentType = ContentType::Jpeg;
}

/// An image to be compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its likeness hashes.
    pub hashes: VariantHashes,
    /// Its brightness, from which its local features are computed if the hashes find nothing.
    pub brightness: Brightness,
}

/// A downscaled copy of an image with a thumbnail, both JPEGs without metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downscaled {
    /// The copy.
    pub bytes: Vec<u8>,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// The SHA-256 of `bytes` in hexadecimal.
    pub sha256: String,
    /// The thumbnail.
    pub thumbnail: Vec<u8>,
}

/// How many images of people who wait for the result may be in line for each that is processed.
const IN_LINE: usize = 4;
/// When to try again if too many are in line.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Processes images on blocking threads, a few at a time to bound memory use.
#[derive(Clone, Debug)]
pub struct Images {
    slots: Arc<Semaphore>,
    /// Places in line for those who wait for the result.
    line: Arc<Semaphore>,
}

impl Images {
    /// Processes up to `concurrency` images at a time.
    #[must_use]
    pub fn new(concurrency: usize) -> Self {
        let line = Arc::new(Semaphore::new(concurrency * IN_LINE));
        Self { slots: Arc::new(Semaphore::new(concurrency)), line }
    }

    /// Checks an image and prepares it for storage, unless the waiter leaves before it starts.
    pub async fn prepare(&self, bytes: Vec<u8>, waiter: &Waiter) -> Result<Prepared> {
        self.work(waiter, move || prepare(bytes)).await
    }

    /// Returns the likeness hash of a stored image.
    pub async fn hash(&self, bytes: Vec<u8>) -> Result<Hashed> {
        self.work(&Waiter::default(), move || hash(bytes)).await
    }

    /// Returns the local features of a stored image.
    pub async fn describe(&self, bytes: Vec<u8>) -> Result<LocalFeatures> {
        self.work(&Waiter::default(), move || describe(bytes)).await
    }

    /// Returns an image to be compared, within the upload limits.
    pub async fn see(&self, bytes: Vec<u8>) -> Result<Seen> {
        self.work(&Waiter::default(), move || see(bytes)).await
    }

    /// Like [`Self::see`], for somebody who waits for the result: refused at once if too many others
    /// are in line, and if the work cannot start within `wait`.
    pub async fn see_within(&self, bytes: Vec<u8>, wait: Duration) -> Result<Seen> {
        let place = self.line.try_acquire().map_err(|_| busy())?;
        let slot = timeout(wait, Arc::clone(&self.slots).acquire_owned()).await;
        let slot = slot.map_err(|_| busy())?;
        drop(place);
        let slot = slot.map_err(|error| Error::internal(error.to_string()))?;
        run(slot, move || see(bytes)).await
    }

    /// Returns the local features by which an image is looked up.
    pub async fn query(&self, brightness: Brightness) -> Result<Query> {
        self.work(&Waiter::default(), move || Ok(brightness.query())).await
    }

    /// Returns a small copy of an image as a JPEG without metadata, with at most `longest` pixels on
    /// its longer side, up to 640.
    pub async fn copy(&self, bytes: Vec<u8>, longest: u32) -> Result<Vec<u8>> {
        self.work(&Waiter::default(), move || copy(bytes, longest)).await
    }

    /// Returns a copy of an image with at most `longest` pixels on its longer side, up to 1024, and
    /// a thumbnail with at most `thumbnail` pixels, unless the waiter leaves before it starts. An
    /// image that takes much memory to decode may get a smaller copy.
    pub async fn downscale(
        &self,
        bytes: Vec<u8>,
        longest: u32,
        thumbnail: u32,
        waiter: &Waiter,
    ) -> Result<Downscaled> {
        self.work(waiter, move || downscale(bytes, longest, thumbnail)).await
    }

    async fn work<T, F>(&self, waiter: &Waiter, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, InvalidImage> + Send + 'static,
    {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        let slot = slot.map_err(|error| Error::internal(error.to_string()))?;
        if waiter.has_left() {
            return Err(Error::unavailable("the client disconnected before processing started"));
        }
        run(slot, work).await
    }
}

/// Works on a blocking thread, in a slot.
async fn run<T, F>(slot: OwnedSemaphorePermit, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, InvalidImage> + Send + 'static,
{
    let work = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(slot);
        done
    });
    match work.await {
        Ok(done) => Ok(done?),
        // A decoder panics only on malformed images.
        Err(error) => Err(Error::from(InvalidImage::Damaged).because(error.to_string())),
    }
}

fn busy() -> Error {
    let kind = ErrorKind::Unavailable { retry_after: RETRY_AFTER };
    Error::new(kind, "Too many pictures are being checked. Try again in a few seconds.")
}

/// What an image is decoded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// To be stored and served: the file may contain nothing but the image.
    Store,
    /// To be analyzed: any file that a viewer would show is accepted.
    Analyze,
}

/// A stripped still image, with the properties from its header.
struct Still {
    bytes: Vec<u8>,
    size: Size,
    /// The memory that decoding takes, not counting the file.
    working: u64,
}

/// Prepares an image on the current thread.
fn prepare(bytes: Vec<u8>) -> Result<Prepared, InvalidImage> {
    let (content_type, still, draft) = decode(bytes, Mode::Store, |_| DRAFT)?;
    let brightness = brightness(&draft);
    let luma = luma(&draft, &brightness)?;
    // The content is uploaded as it is, so no originals of crops are guessed.
    let seen =
        Seen { hashes: likeness::orientations(luma), brightness: waiting(luma, &brightness) };
    let (hashed, features) = (likeness::hash(luma), features(luma, &brightness));
    let Still { bytes, size, .. } = still;
    Ok(Prepared {
        content_type,
        width: size.width,
        height: size.height,
        sha256: hex::encode(digest(&SHA256, &bytes).as_ref()),
        thumbnail: thumbnail(&draft, size)?,
        bytes,
        hashed,
        features,
        seen,
    })
}

fn hash(bytes: Vec<u8>) -> Result<Hashed, InvalidImage> {
    let (.., draft) = decode(bytes, Mode::Analyze, |_| DRAFT)?;
    Ok(likeness::hash(luma(&draft, &brightness(&draft))?))
}

fn describe(bytes: Vec<u8>) -> Result<LocalFeatures, InvalidImage> {
    let (.., draft) = decode(bytes, Mode::Analyze, |_| DRAFT)?;
    let brightness = brightness(&draft);
    Ok(features(luma(&draft, &brightness)?, &brightness))
}

fn see(bytes: Vec<u8>) -> Result<Seen, InvalidImage> {
    let (.., draft) = decode(bytes, Mode::Analyze, |_| DRAFT)?;
    let brightness = brightness(&draft);
    let luma = luma(&draft, &brightness)?;
    let hashes = likeness::variant_hashes(luma);
    Ok(Seen { hashes, brightness: waiting(luma, &brightness) })
}

fn waiting(luma: Luma<'_>, brightness: &[u8]) -> Brightness {
    Brightness::of(brightness, luma.width(), luma.height())
}

fn features(luma: Luma<'_>, brightness: &[u8]) -> LocalFeatures {
    let described = Described::of(brightness, luma.width(), luma.height());
    LocalFeatures {
        features: described.reference.to_bytes(),
        entries: entries_to_bytes(&described.entries),
        count: u32::try_from(described.reference.len()).unwrap_or(u32::MAX),
    }
}

fn copy(bytes: Vec<u8>, longest: u32) -> Result<Vec<u8>, InvalidImage> {
    let (_, still, draft) = decode(bytes, Mode::Analyze, |_| DRAFT)?;
    scaled(&draft, still.size, longest)
}

fn downscale(bytes: Vec<u8>, longest: u32, thumbnail: u32) -> Result<Downscaled, InvalidImage> {
    // Only the pixels are kept, so nothing else in the file matters.
    let (_, still, draft) = decode(bytes, Mode::Analyze, large_draft)?;
    let (width, height) = size_of_copy(&draft, still.size, longest);
    let small = size_of_copy(&draft, still.size, thumbnail);
    drop(still);
    let bytes = resized(&draft, (width, height))?;
    Ok(Downscaled {
        sha256: hex::encode(digest(&SHA256, &bytes).as_ref()),
        thumbnail: resized(&draft, small)?,
        bytes,
        width,
        height,
    })
}

/// Strips an image and decodes the result, to check that it is intact. `least` is the minimum
/// longer side of the draft, if the image is that large.
fn decode(
    bytes: Vec<u8>,
    mode: Mode,
    least: impl FnOnce(&Still) -> u16,
) -> Result<(ContentType, Still, RgbImage), InvalidImage> {
    if bytes.len() > MAX_BYTES {
        return Err(InvalidImage::TooLarge);
    }
    let content_type = ContentType::of(&bytes).ok_or(InvalidImage::UnknownType)?;
    let still = match content_type {
        ContentType::Jpeg => jpeg::strip(&bytes, mode)?,
        ContentType::Png => png::strip(&bytes, mode)?,
        ContentType::WebP => webp::strip(&bytes)?,
    };
    drop(bytes);
    still.check_memory()?;
    let least = least(&still);
    let draft = match content_type {
        ContentType::Jpeg => jpeg::draft(&still, least)?,
        ContentType::Png => png::draft(&still, least)?,
        ContentType::WebP => webp::draft(&still, mode, least)?,
    };
    Ok((content_type, still, draft.finish()?))
}

fn luma<'a>(draft: &RgbImage, brightness: &'a [u8]) -> Result<Luma<'a>, InvalidImage> {
    Luma::new(brightness, draft.width(), draft.height()).ok_or(InvalidImage::Damaged)
}

#[cfg(test)]
pub(crate) mod tests;
