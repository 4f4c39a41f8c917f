//! Reference images of licenses. Their bytes are objects with the same id.

use std::collections::HashSet;

use grantor_domain::Timestamp;
use grantor_domain::id::{ImageId, LicenseId, TalentId, TenantId};
use grantor_domain::image::ImageType;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::{Param as _, padded, params};
use crate::{Error, Result, Row, Tx, only_column, usage};

/// How many ids one statement looks up.
const AT_ONCE: usize = 20;

/// How many images get their tenant in one unit of work.
const AT_START: u32 = 10_000;

/// A reference image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// The id of the image and of its objects.
    pub id: ImageId,
    /// The license.
    pub license: LicenseId,
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
    /// When it was added.
    pub created_at: Timestamp,
}

/// Inserts an image. The caller updates the license's image count.
pub fn insert(tx: &mut Tx<'_>, image: &Image) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO images (image_id, license_id, content_type, width, height, bytes, sha256,
               created_at, tenant_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
               (SELECT tenant_id FROM licenses WHERE license_id = $2))"
        ),
        params![
            image.id,
            image.license,
            image.content_type.name(),
            image.width,
            image.height,
            image.bytes,
            image.sha256,
            image.created_at,
        ],
    )?;
    usage::add_bytes(tx, image.license, i64::from(image.bytes))
}

/// Deletes an image of a license. False if the license has none with this id.
pub fn delete(tx: &mut Tx<'_>, license: LicenseId, id: ImageId) -> Result<bool> {
    let bytes: Option<i64> = tx.find(
        sql!("DELETE FROM images WHERE image_id = $1 AND license_id = $2 RETURNING bytes"),
        params![id, license],
        only_column,
    )?;
    usage::add_bytes(tx, license, -bytes.unwrap_or(0))?;
    Ok(bytes.is_some())
}

/// Deletes all images of a license and returns their ids.
pub fn delete_all(tx: &mut Tx<'_>, license: LicenseId) -> Result<Vec<ImageId>> {
    let deleted: Vec<(ImageId, i64)> = tx.query(
        sql!("DELETE FROM images WHERE license_id = $1 RETURNING image_id, bytes"),
        params![license],
        |row| Ok((row.get("image_id")?, row.get("bytes")?)),
    )?;
    usage::add_bytes(tx, license, -deleted.iter().map(|it| it.1).sum::<i64>())?;
    Ok(deleted.into_iter().map(|it| it.0).collect())
}

/// Returns the ids for which an image exists.
pub fn list_existing(tx: &mut Tx<'_>, ids: &[ImageId]) -> Result<HashSet<ImageId>> {
    let mut known = HashSet::new();
    for chunk in ids.chunks(AT_ONCE) {
        // Unused parameters repeat the last id, which does not change the result.
        let ids: [_; AT_ONCE] = std::array::from_fn(|at| chunk[at.min(chunk.len() - 1)].value());
        known.extend(tx.query(
            sql!(
                "SELECT image_id FROM images
                 WHERE image_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &ids,
            only_column::<ImageId>,
        )?);
    }
    Ok(known)
}

/// Lists the images after this id, ordered by id.
pub fn list_after(tx: &mut Tx<'_>, after: Option<ImageId>, at_most: usize) -> Result<Vec<Image>> {
    let after = after.map_or(Uuid::nil(), ImageId::as_uuid);
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    tx.query(
        sql!(
            "SELECT image_id, license_id, content_type, width, height, bytes, sha256, created_at
             FROM images WHERE image_id > $1 ORDER BY image_id LIMIT $2"
        ),
        params![after, at_most],
        read,
    )
}

/// Counts all images.
pub fn count(tx: &mut Tx<'_>) -> Result<u64> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM images"), params![], only_column)?;
    Ok(total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns the image with this id, unless its license was deleted.
pub fn find(tx: &mut Tx<'_>, id: ImageId) -> Result<Option<Image>> {
    tx.find(
        sql!(
            "SELECT i.image_id, i.license_id, i.content_type, i.width, i.height, i.bytes, i.sha256,
               i.created_at
             FROM images i JOIN licenses l ON l.license_id = i.license_id
             WHERE i.image_id = $1 AND l.deleted_at IS NULL"
        ),
        params![id],
        read,
    )
}

/// Returns the SHA-256 of those of these images that exist, in hex.
pub fn hashes_of(tx: &mut Tx<'_>, ids: &[ImageId]) -> Result<Vec<(ImageId, String)>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT image_id, sha256 FROM images
                 WHERE image_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("image_id")?, row.get("sha256")?)),
        )?);
    }
    Ok(found)
}

/// Lists the first of a tenant's other images with the same SHA-256, ordered by id.
pub fn list_same(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    id: ImageId,
    sha256: &str,
    limit: u32,
) -> Result<Vec<ImageId>> {
    tx.query(
        sql!(
            "SELECT image_id FROM images
             WHERE tenant_id = $1 AND sha256 = $2 AND image_id <> $3
             ORDER BY image_id LIMIT $4"
        ),
        params![tenant, sha256, id, limit],
        only_column,
    )
}

