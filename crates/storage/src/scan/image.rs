//! Images already read: their hashes, so that they need not be fetched again.

use grantor_domain::Timestamp;

use super::TargetId;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Returns the hashes of an image; empty if it could not be read.
pub fn find(tx: &mut Tx<'_>, target: TargetId, url: &str) -> Result<Option<Vec<u8>>> {
    tx.find(
        sql!("SELECT hashes FROM scanned_images WHERE target_id = $1 AND url = $2"),
        params![target, url],
        |row| row.get(0),
    )
}

/// Stores the hashes of an image that was seen now.
pub fn put(
    tx: &mut Tx<'_>,
    target: TargetId,
    (url, hashes): (&str, &[u8]),
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO scanned_images (target_id, url, hashes, last_seen_at)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (target_id, url) DO UPDATE SET hashes = $3, last_seen_at = $4"
        ),
        params![target, url, hashes, now],
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
