//! Invitations that wait to be accepted, of staff, of team members, of talents, and of those whom
//! a license is shared with.

use grantor_domain::Timestamp;
use grantor_domain::id::{InvitationId, TenantId};
use grantor_domain::secret::SecretHash;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// An invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// What it makes of who accepts it: `admin`, `team`, `talent` or `share`.
    pub kind: String,
    /// Who invites; nothing for the operator.
    pub tenant: Option<TenantId>,
    /// The team, the talent or the permission it is for.
    pub target: Option<Uuid>,
    /// Where it was sent.
    pub email: String,
    /// By which addresses are compared.
    pub email_key: String,
    /// What the inviter calls the person.
    pub fullname: String,
    /// The role it gives.
    pub role: String,
    /// Until when it can be accepted.
    pub expires_at: Timestamp,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// Adds an invitation; those of the same kind, tenant, target and address before it are gone.
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

/// What invitations of this kind to an address are for.
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
        |row| row.get(0),
    )
}

/// An invitation, which stays.
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

/// Those of one kind and target that can still be accepted, in the order they were sent.
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

/// Withdraws an invitation of this kind and target that can still be accepted.
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

/// Ends all of one kind and target: there is nothing left to be invited to.
pub fn delete_of(tx: &mut Tx<'_>, kind: &str, target: Uuid) -> Result<u64> {
    tx.execute(
        sql!("DELETE FROM invitations WHERE kind = $1 AND target_id = $2"),
        params![kind, target],
    )
}

/// Ends all of one tenant that went to this address.
pub fn delete_to(tx: &mut Tx<'_>, kind: &str, tenant: TenantId, email_key: &str) -> Result<u64> {
    tx.execute(
        sql!("DELETE FROM invitations WHERE email_key = $3 AND kind = $1 AND tenant_id = $2"),
        params![kind, tenant, email_key],
    )
}

/// Uses an invitation up: of many who race, one gets it.
pub fn take(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<Invitation>> {
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

/// Forgets invitations that can no longer be accepted, a bounded number at a time.
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
        id: row.get(0)?,
        kind: row.get(1)?,
        tenant: row.get(2)?,
        target: row.get(3)?,
        email: row.get(4)?,
        email_key: row.get(5)?,
        fullname: row.get(6)?,
        role: row.get(7)?,
        expires_at: row.get(8)?,
        created_at: row.get(9)?,
    })
}
