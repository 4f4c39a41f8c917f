//! Teams of an organization: made and deleted by its `Organization_Admin`s, who also say who is in
//! them. Whatever could leave an organization without one holds the tenant first.

mod invitation;
mod member;

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
pub(crate) use self::invitation::{KIND as INVITATION, accept};
pub use self::member::{Changes, change, remove};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context, reach};

/// A team with everybody in it.
pub struct Roll {
    /// The team.
    pub team: Team,
    /// Those who are in it.
    pub members: Vec<Member>,
    /// Those who are invited.
    pub invited: Vec<Invitation>,
}

/// Makes a team; who makes it is its first member.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    name: TeamName,
) -> Result<Team> {
    app.act(context, Create { caller, name }).await
}

/// The organization's teams.
pub async fn list(app: &App, caller: &Caller, page: Page) -> Result<Listing<Team>> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    app.store.read(move |tx| Ok(team::list(tx, tenant, page, now)?)).await
}

/// The teams a person may choose from where something shall belong to one: those the right reaches.
pub async fn choices(app: &App, caller: &Caller, right: Right) -> Result<Vec<Team>> {
    let (tenant, actor, now) = (caller.tenant, caller.actor(), app.clock.now());
    app.store
        .read(move |tx| {
            let own = reach::own_teams(tx, &actor, right)?;
            let mut all = team::list_all(tx, tenant, now)?;
            all.retain(|it| own.as_ref().is_none_or(|own| own.contains(&it.id)));
            Ok(all)
        })
        .await
}

/// How far a right of a person reaches.
#[derive(Clone, Debug)]
pub struct Reached(Option<Vec<TeamId>>);

impl Reached {
    /// Whether it reaches what belongs to this team, or to none.
    #[must_use]
    pub fn holds(&self, team: Option<TeamId>) -> bool {
        self.0.as_ref().is_none_or(|own| reach::belongs(own, team).is_ok())
    }
}

/// How far a right of a person reaches now, so that no page offers what would be refused.
pub async fn reached(app: &App, caller: &Caller, right: Right) -> Result<Reached> {
    let actor = caller.actor();
    let own = app.store.read(move |tx| reach::own_teams(tx, &actor, right)).await;
    match own {
        Ok(own) => Ok(Reached(own)),
        // Whoever lacks the right reaches nothing with it.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InsufficientPermissions | ErrorKind::Forbidden
            ) =>
        {
            Ok(Reached(Some(vec![])))
        }
        Err(error) => Err(error),
    }
}

/// Who is in a team: for those who are, and for the organization's admins.
pub async fn members(app: &App, caller: &Caller, id: TeamId) -> Result<Roll> {
    let (tenant, user, now) = (caller.tenant, caller.user, app.clock.now());
    let sees_all = caller.role == Role::OrganizationAdmin;
    app.store
        .read(move |tx| {
            let mut team = team::find(tx, tenant, id, now)?.ok_or_else(not_found)?;
            let members = team::members(tx, id)?;
            if !sees_all && members.iter().all(|it| it.user != user) {
                let message = "You are not in this team";
                return Err(Error::new(ErrorKind::AccessDenied, message));
            }
            let invited = invitations::list(tx, INVITATION, id.as_uuid(), now)?;
            // Each statement may see a moment of its own: the count is of what is listed.
            team.member_count = u32::try_from(members.len() + invited.len()).unwrap_or(u32::MAX);
            Ok(Roll { team, members, invited })
        })
        .await
}

/// Deletes a team. Its invitations end, its talents are nobody's in particular, and whoever is in
/// no other team leaves the organization; its active admins stay.
pub async fn delete(app: &App, context: &Context, caller: Arc<Caller>, id: TeamId) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

pub(crate) fn resource(team: &Team) -> Resource {
    Resource { kind: "team", id: Some(team.id.to_string()), name: Some(team.name.clone()) }
}

/// The team, if the caller may manage it. The tenant is held: nobody else changes who is in it.
fn claim(desk: &mut Desk<'_, '_>, caller: &Caller, id: TeamId) -> Result<Team> {
    may(caller.role, caller.tenant_type, Right::ManageTeams)?;
    tenant::claim(desk.tx, caller.tenant)?;
    find(desk, caller.tenant, id)
}

fn find(desk: &mut Desk<'_, '_>, tenant: TenantId, id: TeamId) -> Result<Team> {
    team::find(desk.tx, tenant, id, desk.now)?.ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::not_found("Team")
}

struct Create {
    caller: Arc<Caller>,
    name: TeamName,
}

impl Act for Create {
    type Grant = ();
    type Output = Team;
    const ACTION: &'static str = "team.create";

    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTeams)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Team>> {
        let team = Team {
            id: desk.ids.next(),
            tenant: self.caller.tenant,
            name: self.name.as_str().to_owned(),
            member_count: 1,
            created_at: desk.now,
        };
        team::insert(desk.tx, &team, &self.name.key()).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == NAME_IS_TAKEN => {
                Error::new(ErrorKind::Exists, "A team of this name exists already").at("name")
            }
            other => other.into(),
        })?;
        team::add(desk.tx, team.id, self.caller.user, desk.now)?;
        let resource = resource(&team);
        Ok(Done::new(team, resource, "A team was made"))
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: TeamId,
}

impl Act for Delete {
    type Grant = Team;
    type Output = ();
    const ACTION: &'static str = "team.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Team> {
        let team = claim(desk, &self.caller, self.id)?;
        if team::owns_platforms(desk.tx, team.id)? {
            let message = "Platforms belong to this team: give them to another first";
            return Err(Error::conflict(message));
        }
        Ok(team)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, team: Team) -> Result<Done<()>> {
        let members = team::members(desk.tx, team.id)?;
        talent::leave_team(desk.tx, team.id)?;
        invitations::delete_of(desk.tx, INVITATION, team.id.as_uuid())?;
        team::delete(desk.tx, team.id)?;
        // An inactive admin without a team could not be addressed by anybody.
        let stays = |it: &Member| it.role == Role::OrganizationAdmin && it.active;
        for member in members.iter().filter(|it| !stays(it)) {
            if team::list_of_member(desk.tx, team.tenant, member.user)?.is_empty() {
                member::leave(desk, team.tenant, member)?;
            }
        }
        Ok(Done::new((), resource(&team), "A team was deleted"))
    }
}
