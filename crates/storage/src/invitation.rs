//! Pending invitations of staff, team members, talents, and people with whom a license is shared.

use grantor_domain::Timestamp;
use grantor_domain::id::{InvitationId, TenantId};
use grantor_domain::secret::SecretHash;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// An invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// The invitation's id.
    pub id: InvitationId,
    /// The kind: `admin`, `team`, `talent` or `share`.
    pub kind: String,
    /// The inviting tenant; `None` for the operator.
    pub tenant: Option<TenantId>,
    /// The team, talent or permission that it is for.
    pub target: Option<Uuid>,
    /// The email address as entered.
    pub email: String,
    /// The normalized email address, used for comparison.
    pub email_key: String,
    /// The invited person's name, as given by the inviter.
    pub fullname: String,
    /// The role that the invited person gets.
    pub role: String,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// Inserts an invitation and deletes earlier ones with the same kind, tenant, target and address.
pub fn replace(tx: &mut Tx<'_>, hash: &SecretHash, invitation: &Invitation) -> Result<()> {
    tx.execute(
        sql!(
            "DELETE FROM invitations
             WHERE email_key = $1 AND kind = $2
               AND (tenant_id = $3 OR (tenant_id IS NULL AND CAST($3 AS uuid) IS NULL))
               AND (target_id = $4 OR (target_id IS NULL AND CAST($4 AS uuid) IS NULL))"
        ),
        params![invitation.email_key, invitation.kind, invitation.tenant, invitation.target],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO invitations (token_hash, invitation_id, kind, tenant_id, target_id, email,
               email_key, fullname, role, expires_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        ),
        params![
            hash.as_bytes().as_slice(),
            invitation.id,
            invitation.kind,
            invitation.tenant,
            invitation.target,
            invitation.email,
            invitation.email_key,
            invitation.fullname,
            invitation.role,
            invitation.expires_at,
            invitation.created_at,
        ],
    )?;
    Ok(())
}

/// Lists the targets of invitations of this kind to an address.
pub fn list_targets(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    kind: &str,
    email_key: &str,
) -> Result<Vec<Uuid>> {
    tx.query(
        sql!(
            "SELECT target_id FROM invitations
             WHERE email_key = $1 AND kind = $2 AND tenant_id = $3 AND target_id IS NOT NULL
             ORDER BY created_at"
        ),
        params![email_key, kind, tenant],
        only_column,
    )
}

