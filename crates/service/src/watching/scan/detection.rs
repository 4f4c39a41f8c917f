//! Passes fetched content on to detection.

use std::sync::Arc;

use grantor_domain::content::Content;
use grantor_domain::evidence::Capture;
use grantor_domain::likeness::{ImageHash, MIN_QUALITY, VariantHashes};
use grantor_domain::{Error, Result};
use grantor_outbound::OutboundResponse;
use grantor_storage::scan::ScannedImage;

use crate::App;
use crate::watching::evidence::{PictureCopy, SeenPicture, fetched};
use crate::watching::likeness::{self, Shown};
use crate::watching::sighting::Candidate;

/// Items recorded at a time.
pub(super) const BATCH: usize = 50;

/// A piece of content with its pictures.
#[derive(Clone, Debug)]
pub(super) struct FetchedItem {
    pub(super) content: Content,
    pub(super) pictures: Vec<FetchedPicture>,
    pub(super) capture: Option<Arc<Capture>>,
}

/// A picture, fetched now or before.
#[derive(Clone, Debug)]
pub(super) struct FetchedPicture {
    pub(super) url: String,
    /// What is stored instead of the picture. Empty if it is unreadable or has too little detail:
    /// fetching it again would not help.
    pub(super) read: ScannedImage,
    /// A copy, if it was fetched now and shows a reference image.
    pub(super) copy: Option<Arc<PictureCopy>>,
}

impl FetchedPicture {
    /// A picture without a copy.
    pub(super) fn new(url: &str, read: ScannedImage) -> Self {
        Self { url: url.to_owned(), read, copy: None }
    }

    /// Whether another one looks the same. Without hashes, what it shows tells it.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let (one, other) = (&self.read, &other.read);
        one.hashes == other.hashes && (!one.hashes.is_empty() || one.shown == other.shown)
    }

    /// The picture as it is compared; `None` if it cannot be.
    fn seen(self) -> Option<SeenPicture> {
        let Self { url, read, copy } = self;
        let hashes = read.hashes.chunks(32).map(ImageHash::from_bytes);
        let hashes: Vec<ImageHash> = hashes.collect::<Option<_>>()?;
        let shown = read.shown.and_then(|it| serde_json::from_str::<Vec<Shown>>(&it).ok());
        let shown = shown.unwrap_or_default();
        if hashes.is_empty() && shown.is_empty() {
            return None;
        }
        let hashes = VariantHashes { hashes, quality: MIN_QUALITY, inside: None };
        Some(SeenPicture { url, hashes, shown, copy })
    }
}

/// Reads a picture that was fetched.
pub(super) async fn read_picture(
    app: &App,
    url: &str,
    answer: OutboundResponse,
) -> Result<FetchedPicture> {
    let now = app.clock.now();
    let capture = fetched(url, &answer, now);
    let is_complete = app.store.read(likeness::is_complete).await?;
    let seen = match SeenPicture::find_and_copy(app, url, capture, answer.body).await {
        Err(error) if error.is_refusal() => None,
        result => result?,
    };
    let Some(SeenPicture { hashes, shown, copy, .. }) = seen else {
        return Ok(FetchedPicture::new(url, ScannedImage::default()));
    };
    let read = ScannedImage {
        hashes: hashes.hashes.into_iter().flat_map(ImageHash::to_bytes).collect(),
        shown: if shown.is_empty() { None } else { Some(to_json(&shown)?) },
        searched_at: is_complete.then_some(now),
    };
    Ok(FetchedPicture { copy, ..FetchedPicture::new(url, read) })
}

fn to_json(shown: &[Shown]) -> Result<String> {
    serde_json::to_string(shown).map_err(|error| Error::internal(error.to_string()))
}

/// The content to search for talents.
pub(super) fn candidates(found: Vec<FetchedItem>) -> Vec<Candidate> {
    let candidate = |FetchedItem { content, pictures, capture }: FetchedItem| {
        let pictures = pictures.into_iter().filter_map(FetchedPicture::seen).collect();
        Candidate { content, pictures, capture }
    };
    found.into_iter().map(candidate).collect()
}
