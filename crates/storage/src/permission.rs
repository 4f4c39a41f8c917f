//! Permissions on licenses, other than the owner's.

mod page;

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, PermissionId, TenantId, UserId};
use grantor_domain::license::License;
use grantor_domain::permission::{Grantee, PermissionRole};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use self::page::list;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column, party};

/// The unique indexes that allow one permission per grantee and per address on a license.
pub const ALREADY_GRANTED: [&str; 2] = ["permissions_license_id", "permissions_email_key"];

/// A permission with the grantee's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldPermission {
    /// The permission's id.
    pub id: PermissionId,
    /// The license.
    pub license: LicenseId,
    /// The grantee.
    pub grantee: Grantee,
    /// The role that it grants.
    pub role: PermissionRole,
    /// Who granted it.
    pub granted_by: Uuid,
    /// When it was granted.
    pub created_at: Timestamp,
    /// The email address it was granted to, or the organization's name.
    pub grantee_name: String,
    /// The normalized email address, used for comparison; `None` for an organization.
    pub email_key: Option<String>,
    /// Whether the grantee has accepted it. Until then the license's owner must not learn whether
    /// an account has the address.
    pub accepted: bool,
    /// Whether it comes from an active grant, whose id it has, instead of being given by hand.
    pub by_grant: bool,
}

impl HeldPermission {
    /// Whether no account has the address yet: then the grantee is the permission's own id.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.grantee == pending_grantee(self.id)
    }
}

/// The grantee of a permission for an address without an account.
#[must_use]
pub fn pending_grantee(id: PermissionId) -> Grantee {
    Grantee::User(id.as_uuid().into())
}

/// Inserts a permission. The grantee may already have one; see [`ALREADY_GRANTED`].
pub fn insert(tx: &mut Tx<'_>, held: &HeldPermission) -> Result<()> {
    let (kind, id) = parts(held.grantee);
    tx.execute(
        sql!(
            "INSERT INTO permissions (permission_id, license_id, grantee_kind, grantee_id, role,
               granted_by, created_at, email, email_key, accepted_at, talent_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
               (SELECT talent_id FROM licenses WHERE license_id = $2))"
        ),
        params![
            held.id,
            held.license,
            kind,
            id,
            held.role.name(),
            held.granted_by,
            held.created_at,
            held.email_key.as_ref().map(|_| held.grantee_name.as_str()),
            held.email_key,
            held.accepted.then_some(held.created_at),
        ],
    )?;
    party::share_license(tx, held.license, held.grantee, 1)
}

/// Returns a permission.
pub fn find(tx: &mut Tx<'_>, id: PermissionId) -> Result<Option<HeldPermission>> {
    tx.find(
        sql!(
            "SELECT permission_id, license_id, grantee_kind, grantee_id, role, granted_by,
               created_at, coalesce(email, '') AS grantee_name, email_key, accepted_at
             FROM permissions WHERE permission_id = $1"
        ),
        params![id],
        read,
    )
}

/// Lists the permissions that wait for an account with this address, oldest first.
pub fn list_pending(tx: &mut Tx<'_>, email_key: &str, at_most: u32) -> Result<Vec<HeldPermission>> {
    tx.query(
        sql!(
            "SELECT permission_id, license_id, grantee_kind, grantee_id, role, granted_by,
               created_at, coalesce(email, '') AS grantee_name, email_key, accepted_at
             FROM permissions WHERE email_key = $1 AND grantee_id = permission_id
             ORDER BY created_at, permission_id LIMIT $2"
        ),
        params![email_key, at_most],
        read,
    )
}

/// Assigns a pending permission to the account that now has its address.
pub fn assign(tx: &mut Tx<'_>, id: PermissionId, to: UserId) -> Result<()> {
    if let Some(held) = find(tx, id)? {
        party::share_license(tx, held.license, held.grantee, -1)?;
        party::share_license(tx, held.license, Grantee::User(to), 1)?;
    }
    tx.execute(
        sql!("UPDATE permissions SET grantee_id = $2 WHERE permission_id = $1"),
        params![id, to],
    )?;
    Ok(())
}

/// Records that the grantee has accepted the permission.
pub fn accept(tx: &mut Tx<'_>, id: PermissionId, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE permissions SET accepted_at = $2
             WHERE permission_id = $1 AND accepted_at IS NULL"
        ),
        params![id, at],
    )?;
    Ok(())
}

/// Deletes a permission and returns it. `None` if the license has none with this id. Questions about
/// the past still count it.
pub fn delete(
    tx: &mut Tx<'_>,
    license: LicenseId,
    id: PermissionId,
    now: Timestamp,
) -> Result<Option<HeldPermission>> {
    let found = tx.find(
        sql!(
            "SELECT permission_id, license_id, grantee_kind, grantee_id, role, granted_by,
               created_at, coalesce(email, '') AS grantee_name, email_key, accepted_at
             FROM permissions WHERE permission_id = $1 AND license_id = $2"
        ),
        params![id, license],
        read,
    )?;
    tx.execute(
        sql!(
            "INSERT INTO past_permissions (permission_id, license_id, grantee_id, role, granted_at,
               revoked_at, claimed, talent_id)
             SELECT permission_id, license_id, grantee_id, role, created_at, $3,
               email_key IS NULL OR accepted_at IS NOT NULL, talent_id
             FROM permissions WHERE permission_id = $1 AND license_id = $2"
        ),
        params![id, license, now],
    )?;
    tx.execute(
        sql!("DELETE FROM permissions WHERE permission_id = $1 AND license_id = $2"),
        params![id, license],
    )?;
    if let Some(held) = &found {
        party::share_license(tx, license, held.grantee, -1)?;
    }
    Ok(found)
}

