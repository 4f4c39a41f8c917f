//! Local features of reference images, deleted together with the images. Every image has a row; one
//! that waits to be described, after an upgrade or a restore for example, has version 0.
//!
//! As with hashes, readers that hold entries in memory fetch the ones that follow.

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, ImageId};
use grantor_domain::likeness::LocalFeatures;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// The entries of an image for an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntries {
    /// The image.
    pub image: ImageId,
    /// The entries; `None` if the image could not be read, or has those of another version.
    pub entries: Option<Vec<u8>>,
    /// When the image was described.
    pub described_at: Timestamp,
}

/// How many images are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The images that are described.
    pub described: u64,
    /// All images.
    pub images: u64,
}

/// Inserts an image that waits to be described, unless it has a row.
pub fn insert(tx: &mut Tx<'_>, image: ImageId) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO image_entries (image_id, version, feature_count) VALUES ($1, 0, 0)
             ON CONFLICT (image_id) DO NOTHING"
        ),
        params![image],
    )?;
    Ok(())
}

/// Inserts all images that have no row, after a restore.
pub(crate) fn insert_all(tx: &mut Tx<'_>) -> Result<()> {
    insert_since(tx, Uuid::nil().into()).map(drop)
}

/// Inserts the images after this id that have no row: a node of an earlier version may have added
/// them. Returns how many.
pub fn insert_since(tx: &mut Tx<'_>, after: ImageId) -> Result<u64> {
    tx.execute(
        sql!(
            "INSERT INTO image_entries (image_id, version, feature_count)
             SELECT i.image_id, 0, 0 FROM images i
             WHERE i.image_id > $1 AND NOT EXISTS (
               SELECT 1 FROM image_entries e WHERE e.image_id = i.image_id)
             ON CONFLICT (image_id) DO NOTHING"
        ),
        params![after],
    )
}

/// Stores the features of an image that waits, or has those of an earlier version; `None` if it
/// cannot be read. False if the image was deleted, or described by somebody else.
pub fn describe(
    tx: &mut Tx<'_>,
    image: ImageId,
    version: u8,
    described: Option<&LocalFeatures>,
    now: Timestamp,
) -> Result<bool> {
    let (entries, count) =
        (described.map(|it| it.entries.as_slice()), described.map(|it| it.count));
    let changed = tx.execute(
        sql!(
            "UPDATE image_entries
             SET version = $2, feature_count = $3, entries = $4, described_at = $5
             WHERE image_id = $1 AND version < $2"
        ),
        params![image, u32::from(version), count.unwrap_or(0), entries, now],
    )?;
    if let Some(described) = described.filter(|_| changed == 1) {
        tx.execute(
            sql!(
                "INSERT INTO image_features (image_id, features) VALUES ($1, $2)
                 ON CONFLICT (image_id) DO UPDATE SET features = $2"
            ),
            params![image, described.features],
        )?;
        tx.execute(
            sql!(
                "UPDATE tenants SET described_at = $2 WHERE tenant_id = (
                   SELECT l.tenant_id FROM images i JOIN licenses l ON l.license_id = i.license_id
                   WHERE i.image_id = $1) /*unwatched*/"
            ),
            params![image, now],
        )?;
    }
    Ok(changed == 1)
}

/// Lists the next images described after this time, or at this time with a greater id, and before
/// another time, in that order. Those of other versions have no entries.
pub fn list_between(
    tx: &mut Tx<'_>,
    (instant, image): (Timestamp, ImageId),
    before: Timestamp,
    version: u8,
    limit: u32,
) -> Result<Vec<StoredEntries>> {
    tx.query(
        sql!(
            "SELECT image_id, CASE WHEN version = $4 THEN entries END AS entries, described_at
             FROM image_entries
             WHERE described_at IS NOT NULL AND (described_at, image_id) > ($1, $2)
               AND described_at < $3
             ORDER BY described_at, image_id LIMIT $5"
        ),
        params![instant, image, before, u32::from(version), limit],
        |row| {
            let (image, entries) = (row.get("image_id")?, row.get("entries")?);
            Ok(StoredEntries { image, entries, described_at: row.get("described_at")? })
        },
    )
}

