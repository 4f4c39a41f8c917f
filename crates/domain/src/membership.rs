//! Memberships of users in tenants. A user may have several; each session acts in one of them
//! (contract section 5, `POST /auth/accept/invitation`).

use std::slice;

use crate::error::{Error, Result};
use crate::id::TenantId;
use crate::role::{Role, TenantType};

/// The maximum number of memberships per user, so that they can be listed on one page.
pub const MAX: usize = 100;

/// A membership of a user in a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantMembership {
    /// The tenant's ID.
    pub tenant: TenantId,
    /// The tenant's name.
    pub name: String,
    /// The tenant's type.
    pub kind: TenantType,
    /// The role of the user.
    pub role: Role,
    /// Whether the membership is active.
    pub active: bool,
    /// Whether the user can act in the tenant now: the membership is active and the tenant is not
    /// suspended.
    pub open: bool,
}

/// The tenant a session acts in, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// The user acts in this tenant.
    Selected(&'a TenantMembership),
    /// The user is not a member of the requested tenant.
    NotMember,
    /// The requested tenant is suspended, or if none was requested, all tenants are.
    Suspended,
    /// The requested membership is inactive, or if none was requested, all memberships are.
    Inactive,
    /// The user has no memberships.
    NoMembership,
}

/// Selects one of a user's memberships, given oldest first: the requested tenant and no other, else
/// the last used, else the oldest that is open.
#[must_use]
pub fn choose(
    memberships: &[TenantMembership],
    last: TenantId,
    requested: Option<TenantId>,
) -> Choice<'_> {
    let mut open = memberships.iter().filter(|it| it.open);
    if let Some(requested) = requested {
        return match memberships.iter().find(|it| it.tenant == requested) {
            Some(membership) if membership.open => Choice::Selected(membership),
            Some(membership) => closed(slice::from_ref(membership)),
            None => Choice::NotMember,
        };
    }
    let found = open.clone().find(|it| it.tenant == last).or_else(|| open.next());
    found.map_or_else(|| closed(memberships), Choice::Selected)
}

/// Explains why a user can act in none of these tenants.
fn closed(memberships: &[TenantMembership]) -> Choice<'_> {
    if memberships.is_empty() {
        Choice::NoMembership
    } else if memberships.iter().any(|it| it.active) {
        Choice::Suspended
    } else {
        Choice::Inactive
    }
}

/// Checks that a user can join one more tenant.
pub fn may_join(memberships: &[TenantMembership]) -> Result<()> {
    if memberships.len() < MAX {
        return Ok(());
    }
    let message =
        format!("You are a member of {MAX} organizations, which is the maximum; leave one first");
    Err(Error::conflict(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use uuid::Uuid;

    fn id(number: u128) -> TenantId {
        TenantId::from(Uuid::from_u128(number))
    }

    fn membership(number: u128, open: bool) -> TenantMembership {
        let (kind, role) = (TenantType::Agency, Role::TeamMember);
        let (tenant, name) = (id(number), number.to_string());
        TenantMembership { tenant, name, kind, role, active: true, open }
    }

    /// The tenant selected among three, the second of which is closed.
    fn chosen(last: u128, requested: Option<u128>) -> Option<u128> {
        let memberships = [membership(1, true), membership(2, false), membership(3, true)];
        match choose(&memberships, id(last), requested.map(id)) {
            Choice::Selected(membership) => Some(membership.tenant.as_uuid().as_u128()),
            _ => None,
        }
    }

    #[test]
    fn the_tenant_last_acted_in_is_chosen_unless_another_is_asked_for() {
        assert_eq!((chosen(3, None), chosen(1, None)), (Some(3), Some(1)));
        assert_eq!((chosen(3, Some(1)), chosen(1, Some(3))), (Some(1), Some(3)));
        assert_eq!((chosen(2, None), chosen(9, None)), (Some(1), Some(1)), "else the oldest");
    }

    #[test]
    fn what_is_asked_for_is_never_replaced() {
        let memberships = [membership(1, true), membership(2, false)];
        assert_eq!(choose(&memberships, id(1), Some(id(2))), Choice::Suspended);
        assert_eq!(choose(&memberships, id(1), Some(id(9))), Choice::NotMember);
        assert_eq!(choose(&memberships[1..], id(2), None), Choice::Suspended, "open nowhere");
        assert_eq!(choose(&[], id(2), None), Choice::NoMembership, "a member of nothing");
    }

    #[test]
    fn an_inactive_membership_is_told_from_a_suspended_tenant() {
        let inactive = TenantMembership { active: false, ..membership(2, false) };
        let memberships = [membership(1, false), inactive];
        assert_eq!(choose(&memberships, id(1), Some(id(1))), Choice::Suspended);
        assert_eq!(choose(&memberships, id(1), Some(id(2))), Choice::Inactive);
        assert_eq!(choose(&memberships, id(2), None), Choice::Suspended);
        assert_eq!(choose(&memberships[1..], id(2), None), Choice::Inactive);
    }

    #[test]
    fn memberships_are_bounded() {
        let memberships = vec![membership(1, true); MAX];
        assert_eq!(may_join(&memberships[1..]), Ok(()));
        assert_eq!(may_join(&memberships).unwrap_err().kind(), &ErrorKind::Conflict);
    }
}
