//! Memberships of users in tenants, with their roles.

use grantor_domain::Timestamp;
use grantor_domain::id::{SessionId, TenantId, UserId};
use grantor_domain::locale::Locale;
use grantor_domain::membership::TenantMembership;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::sign_in::SignInMethod;
use serde::{Deserialize, Serialize};

use crate::notice::settings::read_locale;
use crate::statement::sql;
use crate::tenant::{self, Tenant};
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// A user's membership in a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// The user.
    pub user: UserId,
    /// The tenant.
    pub tenant: TenantId,
    /// The user's role in the tenant.
    pub role: Role,
    /// Whether the membership is active.
    pub active: bool,
    /// Since when the user is a member.
    pub created_at: Timestamp,
}

/// An active member of a tenant, as needed to authorize a console session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveMember {
    /// The user.
    pub user: UserId,
    /// The user's name.
    pub fullname: String,
    /// The user's role in the tenant.
    pub role: Role,
    /// The tenant in which the session acts.
    pub tenant: TenantId,
    /// The tenant's type.
    pub kind: TenantType,
    /// The tenant's status, set by the operator.
    pub status: OrganizationStatus,
    /// Whether the user is an active member of other tenants too.
    pub has_other_tenants: bool,
    /// How the user signed in; `None` for older sessions.
    pub method: Option<SignInMethod>,
    /// When the user signed in.
    pub signed_in_at: Timestamp,
    /// The user's language and time zone.
    pub locale: Locale,
}

/// Inserts a membership.
pub fn insert(tx: &mut Tx<'_>, membership: &Membership) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $5)"
        ),
        params![
            membership.user,
            membership.tenant,
            membership.role.name(),
            status(membership.active),
            membership.created_at,
        ],
    )?;
    Ok(())
}

/// Returns a user's membership in this tenant.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<Option<Membership>> {
    tx.find(
        sql!(
            "SELECT user_id, tenant_id, role, status, created_at FROM memberships
             WHERE user_id = $2 AND tenant_id = $1"
        ),
        params![tenant, user],
        read,
    )
}

/// Lists a user's memberships, oldest first. There are few; see `grantor_domain::membership::MAX`.
pub fn list_memberships(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<TenantMembership>> {
    tx.query(
        sql!(
            "SELECT m.tenant_id, t.name, t.type, m.role, m.status, t.status AS tenant_status
             FROM memberships m JOIN tenants t ON t.tenant_id = m.tenant_id
             WHERE m.user_id = $1 ORDER BY m.created_at, m.tenant_id"
        ),
        params![user],
        |row| {
            let active = row.get::<String>("status")? == "active";
            let open = active && row.get::<String>("tenant_status")? == "active";
            Ok(TenantMembership {
                tenant: row.get("tenant_id")?,
                name: row.get("name")?,
                kind: row.get::<String>("type")?.parse().map_err(Error::Fault)?,
                role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
                active,
                open,
            })
        },
    )
}

/// Returns the active member of a session that has not ended, in a single statement, because every
/// console request needs it.
pub fn find_by_session(tx: &mut Tx<'_>, id: SessionId) -> Result<Option<ActiveMember>> {
    tx.find(
        sql!(
            "SELECT s.subject_id, u.fullname, m.role, t.tenant_id, t.type, t.status,
               (SELECT count(*) FROM memberships o
                WHERE o.user_id = m.user_id AND o.tenant_id <> m.tenant_id
                  AND o.status = 'active') AS other_tenants,
               s.method, s.signed_in_at, n.language, n.time_zone
             FROM sessions s
             JOIN memberships m ON m.user_id = s.subject_id AND m.tenant_id = s.tenant_id
             JOIN users u ON u.user_id = m.user_id
             JOIN tenants t ON t.tenant_id = m.tenant_id
             LEFT JOIN notice_settings n ON n.person_id = u.user_id
             WHERE s.session_id = $1 AND s.revoked_at IS NULL AND m.status = 'active'"
        ),
        params![id],
        |row| {
            let method: Option<String> = row.get("method")?;
            Ok(ActiveMember {
                user: row.get("subject_id")?,
                fullname: row.get("fullname")?,
                role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
                tenant: row.get("tenant_id")?,
                kind: row.get::<String>("type")?.parse().map_err(Error::Fault)?,
                status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
                has_other_tenants: row.get::<i64>("other_tenants")? > 0,
                method: method.map(|it| it.parse()).transpose().map_err(Error::Fault)?,
                signed_in_at: row.get("signed_in_at")?,
                locale: read_locale(row)?,
            })
        },
    )
}

/// Returns the tenant and role of an active member.
pub fn find_active(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    user: UserId,
) -> Result<Option<(Tenant, Role)>> {
    tx.find(
        sql!(
            "SELECT t.tenant_id, t.name, t.name_key, t.type, t.description, t.status, t.plan,
               t.created_at, m.role
             FROM memberships m JOIN tenants t ON t.tenant_id = m.tenant_id
             WHERE m.user_id = $2 AND m.tenant_id = $1 AND m.status = 'active'"
        ),
        params![tenant, user],
        |row| {
            let role = row.get::<String>("role")?.parse().map_err(Error::Fault)?;
            Ok((tenant::read(row)?, role))
        },
    )
}

/// Activates or deactivates a member. False if there is none.
pub fn set_active(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    user: UserId,
    active: bool,
    now: Timestamp,
) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE memberships SET status = $3, updated_at = $4
             WHERE user_id = $2 AND tenant_id = $1"
        ),
        params![tenant, user, status(active), now],
    )?;
    Ok(changed == 1)
}

/// Activates or deactivates all memberships of a user.
pub fn set_active_everywhere(
    tx: &mut Tx<'_>,
    user: UserId,
    active: bool,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!("UPDATE memberships SET status = $2, updated_at = $3 WHERE user_id = $1"),
        params![user, status(active), now],
    )?;
    Ok(())
}

/// Changes a member's role.
pub fn set_role(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    user: UserId,
    role: Role,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE memberships SET role = $3, updated_at = $4
             WHERE user_id = $2 AND tenant_id = $1"
        ),
        params![tenant, user, role.name(), now],
    )?;
    Ok(())
}

/// Deletes a membership. The user must be removed from their team first.
pub fn delete(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM memberships WHERE user_id = $2 AND tenant_id = $1"),
        params![tenant, user],
    )?;
    Ok(())
}

/// Counts the active members of a tenant with this role. After `tenant::claim`, the count stays
/// valid until the unit of work ends.
pub fn count_active(tx: &mut Tx<'_>, tenant: TenantId, role: Role) -> Result<u64> {
    let count: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM memberships
             WHERE tenant_id = $1 AND role = $2 AND status = 'active'"
        ),
        params![tenant, role.name()],
        only_column,
    )?;
    Ok(count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

const fn status(active: bool) -> &'static str {
    if active { "active" } else { "inactive" }
}

fn read(row: &Row<'_>) -> Result<Membership> {
    Ok(Membership {
        user: row.get("user_id")?,
        tenant: row.get("tenant_id")?,
        role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
        active: row.get::<String>("status")? == "active",
        created_at: row.get("created_at")?,
    })
}
