//! Captures of responses, and small copies of pictures in which somebody may be recognized.

use std::sync::Arc;

use grantor_domain::evidence::{COPY_SIDE, Capture, CaptureMethod, kept_headers, sha256};
use grantor_domain::image::ImageType;
use grantor_domain::likeness::VariantHashes;
use grantor_domain::{Result, Timestamp};
use grantor_outbound::OutboundResponse;

use crate::App;
use crate::watching::likeness;

/// A picture of a piece of content.
#[derive(Clone, Debug)]
pub struct SeenPicture {
    /// Its URL.
    pub url: String,
    /// Its hashes.
    pub hashes: VariantHashes,
    /// A copy, if the picture was fetched now and resembles a reference image.
    pub copy: Option<Arc<PictureCopy>>,
}

/// A small copy of a picture, with the response that the picture came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureCopy {
    /// The response.
    pub capture: Capture,
    /// The format of the picture.
    pub content_type: Option<ImageType>,
    /// The copy as a JPEG.
    pub jpeg: Vec<u8>,
}

/// What is kept of a response.
pub(crate) fn fetched(url: &str, answer: &OutboundResponse, at: Timestamp) -> Capture {
    let headers = answer.headers.iter();
    let headers = headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    Capture {
        method: CaptureMethod::Fetched,
        url: url.to_owned(),
        final_url: Some(answer.url.to_string()),
        status: Some(answer.status.as_u16()),
        headers: kept_headers(headers),
        sha256: sha256(&answer.body),
        at,
    }
}

/// Copies a fetched picture, if it resembles a reference image: most pictures resemble none.
pub(crate) async fn copy_picture(
    app: &App,
    hashes: &VariantHashes,
    capture: Capture,
    bytes: Vec<u8>,
) -> Result<Option<Arc<PictureCopy>>> {
    if likeness::find(app, hashes).await?.is_empty() {
        return Ok(None);
    }
    let content_type = ImageType::of(&bytes);
    let jpeg = match app.images.copy(bytes, COPY_SIDE).await {
        Err(error) if error.is_refusal() => return Ok(None),
        copied => copied?,
    };
    Ok(Some(Arc::new(PictureCopy { capture, content_type, jpeg })))
}
