//! Likeness hashes of reference images, deleted together with the images.
//!
//! Readers that hold hashes in memory fetch the ones that follow: rows are never changed, and
//! deleted ones are noticed when the licenses of matching images are looked up.

use grantor_domain::Timestamp;
use grantor_domain::id::{ImageId, LicenseId, TenantId};
use grantor_domain::likeness::{Hashed, ImageHash};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx};

/// How many ids one statement looks up.
const AT_ONCE: usize = 20;

/// The stored hash of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredHash {
    /// The image.
    pub image: ImageId,
    /// The hash; `None` if the image could not be read.
    pub hashed: Option<Hashed>,
    /// When the image was hashed.
    pub hashed_at: Timestamp,
}

/// Inserts the hash of an image, or that it has none, unless there is a row already.
pub fn insert(
    tx: &mut Tx<'_>,
    image: ImageId,
    hashed: Option<Hashed>,
    now: Timestamp,
) -> Result<()> {
    let hash = hashed.map(|it| it.hash.to_bytes().to_vec());
    let quality = hashed.map_or(0, |it| u32::from(it.quality));
    tx.execute(
        sql!(
            "INSERT INTO image_hashes (image_id, hash, quality, hashed_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (image_id) DO NOTHING"
        ),
        params![image, hash, quality, now],
    )?;
    Ok(())
}

/// Lists the next images hashed after this time, or at this time with a greater id, in that order.
pub fn list_since(
    tx: &mut Tx<'_>,
    (instant, image): (Timestamp, ImageId),
    limit: u32,
) -> Result<Vec<StoredHash>> {
    tx.query(
        sql!(
            "SELECT image_id, hash, quality, hashed_at FROM image_hashes
             WHERE (hashed_at, image_id) > ($1, $2) ORDER BY hashed_at, image_id LIMIT $3"
        ),
        params![instant, image, limit],
        read,
    )
}

/// Lists the hashes of those images that were hashed.
pub fn list_of(tx: &mut Tx<'_>, images: &[ImageId]) -> Result<Vec<StoredHash>> {
    let mut found = Vec::new();
    for chunk in images.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT image_id, hash, quality, hashed_at FROM image_hashes
                 WHERE image_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

/// Lists the next images by id, each with whether it was hashed.
pub fn list_images(tx: &mut Tx<'_>, after: ImageId, limit: u32) -> Result<Vec<(ImageId, bool)>> {
    tx.query(
        sql!(
            "SELECT i.image_id, h.image_id IS NOT NULL AS has_hash
             FROM images i LEFT JOIN image_hashes h ON h.image_id = i.image_id
             WHERE i.image_id > $1 ORDER BY i.image_id LIMIT $2"
        ),
        params![after, limit],
        |row| Ok((row.get("image_id")?, row.get("has_hash")?)),
    )
}

/// Returns the licenses of those images that still exist, with their owners.
pub fn owners_of(
    tx: &mut Tx<'_>,
    images: &[ImageId],
) -> Result<Vec<(ImageId, (LicenseId, TenantId))>> {
    let images: Vec<Uuid> = images.iter().map(|it| it.as_uuid()).collect();
    tx.query(
        sql!(
            "SELECT i.image_id, i.license_id, l.tenant_id
             FROM images i JOIN licenses l ON l.license_id = i.license_id
             WHERE i.image_id = ANY($1) AND l.deleted_at IS NULL"
        ),
        params![images],
        |row| Ok((row.get("image_id")?, (row.get("license_id")?, row.get("tenant_id")?))),
    )
}

fn read(row: &Row<'_>) -> Result<StoredHash> {
    let quality = u8::try_from(row.get::<u32>("quality")?);
    let quality =
        quality.map_err(|error| Error::Fault(format!("invalid hash quality: {error}")))?;
    let hash: Option<Vec<u8>> = row.get("hash")?;
    let hashed = hash.map(|bytes| {
        let hash = ImageHash::from_bytes(&bytes);
        let hash = hash.ok_or_else(|| Error::Fault("invalid hash length".to_owned()))?;
        Ok::<_, Error>(Hashed { hash, quality })
    });
    Ok(StoredHash {
        image: row.get("image_id")?,
        hashed: hashed.transpose()?,
        hashed_at: row.get("hashed_at")?,
    })
}
