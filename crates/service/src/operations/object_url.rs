//! Signed URLs that give anyone access to one object until they expire. Objects in a bucket have
//! the bucket's own presigned URLs; the ones here are for objects that this server serves.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use grantor_domain::id::{CatalogPictureId, EvidenceId, ImageId};
use grantor_domain::image::ImageType;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{Tx, catalog_picture, evidence, image, kept_image};

use crate::App;
use grantor_keys::{Keys, Purpose};
use grantor_media::Prepared;

/// The path under which objects are served: `/objects/{kind}/{id}`.
pub const PATH: &str = "/objects/";

const EXPIRES: &str = "?expires=";
const SIGNATURE: &str = "&signature=";

/// How long a URL is valid.
const LIFETIME: Duration = Duration::from_hours(1);

/// For how many seconds the URLs of thumbnails in lists stay the same.
const STEADY: i64 = 30 * 60;

/// A signed URL of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedUrl {
    /// The URL.
    pub url: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// An object fetched by a signed URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedObject {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its type.
    pub content_type: ImageType,
    /// How long the URL is still valid.
    pub valid_for: Duration,
}

/// Why a URL is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUrl {
    /// The signature does not match.
    #[error("the URL's signature is not valid")]
    Unsigned,
    /// It was valid once.
    #[error("the URL has expired")]
    Expired,
}

/// Signs a URL of the object that is valid until `expires_at`, in whole seconds. `public_url` is
/// this server's origin, without a trailing slash.
#[must_use]
pub fn sign(keys: &Keys, public_url: &str, object: ObjectKey, expires_at: Timestamp) -> String {
    let expires = expires_at.as_secs();
    let signature = URL_SAFE_NO_PAD.encode(keys.mac(Purpose::Url, &signed(object, expires)));
    format!("{public_url}{PATH}{object}{EXPIRES}{expires}{SIGNATURE}{signature}")
}

/// Returns the object that the path and query of a signed URL give access to. They must match the
/// signed URL byte for byte.
pub fn verify(keys: &Keys, target: &str, now: Timestamp) -> Result<ObjectKey, InvalidUrl> {
    check(keys, target, now).map(|(object, _)| object)
}

fn check(keys: &Keys, target: &str, now: Timestamp) -> Result<(ObjectKey, Timestamp), InvalidUrl> {
    let (object, expires, signature) = parse(target).ok_or(InvalidUrl::Unsigned)?;
    if !keys.verify_mac(Purpose::Url, &signed(object, expires), &signature) {
        return Err(InvalidUrl::Unsigned);
    }
    let expires = Timestamp::from_secs(expires);
    if now < expires { Ok((object, expires)) } else { Err(InvalidUrl::Expired) }
}

/// Issues a URL of an image that is valid for an hour: the bucket's own, or one of this server.
pub async fn issue(app: &App, id: ImageId, content_type: ImageType) -> Result<SignedUrl> {
    issue_object(app, ObjectKey::new(ObjectKind::Image, id.as_uuid()), content_type).await
}

/// Issues a URL of an image's thumbnail.
pub async fn issue_thumbnail(app: &App, id: ImageId) -> Result<SignedUrl> {
    let object = ObjectKey::new(ObjectKind::Thumbnail, id.as_uuid());
    issue_object(app, object, Prepared::THUMBNAIL_TYPE.into()).await
}

/// Returns a URL of an image's thumbnail on this server that stays the same for half an hour, and is
/// valid at least as long: browsers keep the picture, and lists that update themselves do not change
/// because of it.
#[must_use]
pub fn steady_thumbnail(app: &App, id: ImageId) -> String {
    let end = app.clock.now().plus(LIFETIME).as_secs();
    let expires_at = Timestamp::from_secs(end - end.rem_euclid(STEADY));
    let object = ObjectKey::new(ObjectKind::Thumbnail, id.as_uuid());
    sign(&app.keys, &app.public_url, object, expires_at)
}

/// Issues a URL of the copy of a found picture.
pub async fn issue_evidence(app: &App, id: EvidenceId) -> Result<SignedUrl> {
    issue_object(app, ObjectKey::new(ObjectKind::Evidence, id.as_uuid()), ImageType::Jpeg).await
}

