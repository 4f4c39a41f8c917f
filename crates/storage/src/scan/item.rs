//! Positions in feeds, and the content already scanned.

use grantor_domain::Timestamp;
use grantor_domain::scan::FeedCursor;

use super::TargetId;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// What is known of a scanned item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The digest of its content.
    pub digest: Vec<u8>,
    /// Its date in a sitemap.
    pub listed_at: Option<Timestamp>,
    /// When it was last scanned.
    pub last_seen_at: Timestamp,
}

/// A scanned item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The item's unique key.
    pub key: String,
    /// What is known of it now.
    pub known: Known,
}

/// Returns the position in a feed.
pub fn find_cursor(tx: &mut Tx<'_>, target: TargetId, url: &str) -> Result<Option<FeedCursor>> {
    tx.find(
        sql!(
            "SELECT etag, last_modified, digest, read_at FROM feed_cursors
             WHERE target_id = $1 AND url = $2"
        ),
        params![target, url],
        |row| {
            Ok(FeedCursor {
                etag: row.get("etag")?,
                last_modified: row.get("last_modified")?,
                digest: row.get("digest")?,
                read_at: row.get("read_at")?,
            })
        },
    )
}

/// Stores the position in a feed.
pub fn put_cursor(tx: &mut Tx<'_>, target: TargetId, url: &str, cursor: &FeedCursor) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO feed_cursors (target_id, url, etag, last_modified, digest, read_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (target_id, url) DO UPDATE
               SET etag = $3, last_modified = $4, digest = $5, read_at = $6"
        ),
        params![
            target,
            url,
            cursor.etag.as_deref(),
            cursor.last_modified.as_deref(),
            cursor.digest,
            cursor.read_at,
        ],
    )?;
    Ok(())
}

/// Returns what is known of an item.
pub fn find_item(tx: &mut Tx<'_>, target: TargetId, key: &str) -> Result<Option<Known>> {
    tx.find(
        sql!(
            "SELECT digest, listed_at, last_seen_at FROM scanned_items
             WHERE target_id = $1 AND url_key = $2"
        ),
        params![target, key],
        |row| {
            Ok(Known {
                digest: row.get("digest")?,
                listed_at: row.get("listed_at")?,
                last_seen_at: row.get("last_seen_at")?,
            })
        },
    )
}

/// Stores a scanned item. Returns whether it is new or has changed.
pub fn put_item(tx: &mut Tx<'_>, target: TargetId, scanned: &Scanned) -> Result<bool> {
    let Scanned { key, known } = scanned;
    let before = find_item(tx, target, key)?;
    tx.execute(
        sql!(
            "INSERT INTO scanned_items (target_id, url_key, digest, listed_at, first_seen_at,
               last_seen_at)
             VALUES ($1, $2, $3, $4, $5, $5)
             ON CONFLICT (target_id, url_key) DO UPDATE SET digest = $3, listed_at = $4,
               last_seen_at = $5"
        ),
        params![target, key, known.digest, known.listed_at, known.last_seen_at],
    )?;
    Ok(before.is_none_or(|it| it.digest != known.digest))
}

/// When anything last changed that affects matching: a license, its talent's names, its pictures
/// (which change the license), a permission on it, or a grant. A grant that ends or is revoked
/// changes nothing: it counts at the time of publication.
pub fn last_change(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "SELECT max(at) FROM (
               SELECT max(updated_at) AS at FROM licenses
               UNION ALL SELECT max(updated_at) FROM talents
               UNION ALL SELECT max(created_at) FROM permissions
               UNION ALL SELECT max(created_at) FROM grants) changes"
        ),
        params![],
        only_column,
    )
    .map(Option::flatten)
}

/// Deletes positions of feeds that have not been read completely since this time.
pub fn delete_cursors(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM feed_cursors WHERE (target_id, url) IN (
               SELECT target_id, url FROM feed_cursors WHERE read_at < $1 LIMIT $2)"
        ),
        params![before, at_most],
    )
}

/// Deletes items that have not been seen since this time.
pub fn delete_items(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM scanned_items WHERE (target_id, url_key) IN (
               SELECT target_id, url_key FROM scanned_items WHERE last_seen_at < $1 LIMIT $2)"
        ),
        params![before, at_most],
    )
}
