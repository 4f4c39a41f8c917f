//! Mailed one-time codes that have not been entered yet.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::secret::SecretHash;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// A pending one-time code.
#[derive(Clone, PartialEq, Eq)]
pub struct Challenge {
    /// What the code is for.
    pub purpose: String,
    /// The data submitted when the code was requested, sealed.
    pub sealed: Vec<u8>,
    /// The code's MAC.
    pub code_mac: Vec<u8>,
    /// Number of wrong codes entered so far.
    pub wrong: u32,
    /// Number of times the code was sent again.
    pub resends: u32,
    /// When it was last sent.
    pub sent_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// The hash of the long token in the same mail, unless that is the session token itself.
    pub link: Option<SecretHash>,
}

impl fmt::Debug for Challenge {
    /// Omits the submitted data and the code's MAC, because six digits are easily guessed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Challenge");
        shown.field("purpose", &self.purpose).field("wrong", &self.wrong);
        shown.field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// Inserts a challenge and deletes earlier ones with the same address and purpose.
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

/// Returns the challenge of this session.
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

/// Returns the session that waits for a code sent to this address.
pub fn find_by_email(
    tx: &mut Tx<'_>,
    email_key: &str,
    purpose: &str,
) -> Result<Option<SecretHash>> {
    let found: Option<Vec<u8>> = tx.find(
        sql!("SELECT challenge_hash FROM challenges WHERE email_key = $1 AND purpose = $2"),
        params![email_key, purpose],
        only_column,
    )?;
    Ok(hash(found))
}

/// Returns the session whose mail contains this long token.
pub fn find_by_link(tx: &mut Tx<'_>, link: &SecretHash) -> Result<Option<SecretHash>> {
    let found: Option<Vec<u8>> = tx.find(
        sql!("SELECT challenge_hash FROM challenges WHERE link_hash = $1"),
        params![link.as_bytes().as_slice()],
        only_column,
    )?;
    Ok(hash(found))
}

fn hash(bytes: Option<Vec<u8>>) -> Option<SecretHash> {
    bytes.and_then(|it| <[u8; 32]>::try_from(it).ok()).map(SecretHash::from_bytes)
}

fn link(hash: Option<&SecretHash>) -> Option<&[u8]> {
    hash.map(|it| it.as_bytes().as_slice())
}

/// Takes one attempt before the code is compared, so that at most `most` codes are compared however
/// many arrive at once. Returns the challenge with the attempts so far, or `None` if no attempt is
/// left.
pub fn take_attempt(
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

/// Replaces the code and the link.
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

/// Deletes a challenge. False if another caller was first.
pub fn delete(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM challenges WHERE challenge_hash = $1"),
        params![hash.as_bytes().as_slice()],
    )?;
    Ok(deleted == 1)
}

/// Deletes expired challenges, a limited number at a time.
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
        purpose: row.get("purpose")?,
        sealed: row.get("sealed")?,
        code_mac: row.get("code_mac")?,
        wrong: row.get("wrong")?,
        resends: row.get("resends")?,
        sent_at: row.get("sent_at")?,
        expires_at: row.get("expires_at")?,
        link: hash(row.get("link_hash")?),
    })
}