/// Issues a URL of the copy of a reference image that evidence has.
pub async fn issue_reference(app: &App, id: EvidenceId) -> Result<SignedUrl> {
    issue_object(app, ObjectKey::new(ObjectKind::Reference, id.as_uuid()), ImageType::Jpeg).await
}

/// Issues a URL of a license's catalog picture, for its owner: the public address works only while
/// the license is public.
pub async fn issue_catalog_picture(app: &App, id: CatalogPictureId) -> Result<SignedUrl> {
    let object = ObjectKey::new(ObjectKind::CatalogPicture, id.as_uuid());
    issue_object(app, object, ImageType::Jpeg).await
}

async fn issue_object(app: &App, object: ObjectKey, content_type: ImageType) -> Result<SignedUrl> {
    // This server's URLs expire on whole seconds.
    let expires_at = Timestamp::from_secs(app.clock.now().plus(LIFETIME).as_secs());
    let presigned = app.objects.presign(object, content_type.name(), LIFETIME).await?;
    let url = match presigned {
        Some(url) => url.into(),
        None => sign(&app.keys, &app.public_url, object, expires_at),
    };
    Ok(SignedUrl { url, expires_at })
}

/// Returns the object that the path and query of a signed URL give access to. A deleted image, or
/// an image of a deleted license, is not found, even if its object still exists.
pub async fn open(app: &App, target: &str) -> Result<OpenedObject> {
    let now = app.clock.now();
    let (object, expires) = check(&app.keys, target, now).map_err(|refused| {
        let message = match refused {
            InvalidUrl::Unsigned => "This URL's signature is not valid",
            InvalidUrl::Expired => "This URL has expired",
        };
        Error::new(ErrorKind::Forbidden, message)
    })?;
    let content_type = content_type(app, object).await?;
    let content_type = content_type.ok_or_else(|| Error::not_found("Image"))?;
    let bytes = app.objects.get(object).await?.ok_or_else(|| Error::not_found("Image"))?;
    Ok(OpenedObject { bytes, content_type, valid_for: expires.since(now) })
}

/// The type of an object, if its row exists.
async fn content_type(app: &App, object: ObjectKey) -> Result<Option<ImageType>> {
    let (id, kind) = (object.id(), object.kind());
    let find = move |tx: &mut Tx<'_>| match kind {
        ObjectKind::Image => Ok::<_, Error>(image::find(tx, id.into())?.map(|it| it.content_type)),
        ObjectKind::Thumbnail => {
            // Also of a picture that waits for its license.
            let found = image::find(tx, id.into())?.is_some() || kept_image::exists(tx, id.into())?;
            Ok(found.then(|| Prepared::THUMBNAIL_TYPE.into()))
        }
        ObjectKind::Evidence => {
            let copy = evidence::find_copies(tx, id.into())?.and_then(|it| it.picture);
            Ok(copy.map(|_| ImageType::Jpeg))
        }
        ObjectKind::Reference => {
            let copy = evidence::find_copies(tx, id.into())?.and_then(|it| it.reference);
            Ok(copy.map(|_| ImageType::Jpeg))
        }
        ObjectKind::CatalogPicture | ObjectKind::CatalogThumbnail => {
            Ok(catalog_picture::find_by_id(tx, id.into())?.map(|_| ImageType::Jpeg))
        }
        ObjectKind::Database => Ok(None),
    };
    app.store.lookup(find).await
}

fn parse(target: &str) -> Option<(ObjectKey, i64, Vec<u8>)> {
    let (object, rest) = target.strip_prefix(PATH)?.split_once(EXPIRES)?;
    let (expires, signature) = rest.split_once(SIGNATURE)?;
    let seconds: i64 = expires.parse().ok()?;
    // Refuse other spellings of the same number, such as `+5` and `05`.
    if seconds.to_string() != expires {
        return None;
    }
    Some((object.parse().ok()?, seconds, URL_SAFE_NO_PAD.decode(signature).ok()?))
}

/// The signed bytes. An object's key has one form and no line break, so no two pairs of object and
/// expiry give the same bytes; the first line separates them from other kinds of signed URLs.
fn signed(object: ObjectKey, expires: i64) -> Vec<u8> {
    format!("object\n{object}\n{expires}").into_bytes()
}

#[cfg(test)]
mod tests;
