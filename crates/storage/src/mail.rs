//! The mail queue.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::MailId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// A mail claimed for sending.
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimedMail {
    /// The mail's id.
    pub id: MailId,
    /// The sealed content.
    pub sealed: Vec<u8>,
    /// Number of attempts including this one.
    pub attempts: u32,
}

impl fmt::Debug for ClaimedMail {
    /// Omits the content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ClaimedMail");
        shown.field("id", &self.id).field("attempts", &self.attempts).finish_non_exhaustive()
    }
}

/// Queues a mail, due at once.
pub fn insert(
    tx: &mut Tx<'_>,
    id: MailId,
    kind: &str,
    sealed: &[u8],
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO mails (mail_id, kind, sealed, state, attempts, next_attempt_at, created_at)
             VALUES ($1, $2, $3, 'queued', 0, $4, $4)"
        ),
        params![id, kind, sealed, now],
    )?;
    Ok(())
}

/// Claims due mails. The worker has until `until` to finish them; then, or when its node dies, they
/// are due again, so that a crash loses none.
pub fn claim(
    tx: &mut Tx<'_>,
    now: Timestamp,
    until: Timestamp,
    at_most: u32,
) -> Result<Vec<ClaimedMail>> {
    let node = tx.node();
    tx.query(
        sql!(
            "WITH due AS MATERIALIZED (
               SELECT mail_id FROM mails WHERE state = 'queued' AND next_attempt_at <= $1
               ORDER BY next_attempt_at LIMIT $3 /*skip locked*/)
             UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2, node_id = $4
             WHERE mail_id IN (SELECT mail_id FROM due)
             RETURNING mail_id, sealed, attempts"
        ),
        params![now, until, at_most, node],
        |row| {
            Ok(ClaimedMail {
                id: row.get("mail_id")?,
                sealed: row.get("sealed")?,
                attempts: row.get("attempts")?,
            })
        },
    )
}

/// Marks a mail as sent and erases its content. False if another worker has claimed it.
pub fn mark_sent(tx: &mut Tx<'_>, mail: &ClaimedMail, now: Timestamp) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE mails SET state = 'sent', sealed = NULL, last_error = NULL, finished_at = $3,
               node_id = NULL
             WHERE mail_id = $1 AND attempts = $2 AND state = 'queued'"
        ),
        params![mail.id, mail.attempts, now],
    )?;
    Ok(changed == 1)
}

/// Records a failed attempt: schedules the next one, or gives up if `next` is `None`.
pub fn mark_failed(
    tx: &mut Tx<'_>,
    mail: &ClaimedMail,
    reason: &str,
    next: Option<Timestamp>,
    now: Timestamp,
) -> Result<()> {
    match next {
        Some(next) => tx.execute(
            sql!(
                "UPDATE mails SET next_attempt_at = $3, last_error = $4, node_id = NULL
                 WHERE mail_id = $1 AND attempts = $2 AND state = 'queued'"
            ),
            params![mail.id, mail.attempts, next, reason],
        )?,
        None => tx.execute(
            sql!(
                "UPDATE mails SET state = 'failed', sealed = NULL, finished_at = $3, last_error = $4,
                   node_id = NULL
                 WHERE mail_id = $1 AND attempts = $2 AND state = 'queued'"
            ),
            params![mail.id, mail.attempts, now, reason],
        )?,
    };
    Ok(())
}

/// Returns the due time of the oldest due mail.
pub fn oldest_due(tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "SELECT next_attempt_at FROM mails WHERE state = 'queued' AND next_attempt_at <= $1
             ORDER BY next_attempt_at LIMIT 1"
        ),
        params![now],
        only_column,
    )
}

/// Deletes mails that were finished long ago, a limited number at a time.
pub fn delete_finished(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM mails WHERE mail_id IN (
               SELECT mail_id FROM mails WHERE state <> 'queued' AND finished_at < $1
               ORDER BY finished_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}
