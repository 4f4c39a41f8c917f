//! Changing and removing those who are in a team. Role and status are of their membership in the
//! organization; the team is how they are found.

use std::sync::Arc;

use grantor_domain::id::{InvitationId, TeamId, TenantId, UserId};
use grantor_domain::role::Role;
use grantor_domain::team::{MemberStatus, may_lose};
use grantor_domain::{Error, Result};
use grantor_storage::team::{self, Member, Team};
use grantor_storage::{client, invitation, membership, session, user};
use serde_json::json;
use uuid::Uuid;

use super::{INVITATION, claim, resource};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// What shall change; what is not given stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Another role.
    pub role: Option<Role>,
    /// Whether they may act in the organization.
    pub status: Option<MemberStatus>,
}

/// Gives a member another role or status. Who is made inactive loses every session in the
/// organization at once, and the API clients they made there rest.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    team: TeamId,
    member: UserId,
    changes: Changes,
) -> Result<Member> {
    app.act(context, Change { caller, team, member, changes }).await
}

/// Removes a member from a team, or withdraws an invitation into it. Whoever is in no other team
/// leaves the organization.
pub async fn remove(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    team: TeamId,
    member: Uuid,
) -> Result<()> {
    app.act(context, Remove { caller, team, member }).await
}

/// Ends a membership: sessions and API clients in the organization end, and what the person was
/// invited to there is withdrawn. Elsewhere they go on as before.
pub(super) fn leave(desk: &mut Desk<'_, '_>, tenant: TenantId, member: &Member) -> Result<()> {
    membership::delete(desk.tx, tenant, member.user)?;
    end_access(desk, tenant, member)?;
    if let Some(user) = user::find(desk.tx, member.user)? {
        invitation::delete_to(desk.tx, INVITATION, tenant, &user.email_key)?;
    }
    Ok(())
}

/// Ends every session and API client of a member for good: who comes back signs in anew.
fn end_access(desk: &mut Desk<'_, '_>, tenant: TenantId, member: &Member) -> Result<()> {
    session::revoke_in(desk.tx, member.user.as_uuid(), tenant, desk.now)?;
    client::end_of_member(desk.tx, tenant, member.user, desk.now)?;
    Ok(())
}

/// Refuses what would leave the organization without an active admin. The tenant is held.
fn may_spare(desk: &mut Desk<'_, '_>, tenant: TenantId, member: &Member) -> Result<()> {
    if !member.active {
        return Ok(());
    }
    may_lose(member.role, membership::count_active(desk.tx, tenant, Role::OrganizationAdmin)?)
}

fn not_found() -> Error {
    Error::not_found("Member")
}

struct Change {
    caller: Arc<Caller>,
    team: TeamId,
    member: UserId,
    changes: Changes,
}

impl Act for Change {
    type Grant = (Team, Member);
    type Output = Member;
    const ACTION: &'static str = "team.change_member";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let team = claim(desk, &self.caller, self.team)?;
        let member = team::find_member(desk.tx, team.id, self.member)?.ok_or_else(not_found)?;
        let demoted = self.changes.role.is_some_and(|it| it != member.role);
        if demoted || self.changes.status == Some(MemberStatus::Inactive) {
            may_spare(desk, team.tenant, &member)?;
        }
        Ok((team, member))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Member>> {
        let (team, mut member) = grant;
        if let Some(role) = self.changes.role {
            membership::set_role(desk.tx, team.tenant, member.user, role, desk.now)?;
            member.role = role;
        }
        if let Some(status) = self.changes.status {
            member.active = status == MemberStatus::Active;
            let active = member.active;
            membership::set_active(desk.tx, team.tenant, member.user, active, desk.now)?;
            if !member.active {
                end_access(desk, team.tenant, &member)?;
            }
        }
        let details = json!({
            "userId": member.user, "role": self.changes.role, "status": self.changes.status,
        });
        let mut done = Done::new(member, resource(&team), "A member of a team was changed");
        done.details = details;
        Ok(done)
    }
}

/// Who goes.
enum Going {
    Member(Member),
    /// Somebody who has not come yet.
    Invited,
}

struct Remove {
    caller: Arc<Caller>,
    team: TeamId,
    member: Uuid,
}

impl Act for Remove {
    type Grant = (Team, Going);
    type Output = ();
    const ACTION: &'static str = "team.remove_member";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let team = claim(desk, &self.caller, self.team)?;
        let user = UserId::from(self.member);
        let Some(member) = team::find_member(desk.tx, team.id, user)? else {
            return Ok((team, Going::Invited));
        };
        if team::list_of_member(desk.tx, team.tenant, user)? == [team.id] {
            may_spare(desk, team.tenant, &member)?;
        }
        Ok((team, Going::Member(member)))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<()>> {
        let (team, going) = grant;
        let message = match going {
            Going::Member(member) => {
                team::remove(desk.tx, team.id, member.user)?;
                if team::list_of_member(desk.tx, team.tenant, member.user)?.is_empty() {
                    leave(desk, team.tenant, &member)?;
                }
                "A member was removed from a team"
            }
            Going::Invited => {
                let (target, id) = (team.id.as_uuid(), InvitationId::from(self.member));
                let withdrawn = invitation::withdraw(desk.tx, INVITATION, target, id, desk.now)?;
                withdrawn.ok_or_else(not_found)?;
                "An invitation into a team was withdrawn"
            }
        };
        let mut done = Done::new((), resource(&team), message);
        done.details = json!({ "memberId": self.member });
        Ok(done)
    }
}
