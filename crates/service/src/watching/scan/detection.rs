//! Passes fetched content on to detection.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::content::Content;
use grantor_domain::evidence::Capture;
use grantor_domain::likeness::{ImageHash, MIN_QUALITY, VariantHashes};
use grantor_outbound::OutboundResponse;

use crate::App;
use crate::watching::evidence::{PictureCopy, SeenPicture, copy_picture, fetched};
use crate::watching::likeness;
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
    /// Its hashes as bytes, which are stored instead of the picture. Empty if it is unreadable or
    /// has too little detail: fetching it again would not help.
    pub(super) hashes: Vec<u8>,
    /// A copy, if it was fetched now and resembles a reference image.
    pub(super) copy: Option<Arc<PictureCopy>>,
}

/// Reads a picture that was fetched.
pub(super) async fn read_picture(
    app: &App,
    url: &str,
    answer: OutboundResponse,
) -> Result<FetchedPicture> {
    let capture = fetched(url, &answer, app.clock.now());
    let hashes = hash_picture(app, answer.body.clone()).await?;
    let copy = match picture_hashes(&hashes) {
        Some(seen) => copy_picture(app, &seen, capture, answer.body).await?,
        None => None,
    };
    Ok(FetchedPicture { url: url.to_owned(), hashes, copy })
}

async fn hash_picture(app: &App, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let seen = match likeness::hash_of(app, bytes).await {
        Err(error) if error.is_refusal() => None,
        result => result?,
    };
    let hashes = seen.map(|it| it.hashes).unwrap_or_default();
    Ok(hashes.into_iter().flat_map(ImageHash::to_bytes).collect())
}

/// Parses stored hashes of a picture.
fn picture_hashes(kept: &[u8]) -> Option<VariantHashes> {
    let hashes: Option<Vec<ImageHash>> = kept.chunks(32).map(ImageHash::from_bytes).collect();
    let hashes = hashes.filter(|it| !it.is_empty())?;
    Some(VariantHashes { hashes, quality: MIN_QUALITY, inside: None })
}

/// The content to search for talents.
pub(super) fn candidates(found: Vec<FetchedItem>) -> Vec<Candidate> {
    let candidate = |FetchedItem { content, pictures, capture }: FetchedItem| {
        let pictures = pictures.into_iter().filter_map(|FetchedPicture { url, hashes, copy }| {
            Some(SeenPicture { url, hashes: picture_hashes(&hashes)?, copy })
        });
        Candidate { content, pictures: pictures.collect(), capture }
    };
    found.into_iter().map(candidate).collect()
}
