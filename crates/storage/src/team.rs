//! Teams of an organization and their members.

use grantor_domain::Timestamp;
use grantor_domain::id::{TeamId, TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::Role;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// The unique index of team names in an organization.
pub const NAME_IS_TAKEN: &str = "teams_name_key";

/// A team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// The team's id.
    pub id: TeamId,
    /// The organization.
    pub tenant: TenantId,
    /// The team's name.
    pub name: String,
    /// Number of members, including invited people.
    pub member_count: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A member of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The user.
    pub user: UserId,
    /// The user's name.
    pub fullname: String,
    /// The user's email address.
    pub email: String,
    /// The user's role in the organization.
    pub role: Role,
    /// Whether the user's membership in the organization is active.
    pub active: bool,
    /// Since when the user is in the team.
    pub joined_at: Timestamp,
}

/// Inserts a team without members. The name may be taken; see [`NAME_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, team: &Team, name_key: &str) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO teams (team_id, tenant_id, name, name_key, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $5)"
        ),
        params![team.id, team.tenant, team.name, name_key, team.created_at],
    )?;
    Ok(())
}

/// Returns a tenant's team.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: TeamId, now: Timestamp) -> Result<Option<Team>> {
    tx.find(
        sql!(
            "SELECT t.team_id, t.tenant_id, t.name, t.created_at,
               (SELECT count(*) FROM team_members m WHERE m.team_id = t.team_id)
                 + (SELECT count(*) FROM invitations i WHERE i.kind = 'team'
                    AND i.target_id = t.team_id AND i.expires_at > $3) AS member_count
             FROM teams t WHERE t.team_id = $2 AND t.tenant_id = $1"
        ),
        params![tenant, id, now],
        read,
    )
}

/// Lists a tenant's teams, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    page: Page,
    now: Timestamp,
) -> Result<Listing<Team>> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM teams WHERE tenant_id = $1"), params![tenant], |row| {
            only_column(row)
        })?;
    let items = tx.query(
        sql!(
            "SELECT t.team_id, t.tenant_id, t.name, t.created_at,
               (SELECT count(*) FROM team_members m WHERE m.team_id = t.team_id)
                 + (SELECT count(*) FROM invitations i WHERE i.kind = 'team'
                    AND i.target_id = t.team_id AND i.expires_at > $4) AS member_count
             FROM teams t WHERE t.tenant_id = $1
             ORDER BY t.created_at DESC, t.team_id DESC LIMIT $2 OFFSET $3"
        ),
        params![tenant, page.size(), page.offset(), now],
        read,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Lists all of a tenant's teams by name.
pub fn list_all(tx: &mut Tx<'_>, tenant: TenantId, now: Timestamp) -> Result<Vec<Team>> {
    tx.query(
        sql!(
            "SELECT t.team_id, t.tenant_id, t.name, t.created_at,
               (SELECT count(*) FROM team_members m WHERE m.team_id = t.team_id)
                 + (SELECT count(*) FROM invitations i WHERE i.kind = 'team'
                    AND i.target_id = t.team_id AND i.expires_at > $2) AS member_count
             FROM teams t WHERE t.tenant_id = $1 ORDER BY t.name_key"
        ),
        params![tenant, now],
        read,
    )
}

/// Deletes a team and its memberships.
pub fn delete(tx: &mut Tx<'_>, id: TeamId) -> Result<()> {
    tx.execute(sql!("DELETE FROM teams WHERE team_id = $1"), params![id])?;
    Ok(())
}

/// Whether a team has platforms, which must always have a team. Talents need none; see
/// `talent::unassign_team`.
pub fn owns_platforms(tx: &mut Tx<'_>, id: TeamId) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM platforms WHERE team_id = $1 AND deleted_at IS NULL LIMIT 1"),
        params![id],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Adds a member of the tenant to a team. False if they are in it already.
pub fn add(tx: &mut Tx<'_>, id: TeamId, user: UserId, now: Timestamp) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO team_members (team_id, tenant_id, user_id, joined_at)
             SELECT team_id, tenant_id, $2, $3 FROM teams WHERE team_id = $1
             ON CONFLICT (team_id, user_id) DO NOTHING"
        ),
        params![id, user, now],
    )?;
    Ok(added == 1)
}

/// Removes a user from a team. False if they are not in it.
pub fn remove(tx: &mut Tx<'_>, id: TeamId, user: UserId) -> Result<bool> {
    let removed = tx.execute(
        sql!("DELETE FROM team_members WHERE team_id = $1 AND user_id = $2"),
        params![id, user],
    )?;
    Ok(removed == 1)
}

/// Lists the members of a team in the order they joined.
pub fn members(tx: &mut Tx<'_>, id: TeamId) -> Result<Vec<Member>> {
    tx.query(
        sql!(
            "SELECT u.user_id, u.fullname, u.email, p.role, p.status, m.joined_at
             FROM team_members m JOIN users u ON u.user_id = m.user_id
             JOIN memberships p ON p.user_id = m.user_id AND p.tenant_id = m.tenant_id
             WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id"
        ),
        params![id],
        read_member,
    )
}

/// Returns one member of a team.
pub fn find_member(tx: &mut Tx<'_>, id: TeamId, user: UserId) -> Result<Option<Member>> {
    tx.find(
        sql!(
            "SELECT u.user_id, u.fullname, u.email, p.role, p.status, m.joined_at
             FROM team_members m JOIN users u ON u.user_id = m.user_id
             JOIN memberships p ON p.user_id = m.user_id AND p.tenant_id = m.tenant_id
             WHERE m.team_id = $1 AND m.user_id = $2"
        ),
        params![id, user],
        read_member,
    )
}

/// Lists the teams of a tenant to which a member belongs.
pub fn list_of_member(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<Vec<TeamId>> {
    tx.query(
        sql!(
            "SELECT team_id FROM team_members WHERE user_id = $2 AND tenant_id = $1
             ORDER BY team_id"
        ),
        params![tenant, user],
        only_column,
    )
}

fn read(row: &Row<'_>) -> Result<Team> {
    Ok(Team {
        id: row.get("team_id")?,
        tenant: row.get("tenant_id")?,
        name: row.get("name")?,
        created_at: row.get("created_at")?,
        member_count: row.get("member_count")?,
    })
}

fn read_member(row: &Row<'_>) -> Result<Member> {
    Ok(Member {
        user: row.get("user_id")?,
        fullname: row.get("fullname")?,
        email: row.get("email")?,
        role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
        active: row.get::<String>("status")? == "active",
        joined_at: row.get("joined_at")?,
    })
}
