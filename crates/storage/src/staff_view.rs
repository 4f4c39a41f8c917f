//! Views of staff: an organization as one of its people sees it.

use grantor_domain::Timestamp;
use grantor_domain::admin::AdminRole;
use grantor_domain::id::{AdminId, SessionId, StaffViewId, TenantId, UserId};
use grantor_domain::locale::Locale;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{Role, TenantType};

use crate::notice::settings::read_locale;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// A view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffView {
    /// The view's id.
    pub id: StaffViewId,
    /// The member of staff.
    pub admin: AdminId,
    /// The session of the member of staff, with which the view ends.
    pub session: SessionId,
    /// The organization.
    pub tenant: TenantId,
    /// The person whose console is viewed.
    pub user: UserId,
    /// Why.
    pub reason: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
}

/// A view that has not ended, as needed to authorize a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveView {
    /// The member of staff.
    pub admin: AdminId,
    /// The name of the member of staff.
    pub admin_name: String,
    /// The role of the member of staff.
    pub admin_role: AdminRole,
    /// The person whose console is viewed.
    pub user: UserId,
    /// The person's name.
    pub fullname: String,
    /// The person's role in the organization.
    pub role: Role,
    /// The organization.
    pub tenant: TenantId,
    /// The organization's name.
    pub tenant_name: String,
    /// The organization's type.
    pub kind: TenantType,
    /// The organization's status.
    pub status: OrganizationStatus,
    /// When the view began.
    pub created_at: Timestamp,
    /// When the view ends at the latest.
    pub expires_at: Timestamp,
    /// The person's language and time zone.
    pub locale: Locale,
}

/// Inserts a view.
pub fn insert(tx: &mut Tx<'_>, view: &StaffView) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO staff_views (staff_view_id, admin_id, session_id, tenant_id, user_id,
               reason, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        ),
        params![
            view.id,
            view.admin,
            view.session,
            view.tenant,
            view.user,
            view.reason,
            view.created_at,
            view.expires_at,
        ],
    )?;
    Ok(())
}

/// Returns a view that was not ended, of an active member of staff who is still signed in, as an
/// active member of the organization. Whether its time is over is for the caller to check.
pub fn find_live(tx: &mut Tx<'_>, id: StaffViewId) -> Result<Option<LiveView>> {
    tx.find(
        sql!(
            "SELECT a.admin_id, a.fullname AS staff_name, a.role AS staff_role, u.user_id,
               u.fullname, m.role, t.tenant_id,
               t.name, t.type, t.status, v.created_at, v.expires_at, n.language, n.time_zone
             FROM staff_views v
             JOIN sessions s ON s.session_id = v.session_id
             JOIN admins a ON a.admin_id = v.admin_id
             JOIN memberships m ON m.user_id = v.user_id AND m.tenant_id = v.tenant_id
             JOIN users u ON u.user_id = v.user_id
             JOIN tenants t ON t.tenant_id = v.tenant_id
             LEFT JOIN notice_settings n ON n.person_id = v.user_id
             WHERE v.staff_view_id = $1 AND v.ended_at IS NULL AND s.revoked_at IS NULL
               AND a.status = 'active' AND m.status = 'active'"
        ),
        params![id],
        |row| {
            Ok(LiveView {
                admin: row.get("admin_id")?,
                admin_name: row.get("staff_name")?,
                admin_role: row.get::<String>("staff_role")?.parse().map_err(Error::Fault)?,
                user: row.get("user_id")?,
                fullname: row.get("fullname")?,
                role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
                tenant: row.get("tenant_id")?,
                tenant_name: row.get("name")?,
                kind: row.get::<String>("type")?.parse().map_err(Error::Fault)?,
                status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
                created_at: row.get("created_at")?,
                expires_at: row.get("expires_at")?,
                locale: read_locale(row)?,
            })
        },
    )
}

/// Ends the views of a staff session and returns the organizations and people that were viewed.
pub fn end_all(
    tx: &mut Tx<'_>,
    session: SessionId,
    now: Timestamp,
) -> Result<Vec<(TenantId, UserId)>> {
    tx.query(
        sql!(
            "UPDATE staff_views SET ended_at = $2
             WHERE session_id = $1 AND ended_at IS NULL AND expires_at > $2
             RETURNING tenant_id, user_id"
        ),
        params![session, now],
        |row| Ok((row.get("tenant_id")?, row.get("user_id")?)),
    )
}
