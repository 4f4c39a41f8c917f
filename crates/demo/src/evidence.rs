//! Evidence of the sample mentions: what a scan would have kept of them.

use std::collections::HashMap;
use std::io::Cursor;

use ::image::ImageFormat;
use grantor_domain::evidence::{
    COPY_SIDE, CaptureMethod, Evidence, EvidenceMatch, FoundPicture, ReferencePicture, StoredCopy,
    kept_headers, marks, sha256,
};
use grantor_domain::id::{EvidenceId, ImageId};
use grantor_domain::image::ImageType;
use grantor_domain::mention::{MatchKind, Mention};
use grantor_domain::{Error, Result};
use grantor_storage::object::{ObjectKey, ObjectKind};

use grantor_service::App;

/// From this hash distance on, the found picture only resembles the reference image.
const WEAK_FROM: u32 = 20;
const JPEG: &str = "image/jpeg";
/// The headers that a site sends with a page.
const HEADERS: [(&str, &str); 2] =
    [("content-type", "text/html; charset=utf-8"), ("server", "nginx")];

/// The pictures of a reference image, made once for all mentions that it is found in.
#[derive(Clone)]
struct Copies {
    /// The SHA-256 of the reference image.
    sha256: String,
    reference: Vec<u8>,
    /// The same picture, as somebody would publish it.
    found: Vec<u8>,
    /// A picture that only resembles it.
    similar: Vec<u8>,
}

/// Makes the evidence of mentions.
#[derive(Default)]
pub(super) struct Archive {
    copies: HashMap<ImageId, Copies>,
}

impl Archive {
    /// The evidence of a mention. Copies of pictures are stored first, as scans do.
    pub(super) async fn evidence(&mut self, app: &App, mention: &Mention) -> Result<Evidence> {
        let (id, found) = (app.ids.next(), &mention.found);
        let marks = match found.kind {
            MatchKind::Name => marks(&mention.excerpt, &found.term),
            MatchKind::Image => vec![],
        };
        let pictures = match found.kind {
            MatchKind::Name => None,
            MatchKind::Image => Some(self.pictures(app, id, mention).await?),
        };
        let (picture, reference) = pictures.unzip();
        Ok(Evidence {
            id,
            mention: mention.id,
            revision: mention.revision,
            captured_at: mention.first_seen_at,
            method: CaptureMethod::Fetched,
            content_url: mention.url.clone(),
            url: mention.url.clone(),
            final_url: Some(mention.url.clone()),
            status: Some(200),
            headers: kept_headers(HEADERS),
            body_sha256: sha256(format!("{}\n{}", mention.title, mention.excerpt).as_bytes()),
            text: mention.excerpt.clone(),
            marks,
            found: EvidenceMatch::from(found),
            picture,
            reference,
            previous_sha256: None,
            sha256: String::new(),
        })
    }

    /// Stores the copies of the found picture and of the reference image.
    async fn pictures(
        &mut self,
        app: &App,
        id: EvidenceId,
        mention: &Mention,
    ) -> Result<(FoundPicture, ReferencePicture)> {
        let image_id: ImageId =
            mention.found.term.parse().map_err(|_| Error::not_found("Image"))?;
        let Copies { sha256: whole, reference, found, similar } =
            self.copies_of(app, image_id).await?;
        let is_weak = mention.found.distance.is_some_and(|it| it >= WEAK_FROM);
        let seen = if is_weak { similar } else { found };
        let url = format!("{}.jpg", mention.url);
        let picture = FoundPicture {
            final_url: Some(url.clone()),
            url,
            status: Some(200),
            headers: kept_headers([("content-type", JPEG)]),
            content_type: Some(ImageType::Jpeg),
            sha256: Some(sha256(&seen)),
            copy: Some(put(app, ObjectKind::Evidence, id, seen).await?),
            missing: None,
        };
        let copy = Some(put(app, ObjectKind::Reference, id, reference).await?);
        Ok((picture, ReferencePicture { image_id, sha256: Some(whole), copy }))
    }

    async fn copies_of(&mut self, app: &App, id: ImageId) -> Result<Copies> {
        if let Some(known) = self.copies.get(&id) {
            return Ok(known.clone());
        }
        let object = app.objects.get(ObjectKey::new(ObjectKind::Image, id.as_uuid())).await?;
        let object = object.ok_or_else(|| Error::not_found("Image"))?;
        let sha256 = sha256(&object);
        let reference = app.images.copy(object.clone(), COPY_SIDE).await?;
        let found = app.images.copy(object, COPY_SIDE / 2).await?;
        let whole = reference.clone();
        let drawn = tokio::task::spawn_blocking(move || similar(&whole)).await;
        let similar = drawn.map_err(|error| Error::internal(error.to_string()))??;
        let copies = Copies { sha256, reference, found, similar };
        self.copies.insert(id, copies.clone());
        Ok(copies)
    }
}

async fn put(app: &App, kind: ObjectKind, id: EvidenceId, jpeg: Vec<u8>) -> Result<StoredCopy> {
    let bytes = u32::try_from(jpeg.len()).unwrap_or(u32::MAX);
    let copy = StoredCopy { sha256: sha256(&jpeg), bytes };
    app.objects.put(ObjectKey::new(kind, id.as_uuid()), jpeg, JPEG).await?;
    Ok(copy)
}

/// A mirrored part of a picture.
fn similar(jpeg: &[u8]) -> Result<Vec<u8>> {
    let fault = |error: ::image::ImageError| Error::internal(format!("sample picture: {error}"));
    let picture = ::image::load_from_memory(jpeg).map_err(fault)?;
    let (width, height) = (picture.width(), picture.height());
    let part = picture.fliph().crop_imm(width / 5, height / 6, width * 3 / 5, height * 3 / 5);
    let mut file = Cursor::new(Vec::new());
    part.write_to(&mut file, ImageFormat::Jpeg).map_err(fault)?;
    Ok(file.into_inner())
}
