//! Pictures of licenses in the catalog. Their bytes are objects with the same id.

use std::collections::HashSet;

use grantor_domain::Timestamp;
use grantor_domain::id::{CatalogPictureId, LicenseId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Row, Tx, only_column, usage};

/// How many ids one statement looks up.
const AT_ONCE: usize = 20;

/// The picture of a license in the catalog, always a JPEG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogPicture {
    /// The id of the picture and of its objects.
    pub id: CatalogPictureId,
    /// The license.
    pub license: LicenseId,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Stored size in bytes, without the thumbnail.
    pub bytes: u32,
    /// SHA-256 of the stored bytes, in hex.
    pub sha256: String,
    /// When it was picked.
    pub created_at: Timestamp,
}

/// Inserts the picture of a license that has none.
pub fn insert(tx: &mut Tx<'_>, picture: &CatalogPicture) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO catalog_pictures (picture_id, license_id, width, height, bytes, sha256,
               created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            picture.id,
            picture.license,
            picture.width,
            picture.height,
            picture.bytes,
            picture.sha256,
            picture.created_at,
        ],
    )?;
    usage::add_bytes(tx, picture.license, i64::from(picture.bytes))
}

/// Deletes the picture of a license and returns its id, if the license has one.
pub fn delete(tx: &mut Tx<'_>, license: LicenseId) -> Result<Option<CatalogPictureId>> {
    let deleted: Option<(CatalogPictureId, i64)> = tx.find(
        sql!("DELETE FROM catalog_pictures WHERE license_id = $1 RETURNING picture_id, bytes"),
        params![license],
        |row| Ok((row.get("picture_id")?, row.get("bytes")?)),
    )?;
    if let Some((_, bytes)) = deleted {
        usage::add_bytes(tx, license, -bytes)?;
    }
    Ok(deleted.map(|(id, _)| id))
}

/// Returns the picture of a license.
pub fn find(tx: &mut Tx<'_>, license: LicenseId) -> Result<Option<CatalogPicture>> {
    tx.find(
        sql!(
            "SELECT picture_id, license_id, width, height, bytes, sha256, created_at
             FROM catalog_pictures WHERE license_id = $1"
        ),
        params![license],
        read,
    )
}

/// Returns the picture with this id, unless its license was deleted.
pub fn find_by_id(tx: &mut Tx<'_>, id: CatalogPictureId) -> Result<Option<CatalogPicture>> {
    tx.find(
        sql!(
            "SELECT p.picture_id, p.license_id, p.width, p.height, p.bytes, p.sha256, p.created_at
             FROM catalog_pictures p JOIN licenses l ON l.license_id = p.license_id
             WHERE p.picture_id = $1 AND l.deleted_at IS NULL"
        ),
        params![id],
        read,
    )
}

/// Returns the picture with this id if its license is public at this time.
pub fn find_public(
    tx: &mut Tx<'_>,
    id: CatalogPictureId,
    now: Timestamp,
) -> Result<Option<CatalogPicture>> {
    tx.find(
        sql!(
            "SELECT p.picture_id, p.license_id, p.width, p.height, p.bytes, p.sha256, p.created_at
             FROM catalog_pictures p JOIN licenses l ON l.license_id = p.license_id
             WHERE p.picture_id = $1 AND l.deleted_at IS NULL AND l.status = 'public'
               AND (l.expires_at IS NULL OR l.expires_at > $2)"
        ),
        params![id, now],
        read,
    )
}

/// Returns the pictures of these licenses, in any order.
pub fn list_of(tx: &mut Tx<'_>, licenses: &[LicenseId]) -> Result<Vec<CatalogPicture>> {
    let mut found = Vec::new();
    for chunk in licenses.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT picture_id, license_id, width, height, bytes, sha256, created_at
                 FROM catalog_pictures
                 WHERE license_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

/// Returns the pictures of those of these licenses that are public at this time, in any order.
pub fn list_public_of(
    tx: &mut Tx<'_>,
    licenses: &[LicenseId],
    now: Timestamp,
) -> Result<Vec<CatalogPicture>> {
    let mut found = Vec::new();
    for chunk in licenses.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT p.picture_id, p.license_id, p.width, p.height, p.bytes, p.sha256,
                   p.created_at
                 FROM catalog_pictures p JOIN licenses l ON l.license_id = p.license_id
                 WHERE p.license_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20, $21)
                   AND l.deleted_at IS NULL AND l.status = 'public'
                   AND (l.expires_at IS NULL OR l.expires_at > $1)"
            ),
            &[params![now] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            read,
        )?);
    }
    Ok(found)
}

/// Returns the ids for which a picture exists.
pub fn list_existing(
    tx: &mut Tx<'_>,
    ids: &[CatalogPictureId],
) -> Result<HashSet<CatalogPictureId>> {
    let mut known = HashSet::new();
    for chunk in ids.chunks(AT_ONCE) {
        known.extend(tx.query(
            sql!(
                "SELECT picture_id FROM catalog_pictures
                 WHERE picture_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            only_column::<CatalogPictureId>,
        )?);
    }
    Ok(known)
}

/// Lists the pictures after this id, ordered by id.
pub fn list_after(
    tx: &mut Tx<'_>,
    after: Option<CatalogPictureId>,
    at_most: usize,
) -> Result<Vec<CatalogPicture>> {
    let after = after.map_or(Uuid::nil(), CatalogPictureId::as_uuid);
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    tx.query(
        sql!(
            "SELECT picture_id, license_id, width, height, bytes, sha256, created_at
             FROM catalog_pictures WHERE picture_id > $1 ORDER BY picture_id LIMIT $2"
        ),
        params![after, at_most],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<CatalogPicture> {
    Ok(CatalogPicture {
        id: row.get("picture_id")?,
        license: row.get("license_id")?,
        width: row.get("width")?,
        height: row.get("height")?,
        bytes: row.get("bytes")?,
        sha256: row.get("sha256")?,
        created_at: row.get("created_at")?,
    })
}
