//! Where content that was read leaves this room: to whoever looks for licensed people in it.

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::Result;
use grantor_domain::content::Content;
use grantor_domain::id::PlatformId;

use crate::{App, Context};

/// Content at most that is handed over at a time.
pub(super) const AT_ONCE: usize = 50;

/// A piece of content, and what is kept of the picture that goes with it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) content: Content,
    /// Empty where the picture could not be read.
    pub(super) picture: Option<Vec<u8>>,
}

/// What is kept of a picture, instead of its bytes.
pub(super) async fn portray(_app: &App, bytes: Vec<u8>) -> Vec<u8> {
    digest(&SHA256, &bytes).as_ref().to_vec()
}

/// Hands content over; the same may come again. Gives how many new sightings there were.
pub(super) async fn hand_over(
    _app: &App,
    _context: &Context,
    platform: PlatformId,
    found: &[Found],
) -> Result<u32> {
    for Found { content, picture } in found {
        let pictured = picture.as_ref().is_some_and(|it| !it.is_empty());
        tracing::trace!(%platform, url = content.url.as_str(), pictured, "content was read");
    }
    Ok(0)
}
