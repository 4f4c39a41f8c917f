//! The tenants of an account, and which one a session acts in.

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::membership::Choice;
pub use grantor_domain::membership::TenantMembership;
use grantor_domain::role::Role;
use grantor_domain::{Error, ErrorKind, Result, membership as rule};
use grantor_storage::Tx;
use grantor_storage::membership::{self, Membership};
use grantor_storage::user::User;

use crate::App;
use crate::act::UnitOfWork;

/// Returns the tenants in which a user can act, oldest membership first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<TenantMembership>> {
    let mut memberships = app.store.read(move |tx| membership::list_memberships(tx, user)).await?;
    memberships.retain(|it: &TenantMembership| it.open);
    Ok(memberships)
}

/// Returns the tenant for a new session: the given one, or else the one last used. `None` if the
/// user isn't a member of the given tenant.
pub(crate) fn choose(
    tx: &mut Tx<'_>,
    user: &User,
    wanted: Option<TenantId>,
) -> Result<Option<TenantMembership>> {
    let memberships = membership::list_memberships(tx, user.id)?;
    match rule::choose(&memberships, user.last_tenant, wanted) {
        Choice::Selected(chosen) => Ok(Some(chosen.clone())),
        Choice::NotMember => Ok(None),
        Choice::Suspended => Err(suspended()),
        Choice::Inactive => Err(inactive()),
        Choice::NoMembership => Err(nowhere()),
    }
}

/// Makes a user a member of a tenant with this role. An existing member keeps their role; an
/// inactive one is refused until an admin reactivates them. The caller has locked the user.
pub(crate) fn join(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    user: UserId,
    role: Role,
) -> Result<Role> {
    match membership::find(unit.tx, tenant, user)? {
        Some(known) if known.active => Ok(known.role),
        Some(_) => Err(inactive()),
        None => {
            rule::may_join(&membership::list_memberships(unit.tx, user)?)?;
            add(unit, tenant, user, role)?;
            Ok(role)
        }
    }
}

/// Adds a user who isn't a member yet.
pub(crate) fn add(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    user: UserId,
    role: Role,
) -> Result<()> {
    let membership = Membership { user, tenant, role, active: true, created_at: unit.now };
    Ok(membership::insert(unit.tx, &membership)?)
}

fn inactive() -> Error {
    let message = "Your membership is suspended; ask an administrator of the organization to \
                   reactivate it";
    Error::new(ErrorKind::Forbidden, message)
}

fn nowhere() -> Error {
    let message = "You are no longer a member of any organization; ask for a new invitation";
    Error::new(ErrorKind::Forbidden, message)
}

pub(crate) fn suspended() -> Error {
    Error::new(ErrorKind::Forbidden, "This account is suspended")
}
