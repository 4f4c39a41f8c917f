//! Checks that the actor has a right. The rights of a `Team_Lead` are limited to their own teams
//! (contract section 5, "Roles"). Checked inside the unit of work, so that a lost role or team
//! takes effect immediately.

use grantor_domain::access::Actor;
use grantor_domain::id::{TalentId, TeamId, TenantId, UserId};
use grantor_domain::license::License;
use grantor_domain::role::{Reach, Right, reach};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{Tx, membership, talent, team, tenant};

use crate::act::UnitOfWork;

/// Refuses an actor without the right, for records that don't belong to a team.
pub(crate) fn require(unit: &mut UnitOfWork<'_, '_>, right: Right) -> Result<()> {
    limited_to(unit.tx, unit.actor, right).map(|_| ())
}

/// Refuses an actor without the right for a record of this team, or of no team.
pub(crate) fn require_for_team(
    unit: &mut UnitOfWork<'_, '_>,
    right: Right,
    team: Option<TeamId>,
) -> Result<()> {
    require_for_team_as(unit.tx, unit.actor, right, team)
}

/// Like [`require_for_team`], outside of a unit of work.
pub(crate) fn require_for_team_as(
    tx: &mut Tx<'_>,
    actor: &Actor,
    right: Right,
    team: Option<TeamId>,
) -> Result<()> {
    match limited_to(tx, actor, right)? {
        None => Ok(()),
        Some(own) => check_team(&own, team),
    }
}

/// Refuses an actor without the right for a license, which belongs to its talent's team. For a
/// license of another tenant only the permission counts.
pub(crate) fn require_for_license(
    unit: &mut UnitOfWork<'_, '_>,
    right: Right,
    license: &License,
) -> Result<()> {
    require_for_talent(unit, right, (license.tenant, license.talent))
}

/// Refuses an actor without the right for records of this owner's talent.
pub(crate) fn require_for_talent(
    unit: &mut UnitOfWork<'_, '_>,
    right: Right,
    (owner, talent): (TenantId, TalentId),
) -> Result<()> {
    if unit.actor.tenant() != Some(owner) {
        return Ok(());
    }
    match limited_to(unit.tx, unit.actor, right)? {
        None => Ok(()),
        Some(own) => check_team(&own, talent::team_of(unit.tx, talent)?),
    }
}

/// Returns the team of a new record: the given one, if the actor has the right for it. An actor
/// limited to one team doesn't have to name it.
pub(crate) fn choose_team(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    right: Right,
    team: Option<TeamId>,
) -> Result<Option<TeamId>> {
    let own = limited_to(unit.tx, unit.actor, right)?;
    let team = match (team, own.as_deref()) {
        (Some(team), _) => Some(team),
        (None, None) => return Ok(None),
        (None, Some([only])) => Some(*only),
        (None, Some([])) => return Err(not_own_team()),
        (None, Some(_)) => {
            let message = "is required because you are in several teams";
            return Err(Error::field("teamId", message));
        }
    };
    if let Some(team) = team {
        claim_team(unit, tenant, team)?;
    }
    own.map_or(Ok(()), |own| check_team(&own, team))?;
    Ok(team)
}

/// Locks the tenant and checks that the team is one of its teams.
pub(crate) fn claim_team(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    id: TeamId,
) -> Result<()> {
    tenant::claim(unit.tx, tenant)?;
    let found = team::find(unit.tx, tenant, id, unit.now)?;
    found.map(|_| ()).ok_or_else(|| Error::not_found("Team"))
}

/// Returns the teams that the actor's right is limited to; `None` if it isn't limited.
pub(crate) fn limited_to(
    tx: &mut Tx<'_>,
    actor: &Actor,
    right: Right,
) -> Result<Option<Vec<TeamId>>> {
    let Some((tenant, user)) = person(actor) else { return Ok(None) };
    let found = membership::find_active(tx, tenant, user)?;
    let (here, role) = found.ok_or_else(|| {
        Error::new(ErrorKind::Unauthorized, "Your account is no longer active in this organization")
    })?;
    Ok(match reach(role, here.kind, right)? {
        Reach::Tenant => None,
        Reach::OwnTeams => Some(team::list_of_member(tx, tenant, user)?),
    })
}

/// Returns the tenant and user whose role counts; staff, the operator and the system have none.
fn person(actor: &Actor) -> Option<(TenantId, UserId)> {
    actor.tenant().zip(actor.user())
}

/// Refuses a record that belongs to none of these teams.
pub(crate) fn check_team(own: &[TeamId], team: Option<TeamId>) -> Result<()> {
    if team.is_some_and(|it| own.contains(&it)) { Ok(()) } else { Err(not_own_team()) }
}

fn not_own_team() -> Error {
    Error::new(ErrorKind::AccessDenied, "This record doesn't belong to one of your teams")
}
