//! Changing and removing members of a team. A member's role and status apply to the whole
//! organization.

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
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// The changes to a member. Fields that aren't set stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The new role.
    pub role: Option<Role>,
    /// The new status in the organization.
    pub status: Option<MemberStatus>,
}

/// Changes a member's role or status. Deactivating a member ends their sessions and disables their
/// API clients in the organization.
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

/// Removes a member from a team, or withdraws an invitation to it. A member who is in no other team
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

/// Ends a membership in the organization, with its sessions, API clients and invitations.
/// Memberships in other organizations aren't affected.
pub(super) fn leave(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    member: &Member,
) -> Result<()> {
    membership::delete(unit.tx, tenant, member.user)?;
    end_access(unit, tenant, member)?;
    if let Some(user) = user::find(unit.tx, member.user)? {
        invitation::delete_to(unit.tx, INVITATION, tenant, &user.email_key)?;
    }
    Ok(())
}

/// Ends the member's sessions and disables their API clients in the organization.
fn end_access(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId, member: &Member) -> Result<()> {
    session::revoke_in(unit.tx, member.user.as_uuid(), tenant, unit.now)?;
    client::disable_for_member(unit.tx, tenant, member.user, unit.now)?;
    Ok(())
}

/// Refuses a change that would leave the organization without an active admin. The tenant is
/// locked.
fn require_other_admin(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    member: &Member,
) -> Result<()> {
    if !member.active {
        return Ok(());
    }
    may_lose(member.role, membership::count_active(unit.tx, tenant, Role::OrganizationAdmin)?)
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
    type Permit = (Team, Member);
    type Output = Member;
    const ACTION: &'static str = "team.change_member";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let team = claim(unit, &self.caller, self.team)?;
        let member = team::find_member(unit.tx, team.id, self.member)?.ok_or_else(not_found)?;
        let demoted = self.changes.role.is_some_and(|it| it != member.role);
        if demoted || self.changes.status == Some(MemberStatus::Inactive) {
            require_other_admin(unit, team.tenant, &member)?;
        }
        Ok((team, member))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Member>> {
        let (team, mut member) = permit;
        if let Some(role) = self.changes.role {
            membership::set_role(unit.tx, team.tenant, member.user, role, unit.now)?;
            member.role = role;
        }
        if let Some(status) = self.changes.status {
            member.active = status == MemberStatus::Active;
            let active = member.active;
            membership::set_active(unit.tx, team.tenant, member.user, active, unit.now)?;
            if !member.active {
                end_access(unit, team.tenant, &member)?;
            }
        }
        let details = json!({
            "userId": member.user, "role": self.changes.role, "status": self.changes.status,
        });
        let mut done = Done::new(member, resource(&team), "A team member was updated");
        done.details = details;
        Ok(done)
    }
}

/// The member or invitation to remove.
enum Removal {
    Member(Member),
    Invitation,
}

struct Remove {
    caller: Arc<Caller>,
    team: TeamId,
    member: Uuid,
}

impl Act for Remove {
    type Permit = (Team, Removal);
    type Output = ();
    const ACTION: &'static str = "team.remove_member";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let team = claim(unit, &self.caller, self.team)?;
        let user = UserId::from(self.member);
        let Some(member) = team::find_member(unit.tx, team.id, user)? else {
            return Ok((team, Removal::Invitation));
        };
        if team::list_of_member(unit.tx, team.tenant, user)? == [team.id] {
            require_other_admin(unit, team.tenant, &member)?;
        }
        Ok((team, Removal::Member(member)))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, permit: Self::Permit) -> Result<Done<()>> {
        let (team, removal) = permit;
        let message = match removal {
            Removal::Member(member) => {
                team::remove(unit.tx, team.id, member.user)?;
                if team::list_of_member(unit.tx, team.tenant, member.user)?.is_empty() {
                    leave(unit, team.tenant, &member)?;
                }
                "A member was removed from a team"
            }
            Removal::Invitation => {
                let (target, id) = (team.id.as_uuid(), InvitationId::from(self.member));
                let withdrawn = invitation::withdraw(unit.tx, INVITATION, target, id, unit.now)?;
                withdrawn.ok_or_else(not_found)?;
                "A team invitation was revoked"
            }
        };
        let mut done = Done::new((), resource(&team), message);
        done.details = json!({ "memberId": self.member });
        Ok(done)
    }
}
