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

use super::restore::{LeftMember, MemberReverse, of_removed};
use super::{INVITATION, claim, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::log::change::FieldChanges;
use crate::undo::Reverse;
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

pub(super) struct Change {
    pub(super) caller: Arc<Caller>,
    pub(super) team: TeamId,
    pub(super) member: UserId,
    pub(super) changes: Changes,
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
        let before = (member.role, member.active);
        let mut clients = vec![];
        if let Some(role) = self.changes.role {
            membership::set_role(unit.tx, team.tenant, member.user, role, unit.now)?;
            member.role = role;
        }
        if let Some(status) = self.changes.status {
            member.active = status == MemberStatus::Active;
            let active = member.active;
            membership::set_active(unit.tx, team.tenant, member.user, active, unit.now)?;
            if !member.active {
                clients = client::list_active_of(unit.tx, team.tenant, member.user)?;
                end_access(unit, team.tenant, &member)?;
            }
        }
        let (user, after) = (member.user, (member.role, member.active));
        let status = |(_, active): (Role, bool)| if active { "active" } else { "inactive" };
        let changes = FieldChanges::default().field("role", before.0.name(), after.0.name()).field(
            "status",
            status(before),
            status(after),
        );
        let details = json!({
            "userId": user, "member": member.fullname, "role": self.changes.role,
            "status": self.changes.status,
        });
        let mut done = Done::new(member, resource(&team), "A team member was updated");
        done.details = details;
        let done = done.with_changes(changes);
        if before == after {
            return Ok(done);
        }
        let team = team.id;
        let reverse = MemberReverse::Changed { team, member: user, before, after, clients };
        Ok(done.undone_by(Reverse::Member(reverse)))
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
        let (message, name, reverse) = match removal {
            Removal::Member(member) => {
                let reverse = remove_member(unit, &team, &member)?;
                ("A member was removed from a team", member.fullname, Some(reverse))
            }
            Removal::Invitation => {
                let (target, id) = (team.id.as_uuid(), InvitationId::from(self.member));
                let all = if unit.undoable {
                    invitation::list_of(unit.tx, INVITATION, target)?
                } else {
                    vec![]
                };
                let kept = all.into_iter().find(|it| it.invitation.id == id).map(Box::new);
                let withdrawn = invitation::withdraw(unit.tx, INVITATION, target, id, unit.now)?;
                let email = withdrawn.ok_or_else(not_found)?.email;
                let team = team.id;
                let reverse = kept.map(|kept| MemberReverse::Withdrawn { team, kept });
                ("A team invitation was revoked", email, reverse.map(Reverse::Member))
            }
        };
        let mut done = Done::new((), resource(&team), message);
        done.details = json!({ "memberId": self.member, "member": name });
        Ok(match reverse {
            Some(reverse) => done.undone_by(reverse),
            None => done,
        })
    }
}

/// Removes a member from a team, and from the organization if it was their last team. Returns what
/// takes that back.
fn remove_member(unit: &mut UnitOfWork<'_, '_>, team: &Team, member: &Member) -> Result<Reverse> {
    team::remove(unit.tx, team.id, member.user)?;
    let mut left = None;
    if team::list_of_member(unit.tx, team.tenant, member.user)?.is_empty() {
        left = LeftMember::of(unit, team.tenant, member)?;
        leave(unit, team.tenant, member)?;
    }
    Ok(of_removed(team, member, left))
}
