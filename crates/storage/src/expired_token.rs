//! Expired refresh tokens of both APIs whose sessions and exchanges have been deleted. Only the
//! hash is kept, to tell an expired token from an unknown one.

use grantor_domain::Timestamp;
use grantor_domain::secret::SecretHash;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Whether the token with this hash has expired.
pub fn exists(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM expired_tokens WHERE token_hash = $1"),
        params![hash.as_bytes().as_slice()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Deletes tokens that expired before this time, a limited number at a time.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM expired_tokens WHERE token_hash IN (
               SELECT token_hash FROM expired_tokens WHERE expired_at < $1
               ORDER BY expired_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}
