//! Passes fetched content on to detection.

use grantor_domain::Result;
use grantor_domain::content::Content;
use grantor_domain::id::PlatformId;
use grantor_domain::likeness::{ImageHash, MIN_QUALITY, VariantHashes};

use crate::watching::likeness;
use crate::watching::sighting::{self, Candidate};
use crate::{App, Context};

/// Items recorded at a time.
pub(super) const BATCH: usize = 50;

/// A piece of content with the hashes of its picture.
#[derive(Clone, Debug)]
pub(super) struct FetchedItem {
    pub(super) content: Content,
    /// Empty if the picture is unreadable.
    pub(super) picture: Option<Vec<u8>>,
}

/// Returns the hashes of a picture as bytes, which are stored instead of the picture. Empty if it
/// is unreadable or has too little detail: fetching it again would not help.
pub(super) async fn hash_picture(app: &App, bytes: Vec<u8>) -> Result<Vec<u8>> {
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
    Some(VariantHashes { hashes, quality: MIN_QUALITY })
}

/// Records the sightings in content and returns how many mentions are new. The same content may be
/// recorded again.
pub(super) async fn record_sightings(
    app: &App,
    context: &Context,
    platform: PlatformId,
    found: Vec<FetchedItem>,
) -> Result<u32> {
    let candidates = found.into_iter().map(|FetchedItem { content, picture }| {
        let picture = picture.as_deref().and_then(picture_hashes);
        Candidate { content, picture }
    });
    let mentions = sighting::record(app, context, platform, candidates.collect()).await?;
    let new = mentions.iter().flatten().filter(|it| it.is_new).count();
    Ok(u32::try_from(new).unwrap_or(u32::MAX))
}
