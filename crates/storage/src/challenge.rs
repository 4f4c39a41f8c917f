//! Mailed codes that wait to be entered.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::secret::SecretHash;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// A code that waits.
#[derive(Clone, PartialEq, Eq)]
pub struct Challenge {
    /// What it will do.
    pub purpose: String,
    /// What was entered when it was asked for, sealed.
    pub sealed: Vec<u8>,
    /// The code's MAC.
    pub code_mac: Vec<u8>,
    /// Wrong codes so far.
    pub wrong: u32,
    /// How often it was sent anew.
    pub resends: u32,
    /// When it was last sent.
    pub sent_at: Timestamp,
    /// Until when it can be entered.
    pub expires_at: Timestamp,
    /// The hash of the long token that was mailed beside it, where that is not the session itself.
    pub link: Option<SecretHash>,
}

impl fmt::Debug for Challenge {
    /// Without what was entered and without the code's MAC: six digits are soon guessed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Challenge");
        shown.field("purpose", &self.purpose).field("wrong", &self.wrong);
        shown.field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// Adds a challenge; those of the same address and purpose before it are gone.
pub fn replace(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    email_key: &str,
    challenge: &Challenge,
) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM challenges WHERE email_key = $1 AND purpose = $2"),
        params![email_key, challenge.purpose],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO challenges (challenge_hash, purpose, email_key, sealed, code_mac, wrong,
               resends, sent_at, expires_at, created_at, link_hash)
             VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7, $6, $8)"
        ),
        params![
            hash.as_bytes().as_slice(),
            challenge.purpose,
            email_key,
            challenge.sealed,
            challenge.code_mac,
            challenge.sent_at,
            challenge.expires_at,
            link(challenge.link.as_ref()),
        ],
    )?;
    Ok(())
}

/// The challenge of this session.
pub fn find(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<Challenge>> {
    tx.find(
        sql!(
            "SELECT purpose, sealed, code_mac, wrong, resends, sent_at, expires_at, link_hash
             FROM challenges WHERE challenge_hash = $1"
        ),
        params![hash.as_bytes().as_slice()],
        read,
    )
}

/// The session that waits for a code of this address.
pub fn find_by_email(
    tx: &mut Tx<'_>,
    email_key: &str,
    purpose: &str,
) -> Result<Option<SecretHash>> {
    let found: Option<Vec<u8>> = tx.find(
        sql!("SELECT challenge_hash FROM challenges WHERE email_key = $1 AND purpose = $2"),
        params![email_key, purpose],
        |row| row.get(0),
    )?;
    Ok(hash(found))
}

/// The session whose mail carries this long token.
pub fn find_by_link(tx: &mut Tx<'_>, link: &SecretHash) -> Result<Option<SecretHash>> {
    let found: Option<Vec<u8>> = tx.find(
        sql!("SELECT challenge_hash FROM challenges WHERE link_hash = $1"),
        params![link.as_bytes().as_slice()],
        |row| row.get(0),
    )?;
    Ok(hash(found))
}

fn hash(bytes: Option<Vec<u8>>) -> Option<SecretHash> {
    bytes.and_then(|it| <[u8; 32]>::try_from(it).ok()).map(SecretHash::from_bytes)
}

fn link(hash: Option<&SecretHash>) -> Option<&[u8]> {
    hash.map(|it| it.as_bytes().as_slice())
}

/// Takes one of the tries, before the code is looked at: however many come at once, no more than
/// `most` are looked at. Gives the challenge with the tries so far, or nothing when none is left.
pub fn take_try(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    purpose: &str,
    most: u32,
) -> Result<Option<Challenge>> {
    tx.find(
        sql!(
            "UPDATE challenges SET wrong = wrong + 1
             WHERE challenge_hash = $1 AND purpose = $2 AND wrong < $3
             RETURNING purpose, sealed, code_mac, wrong, resends, sent_at, expires_at, link_hash"
        ),
        params![hash.as_bytes().as_slice(), purpose, most],
        read,
    )
}

/// Puts another code, and another link, in the place of those before.
pub fn renew(tx: &mut Tx<'_>, hash: &SecretHash, renewed: &Challenge) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE challenges SET code_mac = $2, resends = resends + 1, sent_at = $3,
               expires_at = $4, link_hash = $5
             WHERE challenge_hash = $1 AND resends = $6"
        ),
        params![
            hash.as_bytes().as_slice(),
            renewed.code_mac,
            renewed.sent_at,
            renewed.expires_at,
            link(renewed.link.as_ref()),
            renewed.resends,
        ],
    )?;
    Ok(changed == 1)
}

/// Uses a challenge up. False when somebody else was first.
pub fn delete(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM challenges WHERE challenge_hash = $1"),
        params![hash.as_bytes().as_slice()],
    )?;
    Ok(deleted == 1)
}

/// Forgets what can no longer be entered, a bounded number at a time.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM challenges WHERE challenge_hash IN (
               SELECT challenge_hash FROM challenges WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read(row: &Row<'_>) -> Result<Challenge> {
    Ok(Challenge {
        purpose: row.get(0)?,
        sealed: row.get(1)?,
        code_mac: row.get(2)?,
        wrong: row.get(3)?,
        resends: row.get(4)?,
        sent_at: row.get(5)?,
        expires_at: row.get(6)?,
        link: hash(row.get(7)?),
    })
}
