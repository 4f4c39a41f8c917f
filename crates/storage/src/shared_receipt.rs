//! Links that a licensee shares with others, who then see the receipt of a grant.

use grantor_domain::Timestamp;
use grantor_domain::id::{GrantId, SharedReceiptId, UserId};
use grantor_domain::secret::SecretHash;

use crate::request::{from_json, json};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// A shared link.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedReceipt {
    /// The unique ID.
    pub id: SharedReceiptId,
    /// The grant.
    pub grant: GrantId,
    /// The code of the link, sealed.
    pub sealed_code: Vec<u8>,
    /// The names of the disclosed claims.
    pub disclosed: Vec<String>,
    /// Whether the QR code of the certificate leads to it.
    pub for_certificate: bool,
    /// The user who created it.
    pub created_by: UserId,
    /// The name of that user.
    pub author: String,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Inserts a link with the hash of its code.
pub fn insert(tx: &mut Tx<'_>, link: &SharedReceipt, hash: &SecretHash) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO shared_receipts (share_id, grant_id, code_hash, sealed_code, disclosed,
               for_certificate, created_by, author, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        params![
            link.id,
            link.grant,
            hash.as_bytes().as_slice(),
            link.sealed_code,
            json(&link.disclosed)?,
            link.for_certificate,
            link.created_by,
            link.author,
            link.created_at,
        ],
    )?;
    Ok(())
}

/// Returns the link whose code has this hash.
pub fn find_by_code(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<SharedReceipt>> {
    tx.find(
        sql!(
            "SELECT share_id, grant_id, sealed_code, disclosed, for_certificate, created_by, author,
               created_at
             FROM shared_receipts WHERE code_hash = $1"
        ),
        params![hash.as_bytes().as_slice()],
        read,
    )
}

/// Lists the links of a grant, oldest first. A grant has few of them.
pub fn list(tx: &mut Tx<'_>, grant: GrantId) -> Result<Vec<SharedReceipt>> {
    tx.query(
        sql!(
            "SELECT share_id, grant_id, sealed_code, disclosed, for_certificate, created_by, author,
               created_at
             FROM shared_receipts WHERE grant_id = $1 ORDER BY created_at, share_id"
        ),
        params![grant],
        read,
    )
}

/// Deletes a link of a grant. False if the grant has no link with this id.
pub fn delete(tx: &mut Tx<'_>, grant: GrantId, id: SharedReceiptId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM shared_receipts WHERE share_id = $1 AND grant_id = $2"),
        params![id, grant],
    )?;
    Ok(deleted == 1)
}

fn read(row: &Row<'_>) -> Result<SharedReceipt> {
    Ok(SharedReceipt {
        id: row.get("share_id")?,
        grant: row.get("grant_id")?,
        sealed_code: row.get("sealed_code")?,
        disclosed: from_json(&row.get::<String>("disclosed")?)?,
        for_certificate: row.get("for_certificate")?,
        created_by: row.get("created_by")?,
        author: row.get("author")?,
        created_at: row.get("created_at")?,
    })
}
