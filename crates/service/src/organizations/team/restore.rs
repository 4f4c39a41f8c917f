//! Taking back that a member of a team was changed or removed, or an invitation withdrawn.

use std::sync::Arc;

use grantor_domain::id::{ClientId, TeamId, TenantId, UserId};
use grantor_domain::membership as rule;
use grantor_domain::role::Role;
use grantor_domain::team::{MAX_MEMBERS, MemberStatus};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::invitation::{self, KeptInvitation};
use grantor_storage::membership::{self, Membership};
use grantor_storage::team::{self, Member, Team};
use grantor_storage::{client, user};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::member::{Change, Changes};
use super::{INVITATION, claim, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::undo::{self, Reverse, changed_since};

/// What takes back an act on a member of a team.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum MemberReverse {
    /// Gives a member the role and status that they had, if they still have those of the change.
    Changed {
        /// The team.
        team: TeamId,
        /// The member.
        member: UserId,
        /// Their role and whether they were active.
        before: (Role, bool),
        /// What the change made of that.
        after: (Role, bool),
        /// Their API clients that the change disabled.
        clients: Vec<ClientId>,
    },
    /// Puts a member back into a team, and into the organization if they left it.
    Removed {
        /// The team.
        team: TeamId,
        /// The member.
        member: UserId,
        /// When they joined the team.
        joined_at: Timestamp,
        /// What they had in the organization that they left.
        left: Option<Box<LeftMember>>,
    },
    /// Restores an invitation, whose link works again.
    Withdrawn {
        /// The team.
        team: TeamId,
        /// The invitation.
        kept: Box<KeptInvitation>,
    },
}

/// What ended with a membership in an organization. Sessions stay ended.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct LeftMember {
    membership: Membership,
    clients: Vec<ClientId>,
    invitations: Vec<KeptInvitation>,
}

impl LeftMember {
    /// What a member has who is about to leave the organization; `None` if it cannot be restored.
    pub(super) fn of(
        unit: &mut UnitOfWork<'_, '_>,
        tenant: TenantId,
        member: &Member,
    ) -> Result<Option<Box<Self>>> {
        if !unit.undoable {
            return Ok(None);
        }
        let Some(membership) = membership::find(unit.tx, tenant, member.user)? else {
            return Ok(None);
        };
        let clients = client::list_active_of(unit.tx, tenant, member.user)?;
        let invitations = match user::find(unit.tx, member.user)? {
            Some(user) => invitation::list_to(unit.tx, INVITATION, tenant, &user.email_key)?,
            None => vec![],
        };
        Ok(Some(Box::new(Self { membership, clients, invitations })))
    }

    fn restore(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        let Membership { tenant, user, .. } = self.membership;
        if membership::find(unit.tx, tenant, user)?.is_some() {
            return Err(changed_since());
        }
        rule::may_join(&membership::list_memberships(unit.tx, user)?)?;
        membership::insert(unit.tx, &self.membership)?;
        enable(unit, tenant, &self.clients)?;
        for kept in &self.invitations {
            invitation::restore(unit.tx, kept)?;
        }
        Ok(())
    }
}

/// Enables API clients that were disabled with their member.
fn enable(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId, clients: &[ClientId]) -> Result<()> {
    for id in clients {
        client::enable(unit.tx, tenant, *id, unit.now)?;
    }
    Ok(())
}

impl MemberReverse {
    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        match self {
            Self::Changed { team, member, before, after, clients } => {
                let found = claim(unit, caller, team)?;
                let now =
                    team::find_member(unit.tx, found.id, member)?.ok_or_else(changed_since)?;
                if (now.role, now.active) != after {
                    return Err(changed_since());
                }
                let active = before.1;
                let status = if active { MemberStatus::Active } else { MemberStatus::Inactive };
                let changes = Changes { role: Some(before.0), status: Some(status) };
                let act = Change { caller: Arc::clone(caller), team, member, changes };
                let done = undo::run(unit, &act, "A change of a team member was undone")?;
                enable(unit, found.tenant, &clients)?;
                Ok(done)
            }
            Self::Removed { team, member, joined_at, left } => {
                let team = claim_with_room(unit, caller, team)?;
                if let Some(left) = left {
                    left.restore(unit)?;
                } else if membership::find(unit.tx, team.tenant, member)?.is_none() {
                    return Err(changed_since());
                }
                team::add(unit.tx, team.id, member, joined_at)?;
                let name = user::find(unit.tx, member)?.map(|it| it.fullname);
                let message = "A removed member was put back into a team";
                let mut done = Done::new((), resource(&team), message);
                done.details = json!({ "member": name });
                Ok(done)
            }
            Self::Withdrawn { team, kept } => {
                let team = claim_with_room(unit, caller, team)?;
                invitation::restore(unit.tx, &kept)?;
                let message = "A revoked team invitation was restored";
                let mut done = Done::new((), resource(&team), message);
                done.details = json!({ "member": kept.invitation.email });
                Ok(done)
            }
        }
    }
}

/// Locks the tenant and returns a team that one more person fits into.
fn claim_with_room(unit: &mut UnitOfWork<'_, '_>, caller: &Caller, id: TeamId) -> Result<Team> {
    let team = claim(unit, caller, id)?;
    if team.member_count as usize >= MAX_MEMBERS {
        let message = "The team is full now, so this can't be undone";
        return Err(Error::conflict(message));
    }
    Ok(team)
}

/// What takes back the removal of a member.
pub(super) fn of_removed(team: &Team, member: &Member, left: Option<Box<LeftMember>>) -> Reverse {
    let (team, joined_at) = (team.id, member.joined_at);
    Reverse::Member(MemberReverse::Removed { team, member: member.user, joined_at, left })
}
