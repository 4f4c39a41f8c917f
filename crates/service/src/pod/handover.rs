//! Where content that was read leaves this room: to whoever looks for licensed people in it.

use grantor_domain::Result;
use grantor_domain::content::Content;
use grantor_domain::id::PlatformId;
use grantor_domain::likeness::{ImageHash, MIN_QUALITY, Seen};

use crate::sighting::{self, Looked};
use crate::{App, Context, likeness};

/// Content at most that is handed over at a time.
pub(super) const AT_ONCE: usize = 50;

/// A piece of content, and what is kept of the picture that goes with it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) content: Content,
    /// Empty where the picture could not be read.
    pub(super) picture: Option<Vec<u8>>,
}

/// What is kept of a picture, instead of its bytes: its hashes, one after the other. None of one
/// that does not read or tells too little: another look would show no more.
pub(super) async fn portray(app: &App, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let seen = match likeness::hash_of(app, bytes).await {
        Err(error) if error.is_refusal() => None,
        looked => looked?,
    };
    let hashes = seen.map(|it| it.hashes).unwrap_or_default();
    Ok(hashes.into_iter().flat_map(ImageHash::to_bytes).collect())
}

/// What was kept of a picture.
fn seen(kept: &[u8]) -> Option<Seen> {
    let hashes: Option<Vec<ImageHash>> = kept.chunks(32).map(ImageHash::from_bytes).collect();
    let hashes = hashes.filter(|it| !it.is_empty())?;
    Some(Seen { hashes, quality: MIN_QUALITY })
}

/// Hands content over; the same may come again. Gives how many new sightings there were.
pub(super) async fn hand_over(
    app: &App,
    context: &Context,
    platform: PlatformId,
    found: Vec<Found>,
) -> Result<u32> {
    let looked = found.into_iter().map(|Found { content, picture }| {
        let picture = picture.as_deref().and_then(seen);
        Looked { content, picture }
    });
    let sighted = sighting::record(app, context, platform, looked.collect()).await?;
    let new = sighted.iter().flatten().filter(|it| it.is_new).count();
    Ok(u32::try_from(new).unwrap_or(u32::MAX))
}
