//! Memberships: what an account is in a tenant. One account may have several; each session acts in
//! one of them (contract section 5, `POST /auth/accept/invitation`).

use std::slice;

use crate::error::{Error, Result};
use crate::id::TenantId;
use crate::role::{Role, TenantType};

/// The most memberships one account can have: where one can act is listed whole.
pub const MOST: usize = 100;

/// A tenant that an account is a member of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The tenant.
    pub tenant: TenantId,
    /// What it is called.
    pub name: String,
    /// What kind it is.
    pub kind: TenantType,
    /// What the member may do there.
    pub role: Role,
    /// Whether the membership is active.
    pub active: bool,
    /// Whether they can act there now: neither the membership is inactive nor the tenant suspended.
    pub open: bool,
}

/// Where a session acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// There.
    Here(&'a Place),
    /// In the tenant that was asked for the account is no member.
    Foreign,
    /// The tenant is suspended, or every one is where none was asked for.
    Closed,
    /// The account's membership there is inactive, or every one is where none was asked for.
    Inactive,
    /// The account is a member of no tenant any more.
    Nowhere,
}

/// Chooses among an account's places, oldest first: the one asked for and no other, else the one
/// last acted in, else the oldest that is open.
#[must_use]
pub fn choose(places: &[Place], last: TenantId, asked: Option<TenantId>) -> Choice<'_> {
    let mut open = places.iter().filter(|it| it.open);
    if let Some(asked) = asked {
        return match places.iter().find(|it| it.tenant == asked) {
            Some(place) if place.open => Choice::Here(place),
            Some(place) => closed(slice::from_ref(place)),
            None => Choice::Foreign,
        };
    }
    let found = open.clone().find(|it| it.tenant == last).or_else(|| open.next());
    found.map_or_else(|| closed(places), Choice::Here)
}

/// Why an account can act in none of these.
fn closed(places: &[Place]) -> Choice<'_> {
    if places.is_empty() {
        Choice::Nowhere
    } else if places.iter().any(|it| it.active) {
        Choice::Closed
    } else {
        Choice::Inactive
    }
}

/// Whether an account can become a member of one more tenant.
pub fn may_join(places: &[Place]) -> Result<()> {
    if places.len() < MOST {
        return Ok(());
    }
    let message = format!("You are a member of {MOST} organizations: leave one first");
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

    fn place(number: u128, open: bool) -> Place {
        let (kind, role) = (TenantType::Agency, Role::TeamMember);
        Place { tenant: id(number), name: number.to_string(), kind, role, active: true, open }
    }

    /// The place that is chosen among three, of which the second is closed.
    fn chosen(last: u128, asked: Option<u128>) -> Option<u128> {
        let places = [place(1, true), place(2, false), place(3, true)];
        match choose(&places, id(last), asked.map(id)) {
            Choice::Here(place) => Some(place.tenant.as_uuid().as_u128()),
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
        let places = [place(1, true), place(2, false)];
        assert_eq!(choose(&places, id(1), Some(id(2))), Choice::Closed);
        assert_eq!(choose(&places, id(1), Some(id(9))), Choice::Foreign);
        assert_eq!(choose(&places[1..], id(2), None), Choice::Closed, "open nowhere");
        assert_eq!(choose(&[], id(2), None), Choice::Nowhere, "a member of nothing");
    }

    #[test]
    fn an_inactive_membership_is_told_from_a_suspended_tenant() {
        let inactive = Place { active: false, ..place(2, false) };
        let places = [place(1, false), inactive];
        assert_eq!(choose(&places, id(1), Some(id(1))), Choice::Closed);
        assert_eq!(choose(&places, id(1), Some(id(2))), Choice::Inactive);
        assert_eq!(choose(&places, id(2), None), Choice::Closed);
        assert_eq!(choose(&places[1..], id(2), None), Choice::Inactive);
    }

    #[test]
    fn memberships_are_bounded() {
        let places = vec![place(1, true); MOST];
        assert_eq!(may_join(&places[1..]), Ok(()));
        assert_eq!(may_join(&places).unwrap_err().kind(), &ErrorKind::Conflict);
    }
}
