//! What reference images look like, kept with them and gone with them.
//!
//! Whoever holds all hashes in memory asks for what was hashed since: rows are never altered, and
//! what is gone is noticed by asking for the licenses of what was found.

use grantor_domain::Timestamp;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::likeness::{Hashed, ImageHash};

use crate::statement::sql;
use crate::value::{Param as _, params};
use crate::{Error, Result, Row, Tx};

/// How many ids one statement looks for.
const AT_ONCE: usize = 20;

/// What an image looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The image.
    pub image: ImageId,
    /// Its hash; nothing when its bytes could not be read.
    pub hashed: Option<Hashed>,
    /// When it was hashed.
    pub hashed_at: Timestamp,
}

/// Keeps the hash of an image, or that it has none. The first to come stays.
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

/// The next images that were hashed after this instant, or at it and after this image, in that
/// order.
pub fn list_since(
    tx: &mut Tx<'_>,
    (instant, image): (Timestamp, ImageId),
    limit: u32,
) -> Result<Vec<Kept>> {
    tx.query(
        sql!(
            "SELECT image_id, hash, quality, hashed_at FROM image_hashes
             WHERE (hashed_at, image_id) > ($1, $2) ORDER BY hashed_at, image_id LIMIT $3"
        ),
        params![instant, image, limit],
        read,
    )
}

/// The next images by id, and whether each was hashed.
pub fn list_images(tx: &mut Tx<'_>, after: ImageId, limit: u32) -> Result<Vec<(ImageId, bool)>> {
    tx.query(
        sql!(
            "SELECT i.image_id, h.image_id IS NOT NULL
             FROM images i LEFT JOIN image_hashes h ON h.image_id = i.image_id
             WHERE i.image_id > $1 ORDER BY i.image_id LIMIT $2"
        ),
        params![after, limit],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// The licenses of those images that are still there.
pub fn licenses_of(tx: &mut Tx<'_>, images: &[ImageId]) -> Result<Vec<(ImageId, LicenseId)>> {
    let mut found = Vec::new();
    for chunk in images.chunks(AT_ONCE) {
        // What is left over of the statement's places repeats the last id, which changes nothing.
        let ids: [_; AT_ONCE] = std::array::from_fn(|at| chunk[at.min(chunk.len() - 1)].value());
        found.extend(tx.query(
            sql!(
                "SELECT i.image_id, i.license_id
                 FROM images i JOIN licenses l ON l.license_id = i.license_id
                 WHERE i.image_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20) AND l.deleted_at IS NULL"
            ),
            &ids,
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Kept> {
    let quality = u8::try_from(row.get::<u32>(2)?);
    let quality = quality.map_err(|error| Error::Fault(format!("a quality: {error}")))?;
    let hash: Option<Vec<u8>> = row.get(1)?;
    let hashed = hash.map(|bytes| {
        let hash = ImageHash::from_bytes(&bytes);
        let hash = hash.ok_or_else(|| Error::Fault("a hash of another length".to_owned()))?;
        Ok::<_, Error>(Hashed { hash, quality })
    });
    Ok(Kept { image: row.get(0)?, hashed: hashed.transpose()?, hashed_at: row.get(3)? })
}
