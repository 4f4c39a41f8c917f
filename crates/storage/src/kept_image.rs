//! Pictures of forms that were refused. They wait for their license for a while, and then become
//! its images: their objects already have the names that those of images have.

use grantor_domain::Timestamp;
use grantor_domain::id::{ImageId, SessionId, UserId};
use grantor_domain::image::ImageType;
use grantor_domain::likeness::{Hashed, ImageHash};

use crate::statement::sql;
use crate::value::{Param as _, Value, padded, params};
use crate::{Error, Result, Row, Tx, only_column};

/// How many ids one statement looks up: those of one form.
const AT_ONCE: usize = 10;

/// A picture that waits for its license.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptImage {
    /// The id of the picture and of its objects.
    pub id: ImageId,
    /// The session whose form had it.
    pub session: SessionId,
    /// The user of the session.
    pub user: UserId,
    /// The content type.
    pub content_type: ImageType,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Stored size in bytes.
    pub bytes: u32,
    /// SHA-256 of the stored bytes, in hex.
    pub sha256: String,
    /// The likeness hash.
    pub hashed: Hashed,
    /// When it was kept.
    pub created_at: Timestamp,
}

/// Inserts a picture.
pub fn insert(tx: &mut Tx<'_>, image: &KeptImage) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO kept_images (image_id, session_id, user_id, content_type, width, height,
               bytes, sha256, hash, quality, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        ),
        params![
            image.id,
            image.session,
            image.user,
            image.content_type.name(),
            image.width,
            image.height,
            image.bytes,
            image.sha256,
            image.hashed.hash.to_bytes().to_vec(),
            u32::from(image.hashed.quality),
            image.created_at,
        ],
    )?;
    Ok(())
}

/// Lists those of the session's pictures that were kept since then, ordered by id.
pub fn list(
    tx: &mut Tx<'_>,
    session: SessionId,
    ids: &[ImageId],
    since: Timestamp,
) -> Result<Vec<KeptImage>> {
    let mut found = Vec::new();
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT image_id, session_id, user_id, content_type, width, height, bytes, sha256,
                   hash, quality, created_at
                 FROM kept_images
                 WHERE session_id = $1 AND created_at > $2
                   AND image_id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
            ),
            &with_ids(&session, &since, chunk),
            read,
        )?);
    }
    found.sort_by_key(|it| it.id);
    Ok(found)
}

/// Takes those of the session's pictures that were kept since then, ordered by id. They are no longer
/// kept.
pub fn take(
    tx: &mut Tx<'_>,
    session: SessionId,
    ids: &[ImageId],
    since: Timestamp,
) -> Result<Vec<KeptImage>> {
    let mut taken = Vec::new();
    for chunk in ids.chunks(AT_ONCE) {
        taken.extend(tx.query(
            sql!(
                "DELETE FROM kept_images
                 WHERE session_id = $1 AND created_at > $2
                   AND image_id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                 RETURNING image_id, session_id, user_id, content_type, width, height, bytes,
                   sha256, hash, quality, created_at"
            ),
            &with_ids(&session, &since, chunk),
            read,
        )?);
    }
    taken.sort_by_key(|it| it.id);
    Ok(taken)
}

fn with_ids<'a>(
    session: &'a SessionId,
    since: &'a Timestamp,
    ids: &'a [ImageId],
) -> Vec<Value<'a>> {
    let ids: [_; AT_ONCE] = padded(ids);
    [session.value(), since.value()].into_iter().chain(ids).collect()
}

/// Whether a picture with this id is kept.
pub fn exists(tx: &mut Tx<'_>, id: ImageId) -> Result<bool> {
    let found =
        tx.find(sql!("SELECT 1 FROM kept_images WHERE image_id = $1"), params![id], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Deletes all but a user's newest pictures, and returns the ids of those deleted.
pub fn delete_all_but(tx: &mut Tx<'_>, user: UserId, kept: u32) -> Result<Vec<ImageId>> {
    tx.query(
        sql!(
            "DELETE FROM kept_images WHERE image_id IN (
               SELECT image_id FROM kept_images WHERE user_id = $1
               ORDER BY created_at DESC, image_id DESC LIMIT 500 OFFSET $2)
             RETURNING image_id"
        ),
        params![user, kept],
        only_column,
    )
}

/// Deletes the oldest pictures from before a time, a limited number at once, and returns their ids.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<Vec<ImageId>> {
    tx.query(
        sql!(
            "DELETE FROM kept_images WHERE image_id IN (
               SELECT image_id FROM kept_images WHERE created_at < $1
               ORDER BY created_at, image_id LIMIT $2)
             RETURNING image_id"
        ),
        params![before, at_most],
        only_column,
    )
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid kept image: {what}"))
}

fn read(row: &Row<'_>) -> Result<KeptImage> {
    let hash = ImageHash::from_bytes(&row.get::<Vec<u8>>("hash")?);
    let hash = hash.ok_or_else(|| fault("the length of its hash"))?;
    let quality = u8::try_from(row.get::<u32>("quality")?).map_err(fault)?;
    Ok(KeptImage {
        id: row.get("image_id")?,
        session: row.get("session_id")?,
        user: row.get("user_id")?,
        content_type: row.get::<String>("content_type")?.parse().map_err(fault)?,
        width: row.get("width")?,
        height: row.get("height")?,
        bytes: row.get("bytes")?,
        sha256: row.get("sha256")?,
        hashed: Hashed { hash, quality },
        created_at: row.get("created_at")?,
    })
}