/// Lists the next images described after this time, or at this time with a greater id, in that
/// order.
pub fn list_since(
    tx: &mut Tx<'_>,
    (instant, image): (Timestamp, ImageId),
    limit: u32,
) -> Result<Vec<ImageId>> {
    tx.query(
        sql!(
            "SELECT image_id FROM image_entries
             WHERE described_at IS NOT NULL AND (described_at, image_id) > ($1, $2)
             ORDER BY described_at, image_id LIMIT $3"
        ),
        params![instant, image, limit],
        only_column,
    )
}

/// Returns the entries of those images that have some of this version.
pub fn entries_of(
    tx: &mut Tx<'_>,
    images: &[ImageId],
    version: u8,
) -> Result<Vec<(ImageId, Vec<u8>)>> {
    tx.query(
        sql!(
            "SELECT image_id, entries FROM image_entries
             WHERE version = $1 AND entries IS NOT NULL AND image_id = ANY($2)"
        ),
        params![u32::from(version), keys(images)],
        |row| Ok((row.get("image_id")?, row.get("entries")?)),
    )
}

/// Returns when the newest image of those who watch a feed was described.
pub fn newest_of_watchers(tx: &mut Tx<'_>, feed: FeedId) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "SELECT max(t.described_at) FROM sources s JOIN tenants t ON t.tenant_id = s.tenant_id
             WHERE s.feed_id = $1"
        ),
        params![feed],
        only_column,
    )
    .map(Option::flatten)
}

/// Returns when the newest image was described.
pub fn newest(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "SELECT described_at FROM image_entries
             WHERE described_at IS NOT NULL AND described_at > $1
             ORDER BY described_at DESC LIMIT 1"
        ),
        params![Timestamp::from_micros(0)],
        only_column,
    )
}

/// Returns the features of those images that have some.
pub fn features_of(tx: &mut Tx<'_>, images: &[ImageId]) -> Result<Vec<(ImageId, Vec<u8>)>> {
    tx.query(
        sql!("SELECT image_id, features FROM image_features WHERE image_id = ANY($1)"),
        params![keys(images)],
        |row| Ok((row.get("image_id")?, row.get("features")?)),
    )
}

/// Returns the numbers of features of those images that are described.
pub fn counts_of(tx: &mut Tx<'_>, images: &[ImageId]) -> Result<Vec<(ImageId, u32)>> {
    tx.query(
        sql!(
            "SELECT image_id, feature_count FROM image_entries
             WHERE described_at IS NOT NULL AND entries IS NOT NULL AND image_id = ANY($1)"
        ),
        params![keys(images)],
        |row| Ok((row.get("image_id")?, row.get("feature_count")?)),
    )
}

fn keys(images: &[ImageId]) -> Vec<Uuid> {
    images.iter().map(|it| it.as_uuid()).collect()
}

/// Lists images that wait to be described or have features of an earlier version.
pub fn list_waiting(tx: &mut Tx<'_>, version: u8, limit: u32) -> Result<Vec<ImageId>> {
    tx.query(
        sql!(
            "SELECT image_id FROM image_entries WHERE version < $1
             ORDER BY version, image_id LIMIT $2"
        ),
        params![u32::from(version), limit],
        only_column,
    )
}

/// Counts the images that are described, and all of them.
pub fn progress(tx: &mut Tx<'_>, version: u8) -> Result<Progress> {
    let images = crate::image::count(tx)?;
    let waiting: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM image_entries WHERE version < $1"),
        params![u32::from(version)],
        only_column,
    )?;
    let waiting = waiting.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Progress { described: images.saturating_sub(waiting), images })
}
