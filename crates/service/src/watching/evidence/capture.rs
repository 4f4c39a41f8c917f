//! Captures of responses, and small copies of pictures in which somebody may be recognized.

use std::sync::Arc;

use grantor_domain::evidence::{COPY_SIDE, Capture, CaptureMethod, kept_headers, sha256};
use grantor_domain::image::ImageType;
use grantor_domain::likeness::VariantHashes;
use grantor_domain::{Result, Timestamp};
use grantor_outbound::OutboundResponse;

use crate::App;
use crate::watching::likeness::{self, Compared, Shown};

/// A picture of a piece of content.
#[derive(Clone, Debug)]
pub struct SeenPicture {
    /// Its URL.
    pub url: String,
    /// Its hashes; none if it has too little detail for them.
    pub hashes: VariantHashes,
    /// The reference images that local features found in it.
    pub shown: Vec<Shown>,
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

impl SeenPicture {
    /// What it is compared by.
    pub(crate) fn compared(&self) -> Compared<'_> {
        Compared { hashes: &self.hashes, shown: &self.shown }
    }

    /// Looks for reference images in a picture. Returns whether it shows one; `None` if it has too
    /// little detail to be compared.
    pub(crate) async fn find(app: &App, url: &str, bytes: Vec<u8>) -> Result<Option<(Self, bool)>> {
        let Some(seen) = likeness::see(app, bytes).await? else { return Ok(None) };
        let found = likeness::find(app, &seen).await?;
        let shown = found.iter().filter_map(likeness::Likeness::shown).collect();
        let picture = Self { url: url.to_owned(), hashes: seen.hashes, shown, copy: None };
        Ok(Some((picture, !found.is_empty())))
    }

    /// Like [`Self::find`], with a copy of the picture if it shows a reference image: most pictures
    /// show none.
    pub(crate) async fn find_and_copy(
        app: &App,
        url: &str,
        capture: Capture,
        bytes: Vec<u8>,
    ) -> Result<Option<Self>> {
        let content_type = ImageType::of(&bytes);
        let Some((mut picture, is_found)) = Self::find(app, url, bytes.clone()).await? else {
            return Ok(None);
        };
        if is_found {
            picture.copy = match app.images.copy(bytes, COPY_SIDE).await {
                Err(error) if error.is_refusal() => None,
                copied => Some(Arc::new(PictureCopy { capture, content_type, jpeg: copied? })),
            };
        }
        Ok(Some(picture))
    }
}
