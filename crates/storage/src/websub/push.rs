//! What hubs pushed and no run has read yet.

use grantor_domain::Timestamp;
use grantor_domain::id::{FeedId, PushId};
use grantor_domain::websub::{MAX_WAITING_PUSHES, count_kept};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Content of a feed that its hub pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The unique ID.
    pub id: PushId,
    /// The content, whose signature was verified.
    pub body: Vec<u8>,
    /// The media type that the hub stated.
    pub content_type: Option<String>,
    /// When it was received.
    pub received_at: Timestamp,
}

/// Inserts a push and deletes the oldest ones of the feed if too many wait.
pub fn insert(tx: &mut Tx<'_>, feed: FeedId, push: &Push) -> Result<()> {
    let size = i64::try_from(push.body.len()).unwrap_or(i64::MAX);
    tx.execute(
        sql!(
            "INSERT INTO websub_pushes (push_id, feed_id, content_type, size, received_at, body)
             VALUES ($1, $2, $3, $4, $5, $6)"
        ),
        params![push.id, feed, push.content_type, size, push.received_at, push.body],
    )?;
    // A feed has at most one more than may wait.
    let at_most = u32::try_from(MAX_WAITING_PUSHES + 1).unwrap_or(u32::MAX);
    let waiting = tx.query(
        sql!(
            "SELECT push_id, size FROM websub_pushes WHERE feed_id = $1
             ORDER BY push_id DESC LIMIT $2"
        ),
        params![feed, at_most],
        |row| Ok((row.get::<PushId>("push_id")?, row.get::<i64>("size")?)),
    )?;
    let sizes = waiting.iter().map(|(_, size)| u64::try_from(*size).unwrap_or(0));
    // The newest is kept in any case.
    match waiting.get(count_kept(sizes).max(1)) {
        Some((newest_dropped, _)) => delete_up_to(tx, feed, *newest_dropped),
        None => Ok(()),
    }
}

fn delete_up_to(tx: &mut Tx<'_>, feed: FeedId, id: PushId) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM websub_pushes WHERE feed_id = $1 AND push_id <= $2"),
        params![feed, id],
    )?;
    Ok(())
}

/// Lists the pushes of a feed that wait, oldest first.
pub fn list(tx: &mut Tx<'_>, feed: FeedId) -> Result<Vec<Push>> {
    tx.query(
        sql!(
            "SELECT push_id, body, content_type, received_at FROM websub_pushes
             WHERE feed_id = $1 ORDER BY push_id"
        ),
        params![feed],
        |row| {
            Ok(Push {
                id: row.get("push_id")?,
                body: row.get("body")?,
                content_type: row.get("content_type")?,
                received_at: row.get("received_at")?,
            })
        },
    )
}

/// Whether a push of the feed waits.
pub fn has_any(tx: &mut Tx<'_>, feed: FeedId) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM websub_pushes WHERE feed_id = $1 LIMIT 1"),
        params![feed],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Deletes a push that was read.
pub fn delete(tx: &mut Tx<'_>, id: PushId) -> Result<()> {
    tx.execute(sql!("DELETE FROM websub_pushes WHERE push_id = $1"), params![id])?;
    Ok(())
}

/// Deletes pushes received before this time, a limited number at a time.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM websub_pushes WHERE push_id IN (
               SELECT push_id FROM websub_pushes WHERE received_at < $1 LIMIT $2)"
        ),
        params![before, at_most],
    )
}
