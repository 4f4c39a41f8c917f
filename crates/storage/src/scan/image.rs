//! Images already read: their hashes and what local features found in them, so that they need not
//! be fetched again.

use grantor_domain::Timestamp;

use super::TargetId;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// What was read of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedImage {
    /// The hashes; empty if it could not be read or has too little detail.
    pub hashes: Vec<u8>,
    /// The reference images that local features found in it, as JSON; `None` if there are none.
    pub shown: Option<String>,
    /// When it was fetched and they were searched for; `None` if some waited to be described then.
    pub searched_at: Option<Timestamp>,
}

impl ScannedImage {
    /// Whether nothing can be recognized in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty() && self.shown.is_none()
    }
}

/// Returns what was read of an image.
pub fn find(tx: &mut Tx<'_>, target: TargetId, url: &str) -> Result<Option<ScannedImage>> {
    tx.find(
        sql!(
            "SELECT hashes, shown, searched_at FROM scanned_images
             WHERE target_id = $1 AND url = $2"
        ),
        params![target, url],
        |row| {
            let (hashes, shown) = (row.get("hashes")?, row.get("shown")?);
            Ok(ScannedImage { hashes, shown, searched_at: row.get("searched_at")? })
        },
    )
}

/// Stores what was read of an image that was seen now.
pub fn put(
    tx: &mut Tx<'_>,
    target: TargetId,
    (url, image): (&str, &ScannedImage),
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO scanned_images (target_id, url, hashes, last_seen_at, shown, searched_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (target_id, url) DO UPDATE
             SET hashes = $3, last_seen_at = $4, shown = $5, searched_at = $6"
        ),
        params![target, url, image.hashes, now, image.shown, image.searched_at],
    )?;
    Ok(())
}

/// Deletes images that have not been seen since this time.
pub fn delete(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM scanned_images WHERE (target_id, url) IN (
               SELECT target_id, url FROM scanned_images WHERE last_seen_at < $1 LIMIT $2)"
        ),
        params![before, at_most],
    )
}