/// Returns an invitation without consuming it.
pub fn find(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<Invitation>> {
    tx.find(
        sql!(
            "SELECT invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at
             FROM invitations WHERE token_hash = $1"
        ),
        params![hash.as_bytes().as_slice()],
        read,
    )
}

/// Lists the pending invitations of one kind and target, oldest first.
pub fn list(tx: &mut Tx<'_>, kind: &str, target: Uuid, now: Timestamp) -> Result<Vec<Invitation>> {
    tx.query(
        sql!(
            "SELECT invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at
             FROM invitations WHERE kind = $1 AND target_id = $2 AND expires_at > $3
             ORDER BY created_at, invitation_id"
        ),
        params![kind, target, now],
        read,
    )
}

/// Lists a tenant's pending invitations of members and talents, newest first.
pub fn list_of_tenant(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    now: Timestamp,
    at_most: u32,
) -> Result<Vec<Invitation>> {
    tx.query(
        sql!(
            "SELECT invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at
             FROM invitations
             WHERE tenant_id = $1 AND kind IN ('team', 'talent') AND expires_at > $2
             ORDER BY created_at DESC, invitation_id DESC LIMIT $3"
        ),
        params![tenant, now, at_most],
        read,
    )
}

/// Returns a tenant's pending invitation of a member or a talent.
pub fn find_of_tenant(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    id: InvitationId,
    now: Timestamp,
) -> Result<Option<Invitation>> {
    tx.find(
        sql!(
            "SELECT invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at
             FROM invitations
             WHERE invitation_id = $1 AND tenant_id = $2 AND kind IN ('team', 'talent')
               AND expires_at > $3"
        ),
        params![id, tenant, now],
        read,
    )
}

/// Withdraws a pending invitation of this kind and target.
pub fn withdraw(
    tx: &mut Tx<'_>,
    kind: &str,
    target: Uuid,
    id: InvitationId,
    now: Timestamp,
) -> Result<Option<Invitation>> {
    tx.find(
        sql!(
            "DELETE FROM invitations
             WHERE invitation_id = $3 AND kind = $1 AND target_id = $2 AND expires_at > $4
             RETURNING invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at"
        ),
        params![kind, target, id, now],
        read,
    )
}

/// An invitation with the hash of its token, so that it can be restored.
#[derive(Clone, Serialize, Deserialize)]
pub struct KeptInvitation {
    token_hash: Vec<u8>,
    /// The invitation.
    pub invitation: Invitation,
}

/// Lists the invitations of one kind and target with the hashes of their tokens.
pub fn list_of(tx: &mut Tx<'_>, kind: &str, target: Uuid) -> Result<Vec<KeptInvitation>> {
    tx.query(
        sql!(
            "SELECT invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at, token_hash
             FROM invitations WHERE kind = $1 AND target_id = $2"
        ),
        params![kind, target],
        read_kept,
    )
}

/// Lists the invitations of a tenant to this address with the hashes of their tokens.
pub fn list_to(
    tx: &mut Tx<'_>,
    kind: &str,
    tenant: TenantId,
    email_key: &str,
) -> Result<Vec<KeptInvitation>> {
    tx.query(
        sql!(
            "SELECT invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at, token_hash
             FROM invitations WHERE email_key = $3 AND kind = $1 AND tenant_id = $2"
        ),
        params![kind, tenant, email_key],
        read_kept,
    )
}

/// Restores an invitation that was deleted, with its token.
pub fn restore(tx: &mut Tx<'_>, kept: &KeptInvitation) -> Result<()> {
    let bytes = <[u8; 32]>::try_from(kept.token_hash.as_slice());
    let hash = bytes.map_err(|_| Error::Fault("invalid hash of a token".into()))?;
    replace(tx, &SecretHash::from_bytes(hash), &kept.invitation)
}

fn read_kept(row: &Row<'_>) -> Result<KeptInvitation> {
    Ok(KeptInvitation { token_hash: row.get("token_hash")?, invitation: read(row)? })
}

/// Deletes all invitations of one kind and target.
pub fn delete_of(tx: &mut Tx<'_>, kind: &str, target: Uuid) -> Result<u64> {
    tx.execute(
        sql!("DELETE FROM invitations WHERE kind = $1 AND target_id = $2"),
        params![kind, target],
    )
}

/// Deletes all invitations of a tenant to this address.
pub fn delete_to(tx: &mut Tx<'_>, kind: &str, tenant: TenantId, email_key: &str) -> Result<u64> {
    tx.execute(
        sql!("DELETE FROM invitations WHERE email_key = $3 AND kind = $1 AND tenant_id = $2"),
        params![kind, tenant, email_key],
    )
}

/// Deletes and returns an invitation. Only one of several concurrent calls gets it.
pub fn consume(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<Invitation>> {
    tx.find(
        sql!(
            "DELETE FROM invitations WHERE token_hash = $1
             RETURNING invitation_id, kind, tenant_id, target_id, email, email_key, fullname, role,
               expires_at, created_at"
        ),
        params![hash.as_bytes().as_slice()],
        read,
    )
}

/// Deletes expired invitations, a limited number at a time.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM invitations WHERE token_hash IN (
               SELECT token_hash FROM invitations WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read(row: &Row<'_>) -> Result<Invitation> {
    Ok(Invitation {
        id: row.get("invitation_id")?,
        kind: row.get("kind")?,
        tenant: row.get("tenant_id")?,
        target: row.get("target_id")?,
        email: row.get("email")?,
        email_key: row.get("email_key")?,
        fullname: row.get("fullname")?,
        role: row.get("role")?,
        expires_at: row.get("expires_at")?,
        created_at: row.get("created_at")?,
    })
}
