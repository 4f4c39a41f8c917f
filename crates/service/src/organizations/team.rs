//! Teams of an organization. Its `Organization_Admin`s manage the teams and their members. Changes
//! that could leave the organization without an admin lock the tenant first.

mod invitation;
mod member;
mod restore;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{TeamId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::{Right, Role, may};
use grantor_domain::team::TeamName;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::invitation::{self as invitations, Invitation};
use grantor_storage::team::{self, NAME_IS_TAKEN};
pub use grantor_storage::team::{Member, Team};
use grantor_storage::{talent, tenant};

pub use self::invitation::{Invited, Invitee, invite};
pub(crate) use self::invitation::{KIND as INVITATION, accept, compose_again};
pub use self::member::{Changes, change, remove};
pub(crate) use self::restore::MemberReverse;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::organizations::rights;
use crate::{App, Context};

/// A team with its members and invitations.
pub struct TeamMembers {
    /// The team.
    pub team: Team,
    /// The members.
    pub members: Vec<Member>,
    /// The pending invitations.
    pub invited: Vec<Invitation>,
}

/// Creates a team with the caller as its first member.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    name: TeamName,
) -> Result<Team> {
    app.act(context, Create { caller, name }).await
}

/// Returns the organization's teams.
pub async fn list(app: &App, caller: &Caller, page: Page) -> Result<Listing<Team>> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    app.store.read(move |tx| Ok(team::list(tx, tenant, page, now)?)).await
}

/// Returns the teams for which the caller has a right.
pub async fn choices(app: &App, caller: &Caller, right: Right) -> Result<Vec<Team>> {
    let (tenant, actor, now) = (caller.tenant, caller.actor(), app.clock.now());
    app.store
        .read(move |tx| {
            let own = rights::limited_to(tx, &actor, right)?;
            let mut all = team::list_all(tx, tenant, now)?;
            all.retain(|it| own.as_ref().is_none_or(|own| own.contains(&it.id)));
            Ok(all)
        })
        .await
}

/// The teams for which a user has a right.
#[derive(Clone, Debug)]
pub struct RightScope(Option<Vec<TeamId>>);

impl RightScope {
    /// Whether the user has the right for records of this team, or of no team.
    #[must_use]
    pub fn includes(&self, team: Option<TeamId>) -> bool {
        self.0.as_ref().is_none_or(|own| rights::check_team(own, team).is_ok())
    }
}

/// Returns the teams for which the caller has a right, so that pages show only allowed actions.
pub async fn right_scope(app: &App, caller: &Caller, right: Right) -> Result<RightScope> {
    let actor = caller.actor();
    let own = app.store.read(move |tx| rights::limited_to(tx, &actor, right)).await;
    match own {
        Ok(own) => Ok(RightScope(own)),
        // Without the right, the scope is empty.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InsufficientPermissions | ErrorKind::Forbidden
            ) =>
        {
            Ok(RightScope(Some(vec![])))
        }
        Err(error) => Err(error),
    }
}

/// Returns the members of a team, for its members and the organization's admins.
pub async fn members(app: &App, caller: &Caller, id: TeamId) -> Result<TeamMembers> {
    let (tenant, user, now) = (caller.tenant, caller.user, app.clock.now());
    let sees_all = caller.role == Role::OrganizationAdmin;
    app.store
        .read(move |tx| {
            let mut team = team::find(tx, tenant, id, now)?.ok_or_else(not_found)?;
            let members = team::members(tx, id)?;
            if !sees_all && members.iter().all(|it| it.user != user) {
                let message = "You are not a member of this team";
                return Err(Error::new(ErrorKind::AccessDenied, message));
            }
            let invited = invitations::list(tx, INVITATION, id.as_uuid(), now)?;
            // Each statement may see a different snapshot, so the count is taken from the lists.
            team.member_count = u32::try_from(members.len() + invited.len()).unwrap_or(u32::MAX);
            Ok(TeamMembers { team, members, invited })
        })
        .await
}

/// Deletes a team and its invitations. Its talents then belong to no team. Members who are in no
/// other team leave the organization, except active admins.
pub async fn delete(app: &App, context: &Context, caller: Arc<Caller>, id: TeamId) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// How the log names a team.
#[must_use]
pub fn resource(team: &Team) -> Resource {
    Resource { kind: "team", id: Some(team.id.to_string()), name: Some(team.name.clone()) }
}

/// Locks the tenant and returns the team, if the caller may manage it.
fn claim(unit: &mut UnitOfWork<'_, '_>, caller: &Caller, id: TeamId) -> Result<Team> {
    may(caller.role, caller.tenant_type, Right::ManageTeams)?;
    tenant::claim(unit.tx, caller.tenant)?;
    find(unit, caller.tenant, id)
}

fn find(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId, id: TeamId) -> Result<Team> {
    team::find(unit.tx, tenant, id, unit.now)?.ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::not_found("Team")
}

struct Create {
    caller: Arc<Caller>,
    name: TeamName,
}

impl Act for Create {
    type Permit = ();
    type Output = Team;
    const ACTION: &'static str = "team.create";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTeams)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Team>> {
        let team = Team {
            id: unit.ids.next(),
            tenant: self.caller.tenant,
            name: self.name.as_str().to_owned(),
            member_count: 1,
            created_at: unit.now,
        };
        team::insert(unit.tx, &team, &self.name.key()).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == NAME_IS_TAKEN => {
                Error::new(ErrorKind::Exists, "A team with this name already exists").at("name")
            }
            other => other.into(),
        })?;
        team::add(unit.tx, team.id, self.caller.user, unit.now)?;
        let resource = resource(&team);
        Ok(Done::new(team, resource, "A team was created"))
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: TeamId,
}

impl Act for Delete {
    type Permit = Team;
    type Output = ();
    const ACTION: &'static str = "team.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Team> {
        let team = claim(unit, &self.caller, self.id)?;
        if team::owns_platforms(unit.tx, team.id)? {
            let message = "This team has platforms; move them to another team first";
            return Err(Error::conflict(message));
        }
        Ok(team)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, team: Team) -> Result<Done<()>> {
        let members = team::members(unit.tx, team.id)?;
        talent::unassign_team(unit.tx, team.id)?;
        invitations::delete_of(unit.tx, INVITATION, team.id.as_uuid())?;
        team::delete(unit.tx, team.id)?;
        // Members are managed through their teams, so an inactive admin without a team can't stay.
        let stays = |it: &Member| it.role == Role::OrganizationAdmin && it.active;
        for member in members.iter().filter(|it| !stays(it)) {
            if team::list_of_member(unit.tx, team.tenant, member.user)?.is_empty() {
                member::leave(unit, team.tenant, member)?;
            }
        }
        Ok(Done::new((), resource(&team), "A team was deleted"))
    }
}
