//! The comments and letters of a case.

use grantor_domain::case::{CaseComment, CaseLetter, MAX_COMMENTS, MAX_LETTERS};
use grantor_domain::id::MentionId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// A letter with the state of its email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLetter {
    /// The letter.
    pub letter: CaseLetter,
    /// `queued`, `sent` or `failed`; `None` after the email was deleted from the queue.
    pub delivery: Option<String>,
}

/// Inserts a comment.
pub fn insert_comment(tx: &mut Tx<'_>, comment: &CaseComment) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO case_comments (comment_id, mention_id, user_id, author, body, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)"
        ),
        params![
            comment.id,
            comment.mention,
            comment.user,
            comment.author,
            comment.text,
            comment.created_at,
        ],
    )?;
    Ok(())
}

/// Lists the newest comments on a case, oldest first.
pub fn list_comments(tx: &mut Tx<'_>, mention: MentionId) -> Result<Vec<CaseComment>> {
    let mut found = tx.query(
        sql!(
            "SELECT comment_id, mention_id, user_id, author, body, created_at
             FROM case_comments WHERE mention_id = $1 ORDER BY comment_id DESC LIMIT $2"
        ),
        params![mention, bound(MAX_COMMENTS)],
        |row| {
            Ok(CaseComment {
                id: row.get("comment_id")?,
                mention: row.get("mention_id")?,
                user: row.get("user_id")?,
                author: row.get("author")?,
                text: row.get("body")?,
                created_at: row.get("created_at")?,
            })
        },
    )?;
    found.reverse();
    Ok(found)
}

/// Counts the comments on a case, up to the number that a case can have.
pub fn count_comments(tx: &mut Tx<'_>, mention: MentionId) -> Result<usize> {
    let count: Option<u32> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT comment_id FROM case_comments WHERE mention_id = $1 LIMIT $2) found"
        ),
        params![mention, bound(MAX_COMMENTS)],
        only_column,
    )?;
    Ok(count.unwrap_or(0) as usize)
}

/// Inserts a letter.
pub fn insert_letter(tx: &mut Tx<'_>, letter: &CaseLetter) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO case_letters (letter_id, mention_id, recipient, subject, body, sent_by,
               author, sent_at, mail_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        params![
            letter.id,
            letter.mention,
            letter.to,
            letter.subject,
            letter.text,
            letter.sent_by,
            letter.author,
            letter.sent_at,
            letter.mail,
        ],
    )?;
    Ok(())
}

/// Lists the newest letters of a case, oldest first.
pub fn list_letters(tx: &mut Tx<'_>, mention: MentionId) -> Result<Vec<StoredLetter>> {
    let mut found = tx.query(
        sql!(
            "SELECT l.letter_id, l.mention_id, l.recipient, l.subject, l.body, l.sent_by, l.author,
               l.sent_at, l.mail_id, m.state
             FROM case_letters l LEFT JOIN mails m ON m.mail_id = l.mail_id
             WHERE l.mention_id = $1 ORDER BY l.letter_id DESC LIMIT $2"
        ),
        params![mention, bound(MAX_LETTERS)],
        |row| {
            let letter = CaseLetter {
                id: row.get("letter_id")?,
                mention: row.get("mention_id")?,
                to: row.get("recipient")?,
                subject: row.get("subject")?,
                text: row.get("body")?,
                sent_by: row.get("sent_by")?,
                author: row.get("author")?,
                sent_at: row.get("sent_at")?,
                mail: row.get("mail_id")?,
            };
            Ok(StoredLetter { letter, delivery: row.get("state")? })
        },
    )?;
    found.reverse();
    Ok(found)
}

/// Counts the letters of a case, up to the number that a case can have.
pub fn count_letters(tx: &mut Tx<'_>, mention: MentionId) -> Result<usize> {
    let count: Option<u32> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT letter_id FROM case_letters WHERE mention_id = $1 LIMIT $2) found"
        ),
        params![mention, bound(MAX_LETTERS)],
        only_column,
    )?;
    Ok(count.unwrap_or(0) as usize)
}

fn bound(most: usize) -> u32 {
    u32::try_from(most).unwrap_or(u32::MAX)
}
