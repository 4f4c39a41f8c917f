//! URLs by which anyone may fetch one object until they expire. Where objects are in a bucket, the
//! bucket signs its own; these are for objects that the house serves itself.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use grantor_domain::id::ImageId;
use grantor_domain::image::ImageType;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::image;
use grantor_storage::object::{ObjectKey, ObjectKind};

use crate::App;
use crate::image::Prepared;
use crate::keys::{Keys, Purpose};

/// The path under which objects are served: `/objects/{kind}/{id}`.
pub const PATH: &str = "/objects/";

const EXPIRES: &str = "?expires=";
const SIGNATURE: &str = "&signature=";

/// How long a URL is good.
const LIFETIME: Duration = Duration::from_hours(1);

/// A URL of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The URL.
    pub url: String,
    /// Until when it is good.
    pub expires_at: Timestamp,
}

/// An object that a URL opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it is.
    pub content_type: ImageType,
    /// How long the URL is still good.
    pub good_for: Duration,
}

/// Why a URL opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUrl {
    /// We did not sign it, or not in these words.
    #[error("the URL is not one that was signed here")]
    Unsigned,
    /// It was good once.
    #[error("the URL has expired")]
    Expired,
}

/// A URL of the object that is good until the whole second of its expiry. `public_url` is our
/// origin, without a slash at its end.
#[must_use]
pub fn sign(keys: &Keys, public_url: &str, object: ObjectKey, expires_at: Timestamp) -> String {
    let expires = expires_at.as_secs();
    let signature = URL_SAFE_NO_PAD.encode(keys.mac(Purpose::Url, &signed(object, expires)));
    format!("{public_url}{PATH}{object}{EXPIRES}{expires}{SIGNATURE}{signature}")
}

/// The object that path and query of such a URL open now. They must be as they were written, to the
/// byte: one signature stands for one text.
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

/// A URL of an image as it is kept, good for an hour: the bucket's own, or one of ours.
pub async fn issue(app: &App, id: ImageId, content_type: ImageType) -> Result<Issued> {
    issue_object(app, ObjectKey::new(ObjectKind::Image, id.as_uuid()), content_type).await
}

/// The same of its thumbnail.
pub async fn issue_thumbnail(app: &App, id: ImageId) -> Result<Issued> {
    let object = ObjectKey::new(ObjectKind::Thumbnail, id.as_uuid());
    issue_object(app, object, Prepared::THUMBNAIL_TYPE.into()).await
}

async fn issue_object(app: &App, object: ObjectKey, content_type: ImageType) -> Result<Issued> {
    // Ours are good for whole seconds.
    let expires_at = Timestamp::from_secs(app.clock.now().plus(LIFETIME).as_secs());
    let presigned = app.objects.presign(object, content_type.name(), LIFETIME).await?;
    let url = match presigned {
        Some(url) => url.into(),
        None => sign(&app.keys, &app.public_url, object, expires_at),
    };
    Ok(Issued { url, expires_at })
}

/// What path and query of a URL of ours open. An image that was removed, or whose license was, is
/// gone at once, whatever became of its object.
pub async fn open(app: &App, target: &str) -> Result<Opened> {
    let now = app.clock.now();
    let (object, expires) = check(&app.keys, target, now).map_err(|refused| {
        let message = match refused {
            InvalidUrl::Unsigned => "This URL was not signed here",
            InvalidUrl::Expired => "This URL has expired",
        };
        Error::new(ErrorKind::Forbidden, message)
    })?;
    let id = ImageId::from(object.id());
    let image = app.store.glance(move |tx| Ok::<_, Error>(image::find(tx, id)?)).await?;
    let image = image.ok_or_else(|| Error::not_found("Image"))?;
    let bytes = app.objects.get(object).await?.ok_or_else(|| Error::not_found("Image"))?;
    let content_type = match object.kind() {
        ObjectKind::Image => image.content_type,
        ObjectKind::Thumbnail => Prepared::THUMBNAIL_TYPE.into(),
        ObjectKind::Database => return Err(Error::not_found("Image")),
    };
    Ok(Opened { bytes, content_type, good_for: expires.since(now) })
}

fn parse(target: &str) -> Option<(ObjectKey, i64, Vec<u8>)> {
    let (object, rest) = target.strip_prefix(PATH)?.split_once(EXPIRES)?;
    let (expires, signature) = rest.split_once(SIGNATURE)?;
    let seconds: i64 = expires.parse().ok()?;
    // `+5` and `05` are 5 too, but not as we write it.
    if seconds.to_string() != expires {
        return None;
    }
    Some((object.parse().ok()?, seconds, URL_SAFE_NO_PAD.decode(signature).ok()?))
}

/// What the signature is over. The object's name has one form and no line break, so no two pairs of
/// object and expiry give the same bytes; the first line keeps other signed URLs apart.
fn signed(object: ObjectKey, expires: i64) -> Vec<u8> {
    format!("object\n{object}\n{expires}").into_bytes()
}

#[cfg(test)]
mod tests;
