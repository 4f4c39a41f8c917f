//! How far a right reaches: that of a `Team_Lead` ends at what belongs to their own teams (contract
//! section 5, "Roles"). Asked inside the unit of work, so that whoever just lost a role or a team
//! is held to what they have now.

use grantor_domain::access::Actor;
use grantor_domain::id::{TalentId, TeamId, TenantId, UserId};
use grantor_domain::license::License;
use grantor_domain::role::{Reach, Right, reach};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{Tx, membership, talent, team, tenant};

use crate::act::Desk;

/// Whether the actor still has a right, for what belongs to no team.
pub(crate) fn still(desk: &mut Desk<'_, '_>, right: Right) -> Result<()> {
    own_teams(desk.tx, desk.actor, right).map(|_| ())
}

/// Whether the actor may do this to what belongs to a team, or to nobody's in particular.
pub(crate) fn within(desk: &mut Desk<'_, '_>, right: Right, team: Option<TeamId>) -> Result<()> {
    within_as(desk.tx, desk.actor, right, team)
}

/// The same outside of a change.
pub(crate) fn within_as(
    tx: &mut Tx<'_>,
    actor: &Actor,
    right: Right,
    team: Option<TeamId>,
) -> Result<()> {
    match own_teams(tx, actor, right)? {
        None => Ok(()),
        Some(own) => belongs(&own, team),
    }
}

/// The same for a license, which belongs where its talent does. What others granted the tenant
/// belongs to none of its teams: there the permission decides alone.
pub(crate) fn within_license(
    desk: &mut Desk<'_, '_>,
    right: Right,
    license: &License,
) -> Result<()> {
    within_talent(desk, right, (license.tenant, license.talent))
}

/// The same for what is of a talent of this owner.
pub(crate) fn within_talent(
    desk: &mut Desk<'_, '_>,
    right: Right,
    (owner, talent): (TenantId, TalentId),
) -> Result<()> {
    if desk.actor.tenant() != Some(owner) {
        return Ok(());
    }
    match own_teams(desk.tx, desk.actor, right)? {
        None => Ok(()),
        Some(own) => belongs(&own, talent::team_of(desk.tx, talent)?),
    }
}

/// The team something new belongs to: the one that is asked for, if the actor reaches it. Whoever
/// is held to one team need not name it.
pub(crate) fn choose(
    desk: &mut Desk<'_, '_>,
    tenant: TenantId,
    right: Right,
    asked: Option<TeamId>,
) -> Result<Option<TeamId>> {
    let own = own_teams(desk.tx, desk.actor, right)?;
    let team = match (asked, own.as_deref()) {
        (Some(team), _) => Some(team),
        (None, None) => return Ok(None),
        (None, Some([only])) => Some(*only),
        (None, Some([])) => return Err(beyond()),
        (None, Some(_)) => {
            let message = "is required: you are in several teams";
            return Err(Error::field("teamId", message));
        }
    };
    if let Some(team) = team {
        claim_team(desk, tenant, team)?;
    }
    own.map_or(Ok(()), |own| belongs(&own, team))?;
    Ok(team)
}

/// Makes sure that a team is one of the tenant's, and stays until the unit of work ends.
pub(crate) fn claim_team(desk: &mut Desk<'_, '_>, tenant: TenantId, id: TeamId) -> Result<()> {
    tenant::claim(desk.tx, tenant)?;
    let found = team::find(desk.tx, tenant, id, desk.now)?;
    found.map(|_| ()).ok_or_else(|| Error::not_found("Team"))
}

/// The teams a right ends at; nothing where it does not end.
pub(crate) fn own_teams(
    tx: &mut Tx<'_>,
    actor: &Actor,
    right: Right,
) -> Result<Option<Vec<TeamId>>> {
    let Some((tenant, user)) = person(actor) else { return Ok(None) };
    let found = membership::find_active(tx, tenant, user)?;
    let (here, role) = found.ok_or_else(|| {
        Error::new(ErrorKind::Unauthorized, "The account is no longer active here")
    })?;
    Ok(match reach(role, here.kind, right)? {
        Reach::Tenant => None,
        Reach::OwnTeams => Some(team::list_of_member(tx, tenant, user)?),
    })
}

/// Whose role counts; the operator and the program have none.
fn person(actor: &Actor) -> Option<(TenantId, UserId)> {
    match actor {
        Actor::User { id, tenant, .. } => Some((*tenant, *id)),
        Actor::Client { user, tenant, .. } => Some((*tenant, *user)),
        Actor::Anonymous | Actor::Admin { .. } | Actor::Operator | Actor::System => None,
    }
}

pub(crate) fn belongs(own: &[TeamId], team: Option<TeamId>) -> Result<()> {
    if team.is_some_and(|it| own.contains(&it)) { Ok(()) } else { Err(beyond()) }
}

fn beyond() -> Error {
    Error::new(ErrorKind::AccessDenied, "This does not belong to one of your teams")
}
