//! What takes back acts on pages, each for one session and for a minute, and what a deletion keeps
//! until then: objects of pictures, and the mentions of a source.

use std::collections::HashSet;
use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::{SessionId, SourceId};
use grantor_domain::secret::SecretHash;
use uuid::Uuid;

use crate::object::ObjectKey;
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx, only_column};

/// How many ids one statement looks up.
const AT_ONCE: usize = 20;

/// What takes back one act.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredUndo {
    /// The session that acted.
    pub session: SessionId,
    /// The action of the act in the log.
    pub action: String,
    /// What it restores, as JSON.
    pub reverse: String,
    /// When it can no longer be used.
    pub expires_at: Timestamp,
}

impl fmt::Debug for StoredUndo {
    /// Omits what it restores.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("StoredUndo");
        shown.field("action", &self.action).field("expires_at", &self.expires_at);
        shown.finish_non_exhaustive()
    }
}

/// Inserts an undo, and the objects that stay until it expires.
pub fn insert(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    undo: &StoredUndo,
    objects: &[ObjectKey],
) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO undos (token_hash, session_id, action, reverse, expires_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![
            hash.as_bytes().as_slice(),
            undo.session,
            undo.action,
            undo.reverse,
            undo.expires_at,
        ],
    )?;
    for key in objects {
        tx.send(
            sql!(
                "INSERT INTO undo_objects (object_key, token_hash, expires_at)
                 VALUES ($1, $2, $3)
                 ON CONFLICT (object_key) DO UPDATE SET token_hash = $2, expires_at = $3"
            ),
            params![key.to_string(), hash.as_bytes().as_slice(), undo.expires_at],
        )?;
    }
    Ok(())
}

/// Returns an undo and locks it until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<StoredUndo>> {
    let hash = hash.as_bytes().as_slice();
    tx.lock(sql!("SELECT 1 FROM undos WHERE token_hash = $1 /*for update*/"), params![hash])?;
    tx.find(
        sql!("SELECT session_id, action, reverse, expires_at FROM undos WHERE token_hash = $1"),
        params![hash],
        read,
    )
}

/// Deletes a used undo. Its objects belong to rows again.
pub fn delete(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<()> {
    let hash = hash.as_bytes().as_slice();
    tx.execute(sql!("DELETE FROM undo_objects WHERE token_hash = $1"), params![hash])?;
    tx.execute(sql!("DELETE FROM undos WHERE token_hash = $1"), params![hash])?;
    Ok(())
}

/// Deletes undos that expired before this time, a limited number at a time.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM undos WHERE token_hash IN (
               SELECT token_hash FROM undos WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

/// Deletes the record of objects that were kept until before this time, a limited number at a time,
/// and returns their keys.
pub fn release_objects(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<Vec<ObjectKey>> {
    tx.query(
        sql!(
            "DELETE FROM undo_objects WHERE object_key IN (
               SELECT object_key FROM undo_objects WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)
             RETURNING object_key"
        ),
        params![before, at_most],
        read_key,
    )
}

/// Returns those of the objects that are kept.
pub fn list_kept(tx: &mut Tx<'_>, keys: &[ObjectKey]) -> Result<HashSet<ObjectKey>> {
    let mut kept = HashSet::new();
    let keys: Vec<String> = keys.iter().map(ObjectKey::to_string).collect();
    for chunk in keys.chunks(AT_ONCE) {
        kept.extend(tx.query(
            sql!(
                "SELECT object_key FROM undo_objects
                 WHERE object_key IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read_key,
        )?);
    }
    Ok(kept)
}

/// Takes a source that is about to be deleted from up to `at_most` of its mentions, the oldest first,
/// and records which ones they are. Returns their number.
pub fn detach_mentions(
    tx: &mut Tx<'_>,
    source: SourceId,
    expires_at: Timestamp,
    at_most: u32,
) -> Result<u64> {
    tx.execute(
        sql!(
            "INSERT INTO undo_mentions (mention_id, source_id, expires_at)
             SELECT mention_id, source_id, $2 FROM mentions WHERE source_id = $1
             ORDER BY first_seen_at, mention_id LIMIT $3
             ON CONFLICT (mention_id) DO UPDATE SET source_id = $1, expires_at = $2"
        ),
        params![source, expires_at, at_most],
    )?;
    tx.execute(
        sql!(
            "UPDATE mentions SET source_id = NULL WHERE mention_id IN (
               SELECT mention_id FROM mentions WHERE source_id = $1
               ORDER BY first_seen_at, mention_id LIMIT $2)"
        ),
        params![source, at_most],
    )
}

/// Gives up to `at_most` mentions back to a restored source, unless another source has them now, and
/// returns how many records of them are done with.
pub fn attach_mentions(tx: &mut Tx<'_>, source: SourceId, at_most: u32) -> Result<u64> {
    let ids: Vec<Uuid> = tx.query(
        sql!(
            "DELETE FROM undo_mentions WHERE mention_id IN (
               SELECT mention_id FROM undo_mentions WHERE source_id = $1 LIMIT $2)
             RETURNING mention_id"
        ),
        params![source, at_most],
        only_column,
    )?;
    for id in &ids {
        tx.execute(
            sql!(
                "UPDATE mentions SET source_id = $2
                 WHERE mention_id = $1 AND source_id IS NULL
                   AND EXISTS (SELECT 1 FROM sources WHERE source_id = $2)"
            ),
            params![id, source],
        )?;
    }
    Ok(ids.len() as u64)
}

/// Deletes records of mentions that were kept until before this time, a limited number at a time.
pub fn forget_mentions(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM undo_mentions WHERE mention_id IN (
               SELECT mention_id FROM undo_mentions WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read_key(row: &Row<'_>) -> Result<ObjectKey> {
    let key = only_column::<String>(row)?.parse::<ObjectKey>();
    key.map_err(|error| Error::Fault(format!("a kept object's key {error}")))
}

fn read(row: &Row<'_>) -> Result<StoredUndo> {
    Ok(StoredUndo {
        session: row.get("session_id")?,
        action: row.get("action")?,
        reverse: row.get("reverse")?,
        expires_at: row.get("expires_at")?,
    })
}
