//! Passkeys of people.

use grantor_domain::Timestamp;
use grantor_domain::id::{PasskeyId, UserId};
use grantor_domain::passkey::{Passkey, PasskeyName};

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// The unique index of credential ids: a passkey belongs to one account.
pub const CREDENTIAL_IS_TAKEN: &str = "passkeys_credential_id";

/// A passkey with its public key and counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPasskey {
    /// The passkey.
    pub passkey: Passkey,
    /// The id that the device gave it.
    pub credential_id: Vec<u8>,
    /// The public key and counter, as JSON.
    pub credential: String,
}

/// Inserts a passkey. Its credential may be known; see [`CREDENTIAL_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, stored: &StoredPasskey) -> Result<()> {
    let passkey = &stored.passkey;
    tx.execute(
        sql!(
            "INSERT INTO passkeys (passkey_id, user_id, credential_id, name, credential,
               last_used_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            passkey.id,
            passkey.user,
            stored.credential_id,
            passkey.name.as_str(),
            stored.credential,
            passkey.last_used_at,
            passkey.created_at,
        ],
    )?;
    Ok(())
}

/// Lists a person's passkeys, oldest first. There are few; see
/// `grantor_domain::passkey::MAX_PASSKEYS`.
pub fn list(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<StoredPasskey>> {
    tx.query(
        sql!(
            "SELECT passkey_id, user_id, credential_id, name, credential, last_used_at, created_at
             FROM passkeys WHERE user_id = $1 ORDER BY created_at, passkey_id"
        ),
        params![user],
        read,
    )
}

/// Returns the passkey with this credential id.
pub fn find_by_credential(tx: &mut Tx<'_>, credential_id: &[u8]) -> Result<Option<StoredPasskey>> {
    tx.find(
        sql!(
            "SELECT passkey_id, user_id, credential_id, name, credential, last_used_at, created_at
             FROM passkeys WHERE credential_id = $1"
        ),
        params![credential_id],
        read,
    )
}

/// Records a use: the counter may have changed. False if the passkey was removed meanwhile, or used
/// by another request since it was read.
pub fn record_use(
    tx: &mut Tx<'_>,
    id: PasskeyId,
    former: &str,
    credential: &str,
    now: Timestamp,
) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE passkeys SET credential = $3, last_used_at = $4
             WHERE passkey_id = $1 AND credential = $2"
        ),
        params![id, former, credential, now],
    )?;
    Ok(changed == 1)
}

/// Deletes one of a person's passkeys and returns its name.
pub fn delete(tx: &mut Tx<'_>, user: UserId, id: PasskeyId) -> Result<Option<String>> {
    tx.find(
        sql!("DELETE FROM passkeys WHERE passkey_id = $1 AND user_id = $2 RETURNING name"),
        params![id, user],
        only_column,
    )
}

/// Deletes all passkeys of a person.
pub fn delete_all(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(sql!("DELETE FROM passkeys WHERE user_id = $1"), params![user])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<StoredPasskey> {
    let name = PasskeyName::parse(&row.get::<String>("name")?).map_err(Error::Fault)?;
    let passkey = Passkey {
        id: row.get("passkey_id")?,
        user: row.get("user_id")?,
        name,
        last_used_at: row.get("last_used_at")?,
        created_at: row.get("created_at")?,
    };
    Ok(StoredPasskey {
        passkey,
        credential_id: row.get("credential_id")?,
        credential: row.get("credential")?,
    })
}