/// Gives a permission that was deleted again, with its id, as if it had not been deleted. The grantee
/// may have another one now; see [`ALREADY_GRANTED`].
pub fn restore(tx: &mut Tx<'_>, held: &HeldPermission) -> Result<()> {
    tx.execute(sql!("DELETE FROM past_permissions WHERE permission_id = $1"), params![held.id])?;
    insert(tx, held)
}

/// Everyone with a permission on a license, including the owner and the licensees of active grants.
#[derive(Debug)]
pub struct Holders {
    license: LicenseId,
    /// Organizations, including the owner, and permissions that wait for an account.
    feeds: Vec<Uuid>,
    /// Whether there is a person, or a permission that waits for one.
    people: bool,
    roles: BTreeMap<Uuid, PermissionRole>,
}

/// Returns everyone with a permission on a license, including the owner.
pub fn holders(tx: &mut Tx<'_>, license: &License) -> Result<Holders> {
    let owner = license.tenant.as_uuid();
    let mut holders = Holders {
        license: license.id,
        feeds: vec![owner],
        people: false,
        roles: BTreeMap::from([(owner, PermissionRole::Licensor)]),
    };
    let held: Vec<(Uuid, PermissionRole, bool, bool)> = tx.query(
        sql!(
            "SELECT grantee_id, role, grantee_kind, permission_id FROM permissions
             WHERE license_id = $1
             UNION ALL
             SELECT licensee_id, 'viewer', 'organization', grant_id FROM grants
             WHERE license_id = $1 AND status = 'active'"
        ),
        params![license.id],
        |row| {
            let (grantee, kind): (Uuid, String) =
                (row.get("grantee_id")?, row.get("grantee_kind")?);
            let role = row.get::<String>("role")?.parse().map_err(Error::Fault)?;
            Ok((grantee, role, kind == "user", row.get::<Uuid>("permission_id")? == grantee))
        },
    )?;
    for (grantee, role, is_person, waits) in held {
        let highest = holders.roles.entry(grantee).or_insert(role);
        *highest = role.max(*highest);
        holders.people |= is_person;
        if !is_person || waits {
            holders.feeds.push(grantee);
        }
    }
    Ok(holders)
}

/// Returns the highest role that one grantee has on a license, as its owner, by hand or by an active
/// grant.
pub fn highest_role(
    tx: &mut Tx<'_>,
    license: &License,
    grantee: Uuid,
) -> Result<Option<PermissionRole>> {
    if grantee == license.tenant.as_uuid() {
        return Ok(Some(PermissionRole::Licensor));
    }
    let roles: Vec<PermissionRole> = tx.query(
        sql!(
            "SELECT role FROM permissions WHERE license_id = $1 AND grantee_id = $2
             UNION ALL
             SELECT 'viewer' FROM grants
             WHERE license_id = $1 AND licensee_id = $2 AND status = 'active'"
        ),
        params![license.id, grantee],
        |row| only_column::<String>(row)?.parse().map_err(Error::Fault),
    )?;
    Ok(roles.into_iter().max())
}

impl Holders {
    /// The role of each holder.
    #[must_use]
    pub fn roles(&self) -> &BTreeMap<Uuid, PermissionRole> {
        &self.roles
    }

    /// The tenants whose feeds receive the license's events: the owner, organizations with a
    /// permission, and the tenants of people with one. A permission that waits for an account
    /// counts as one more feed, which nobody reads; otherwise the duration of a change would reveal
    /// whether the account exists.
    pub fn tenants(&self, tx: &mut Tx<'_>) -> Result<Vec<TenantId>> {
        let mut found: Vec<TenantId> = self.feeds.iter().copied().map(TenantId::from).collect();
        if self.people {
            found.extend(tx.query(
                sql!(
                    "SELECT m.tenant_id FROM permissions p
                     JOIN memberships m ON m.user_id = p.grantee_id
                     WHERE p.license_id = $1 AND p.grantee_kind = 'user' AND m.status = 'active'"
                ),
                params![self.license],
                only_column::<TenantId>,
            )?);
        }
        found.sort();
        found.dedup();
        Ok(found)
    }
}

/// Returns the tenants whose feeds receive a license's events.
pub fn tenants(tx: &mut Tx<'_>, license: &License) -> Result<Vec<TenantId>> {
    holders(tx, license)?.tenants(tx)
}

fn parts(grantee: Grantee) -> (&'static str, Uuid) {
    match grantee {
        Grantee::User(id) => ("user", id.as_uuid()),
        Grantee::Organization(id) => ("organization", id.as_uuid()),
    }
}

fn read(row: &Row<'_>) -> Result<HeldPermission> {
    let grantee = match row.get::<String>("grantee_kind")?.as_str() {
        "user" => Grantee::User(row.get::<UserId>("grantee_id")?),
        _ => Grantee::Organization(row.get::<TenantId>("grantee_id")?),
    };
    Ok(HeldPermission {
        id: row.get("permission_id")?,
        license: row.get("license_id")?,
        grantee,
        role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
        granted_by: row.get("granted_by")?,
        created_at: row.get("created_at")?,
        grantee_name: row.get("grantee_name")?,
        email_key: row.get("email_key")?,
        accepted: row.get::<Option<Timestamp>>("accepted_at")?.is_some(),
        by_grant: false,
    })
}
