//! Sign-ins and set-ups that take several requests, each bound to the browser in which it began.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::UserId;
use grantor_domain::secret::SecretHash;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// A ceremony that was not finished yet.
#[derive(Clone, PartialEq, Eq)]
pub struct Ceremony {
    /// What it is for.
    pub purpose: String,
    /// Whose it is, as far as that is known.
    pub user: Option<UserId>,
    /// Its state, sealed.
    pub sealed: Vec<u8>,
    /// Number of attempts so far.
    pub wrong: u32,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl fmt::Debug for Ceremony {
    /// Omits the state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Ceremony");
        shown.field("purpose", &self.purpose).field("wrong", &self.wrong);
        shown.field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// Inserts a ceremony.
pub fn insert(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    ceremony: &Ceremony,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO ceremonies (ceremony_hash, purpose, user_id, sealed, wrong, expires_at,
               created_at)
             VALUES ($1, $2, $3, $4, 0, $5, $6)"
        ),
        params![
            hash.as_bytes().as_slice(),
            ceremony.purpose,
            ceremony.user,
            ceremony.sealed,
            ceremony.expires_at,
            now,
        ],
    )?;
    Ok(())
}

/// Returns a ceremony that has not expired.
pub fn find(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    purpose: &str,
    now: Timestamp,
) -> Result<Option<Ceremony>> {
    tx.find(
        sql!(
            "SELECT purpose, user_id, sealed, wrong, expires_at FROM ceremonies
             WHERE ceremony_hash = $1 AND purpose = $2 AND expires_at > $3"
        ),
        params![hash.as_bytes().as_slice(), purpose, now],
        read,
    )
}

/// Takes one attempt before anything is compared, so that at most `most` are, however many arrive at
/// once. `None` if no attempt is left.
pub fn take_attempt(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    purpose: &str,
    most: u32,
    now: Timestamp,
) -> Result<Option<Ceremony>> {
    tx.find(
        sql!(
            "UPDATE ceremonies SET wrong = wrong + 1
             WHERE ceremony_hash = $1 AND purpose = $2 AND wrong < $3 AND expires_at > $4
             RETURNING purpose, user_id, sealed, wrong, expires_at"
        ),
        params![hash.as_bytes().as_slice(), purpose, most, now],
        read,
    )
}

/// Replaces the state of a ceremony. False if it is over.
pub fn update(tx: &mut Tx<'_>, hash: &SecretHash, sealed: &[u8]) -> Result<bool> {
    let changed = tx.execute(
        sql!("UPDATE ceremonies SET sealed = $2 WHERE ceremony_hash = $1"),
        params![hash.as_bytes().as_slice(), sealed],
    )?;
    Ok(changed == 1)
}

/// Ends a ceremony and returns it. `None` if it has expired or another caller was first.
pub fn consume(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    purpose: &str,
    now: Timestamp,
) -> Result<Option<Ceremony>> {
    let taken = tx.find(
        sql!(
            "DELETE FROM ceremonies WHERE ceremony_hash = $1 AND purpose = $2
             RETURNING purpose, user_id, sealed, wrong, expires_at"
        ),
        params![hash.as_bytes().as_slice(), purpose],
        read,
    )?;
    Ok(taken.filter(|it| now < it.expires_at))
}

/// Ends all ceremonies of a person.
pub fn delete_of(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(sql!("DELETE FROM ceremonies WHERE user_id = $1"), params![user])?;
    Ok(())
}

/// Deletes expired ceremonies, a limited number at a time.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM ceremonies WHERE ceremony_hash IN (
               SELECT ceremony_hash FROM ceremonies WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read(row: &Row<'_>) -> Result<Ceremony> {
    Ok(Ceremony {
        purpose: row.get("purpose")?,
        user: row.get("user_id")?,
        sealed: row.get("sealed")?,
        wrong: row.get("wrong")?,
        expires_at: row.get("expires_at")?,
    })
}