/// Gives some images the tenant of their license, if a program that does not store it added them.
/// Returns how many.
pub(crate) fn assign_tenants(tx: &mut Tx<'_>) -> Result<u64> {
    let found: Vec<Uuid> = tx.query(
        sql!("SELECT image_id FROM images WHERE tenant_id IS NULL LIMIT $1"),
        params![AT_START],
        only_column,
    )?;
    if found.is_empty() {
        return Ok(0);
    }
    tx.execute(
        sql!(
            "UPDATE images SET tenant_id = (
               SELECT l.tenant_id FROM licenses l WHERE l.license_id = images.license_id)
             WHERE image_id = ANY($1)"
        ),
        params![found],
    )
}

/// Lists the images of a license in the order they were added.
pub fn list(tx: &mut Tx<'_>, license: LicenseId) -> Result<Vec<Image>> {
    tx.query(
        sql!(
            "SELECT image_id, license_id, content_type, width, height, bytes, sha256, created_at
             FROM images WHERE license_id = $1 ORDER BY created_at, image_id"
        ),
        params![license],
        read,
    )
}

/// Lists the images of these licenses, each license's in the order they were added.
pub fn list_of(tx: &mut Tx<'_>, licenses: &[LicenseId]) -> Result<Vec<Image>> {
    let mut found = Vec::new();
    for chunk in licenses.chunks(AT_ONCE) {
        // Unused parameters repeat the last id, which does not change the result.
        let ids: [_; AT_ONCE] = std::array::from_fn(|at| chunk[at.min(chunk.len() - 1)].value());
        found.extend(tx.query(
            sql!(
                "SELECT image_id, license_id, content_type, width, height, bytes, sha256,
                   created_at
                 FROM images
                 WHERE license_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)
                 ORDER BY created_at, image_id"
            ),
            &ids,
            read,
        )?);
    }
    Ok(found)
}

/// Returns the first image of each of these licenses that has one and that one of two readers sees.
pub fn first_of_licenses(
    tx: &mut Tx<'_>,
    readers: [Uuid; 2],
    licenses: &[LicenseId],
) -> Result<Vec<(LicenseId, ImageId)>> {
    let [one, other] = readers;
    let mut found = Vec::with_capacity(licenses.len());
    for chunk in licenses.chunks(AT_ONCE) {
        let rows: Vec<(LicenseId, Option<ImageId>)> = tx.query(
            sql!(
                "SELECT r.license_id, (SELECT i.image_id FROM images i
                   WHERE i.license_id = r.license_id ORDER BY i.created_at,
                   i.image_id LIMIT 1) AS image_id
                 FROM license_readers r
                 WHERE r.reader_id IN ($1, $2) AND r.license_id IN ($3, $4, $5, $6, $7, $8, $9,
                   $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)"
            ),
            &[params![one, other] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            |row| Ok((row.get("license_id")?, row.get("image_id")?)),
        )?;
        found.extend(rows.into_iter().filter_map(|(license, image)| Some((license, image?))));
    }
    Ok(found)
}

/// How many of a talent's newest licenses are searched for an image.
const NEWEST: u32 = 10;

/// Returns the first image of the newest license with images for those of these talents that belong
/// to the tenant.
pub fn first_of_talents(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    talents: &[TalentId],
) -> Result<Vec<(TalentId, ImageId)>> {
    let mut found = Vec::with_capacity(talents.len());
    for chunk in talents.chunks(AT_ONCE) {
        let rows: Vec<(TalentId, Option<ImageId>)> = tx.query(
            sql!(
                "SELECT t.talent_id, (
                   SELECT i.image_id FROM (
                     SELECT l.license_id FROM licenses l
                     WHERE l.talent_id = t.talent_id AND l.deleted_at IS NULL
                     ORDER BY l.license_id DESC LIMIT $2) newest
                   CROSS JOIN images i WHERE i.license_id = newest.license_id
                   ORDER BY newest.license_id DESC, i.created_at, i.image_id LIMIT 1) AS image_id
                 FROM talents t
                 WHERE t.tenant_id = $1 AND t.talent_id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11,
                   $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)"
            ),
            &[params![tenant, NEWEST] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            |row| Ok((row.get("talent_id")?, row.get("image_id")?)),
        )?;
        found.extend(rows.into_iter().filter_map(|(talent, image)| Some((talent, image?))));
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Image> {
    let content_type = row.get::<String>("content_type")?.parse();
    Ok(Image {
        id: row.get("image_id")?,
        license: row.get("license_id")?,
        content_type: content_type
            .map_err(|error| Error::Fault(format!("invalid image: {error}")))?,
        width: row.get("width")?,
        height: row.get("height")?,
        bytes: row.get("bytes")?,
        sha256: row.get("sha256")?,
        created_at: row.get("created_at")?,
    })
}
