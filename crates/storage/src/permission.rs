//! Rights on licenses beside the owner's own.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, PermissionId, TenantId, UserId};
use grantor_domain::license::License;
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::{Grantee, PermissionRole};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// The unique indexes of one right for one holder and for one address on one license.
pub const HELD_ALREADY: [&str; 2] = ["permissions_license_id", "permissions_email_key"];

/// A right, with the name of who holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its id.
    pub id: PermissionId,
    /// On which license.
    pub license: LicenseId,
    /// Who holds it.
    pub grantee: Grantee,
    /// What it allows.
    pub role: PermissionRole,
    /// Who gave it.
    pub granted_by: Uuid,
    /// When.
    pub created_at: Timestamp,
    /// The address it was given to, or the organization's name.
    pub grantee_name: String,
    /// By which addresses are compared; nothing for an organization.
    pub email_key: Option<String>,
    /// Whether whoever it was given to has accepted it. Until then nothing may tell its owner
    /// whether an account has the address.
    pub accepted: bool,
}

impl Held {
    /// Whether no account has the address yet: such a right is held by its own id.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.grantee == waiting(self.id)
    }
}

/// Who holds a right that was given to an address without an account.
#[must_use]
pub fn waiting(id: PermissionId) -> Grantee {
    Grantee::User(id.as_uuid().into())
}

/// Adds a right. The holder may have one already: see [`HELD_ALREADY`].
pub fn insert(tx: &mut Tx<'_>, held: &Held) -> Result<()> {
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
    Ok(())
}

/// One right.
pub fn find(tx: &mut Tx<'_>, id: PermissionId) -> Result<Option<Held>> {
    tx.find(
        sql!(
            "SELECT permission_id, license_id, grantee_kind, grantee_id, role, granted_by,
               created_at, coalesce(email, ''), email_key, accepted_at
             FROM permissions WHERE permission_id = $1"
        ),
        params![id],
        read,
    )
}

/// Rights that wait for an account with this address, the oldest first.
pub fn list_waiting(tx: &mut Tx<'_>, email_key: &str, at_most: u32) -> Result<Vec<Held>> {
    tx.query(
        sql!(
            "SELECT permission_id, license_id, grantee_kind, grantee_id, role, granted_by,
               created_at, coalesce(email, ''), email_key, accepted_at
             FROM permissions WHERE email_key = $1 AND grantee_id = permission_id
             ORDER BY created_at, permission_id LIMIT $2"
        ),
        params![email_key, at_most],
        read,
    )
}

/// Gives a right that waited to the account that has its address now.
pub fn assign(tx: &mut Tx<'_>, id: PermissionId, to: UserId) -> Result<()> {
    tx.execute(
        sql!("UPDATE permissions SET grantee_id = $2 WHERE permission_id = $1"),
        params![id, to],
    )?;
    Ok(())
}

/// Notes that whoever it was given to has accepted it.
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

/// Takes a right away. Nothing when there is none of this id on this license.
pub fn delete(tx: &mut Tx<'_>, license: LicenseId, id: PermissionId) -> Result<Option<Held>> {
    let found = tx.find(
        sql!(
            "SELECT permission_id, license_id, grantee_kind, grantee_id, role, granted_by,
               created_at, coalesce(email, ''), email_key, accepted_at
             FROM permissions WHERE permission_id = $1 AND license_id = $2"
        ),
        params![id, license],
        read,
    )?;
    tx.execute(
        sql!("DELETE FROM permissions WHERE permission_id = $1 AND license_id = $2"),
        params![id, license],
    )?;
    Ok(found)
}

/// The rights on a license, in the order they were given.
pub fn list(tx: &mut Tx<'_>, license: LicenseId, page: Page) -> Result<Listing<Held>> {
    let total: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM permissions WHERE license_id = $1"),
        params![license],
        |row| row.get(0),
    )?;
    let items = tx.query(
        sql!(
            "SELECT p.permission_id, p.license_id, p.grantee_kind, p.grantee_id, p.role,
               p.granted_by, p.created_at, coalesce(p.email, t.name, ''), p.email_key, p.accepted_at
             FROM permissions p
             LEFT JOIN tenants t ON t.tenant_id = p.grantee_id
             WHERE p.license_id = $1
             ORDER BY p.created_at, p.permission_id LIMIT $2 OFFSET $3"
        ),
        params![license, page.size(), page.offset()],
        read,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Everybody who holds a right on a license, the owner included.
#[derive(Debug)]
pub struct Holders {
    license: LicenseId,
    /// Organizations, the owner among them, and rights that wait for an account.
    feeds: Vec<Uuid>,
    /// Whether a person is among them, or a right that waits for one.
    people: bool,
    roles: BTreeMap<Uuid, PermissionRole>,
}

/// Everybody who holds a right on a license, the owner included.
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
             WHERE license_id = $1"
        ),
        params![license.id],
        |row| {
            let (grantee, kind): (Uuid, String) = (row.get(0)?, row.get(2)?);
            let role = row.get::<String>(1)?.parse().map_err(Error::Fault)?;
            Ok((grantee, role, kind == "user", row.get::<Uuid>(3)? == grantee))
        },
    )?;
    for (grantee, role, is_person, waits) in held {
        holders.roles.entry(grantee).or_insert(role);
        holders.people |= is_person;
        if !is_person || waits {
            holders.feeds.push(grantee);
        }
    }
    Ok(holders)
}

impl Holders {
    /// What each may do.
    #[must_use]
    pub fn roles(&self) -> &BTreeMap<Uuid, PermissionRole> {
        &self.roles
    }

    /// The tenants whose feeds hear of the license: the owner, organizations that hold a right, and
    /// where people act who hold one. A right that waits for an account counts as one feed more, which
    /// nobody reads: otherwise the time of a change would tell whether there is an account.
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
                |row| row.get::<TenantId>(0),
            )?);
        }
        found.sort();
        found.dedup();
        Ok(found)
    }
}

/// The tenants whose feeds hear of a license.
pub fn tenants(tx: &mut Tx<'_>, license: &License) -> Result<Vec<TenantId>> {
    holders(tx, license)?.tenants(tx)
}

fn parts(grantee: Grantee) -> (&'static str, Uuid) {
    match grantee {
        Grantee::User(id) => ("user", id.as_uuid()),
        Grantee::Organization(id) => ("organization", id.as_uuid()),
    }
}

fn read(row: &Row<'_>) -> Result<Held> {
    let grantee = match row.get::<String>(2)?.as_str() {
        "user" => Grantee::User(row.get::<UserId>(3)?),
        _ => Grantee::Organization(row.get::<TenantId>(3)?),
    };
    Ok(Held {
        id: row.get(0)?,
        license: row.get(1)?,
        grantee,
        role: row.get::<String>(4)?.parse().map_err(Error::Fault)?,
        granted_by: row.get(5)?,
        created_at: row.get(6)?,
        grantee_name: row.get(7)?,
        email_key: row.get(8)?,
        accepted: row.get::<Option<Timestamp>>(9)?.is_some(),
    })
}
