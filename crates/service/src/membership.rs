//! Where an account is a member, and where a session of it acts.

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::membership::Choice;
pub use grantor_domain::membership::Place;
use grantor_domain::role::Role;
use grantor_domain::{Error, ErrorKind, Result, membership as rule};
use grantor_storage::Tx;
use grantor_storage::membership::{self, Membership};
use grantor_storage::user::User;

use crate::App;
use crate::act::Desk;

/// Where a person can act now, oldest membership first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<Place>> {
    let mut places = app.store.read(move |tx| membership::list_places(tx, user)).await?;
    places.retain(|it: &Place| it.open);
    Ok(places)
}

/// Where a session of this account acts: where it asks to, else where the person last acted. Nothing
/// where the account is no member of the tenant that was asked for.
pub(crate) fn choose(
    tx: &mut Tx<'_>,
    user: &User,
    asked: Option<TenantId>,
) -> Result<Option<Place>> {
    let places = membership::list_places(tx, user.id)?;
    match rule::choose(&places, user.last_tenant, asked) {
        Choice::Here(place) => Ok(Some(place.clone())),
        Choice::Foreign => Ok(None),
        Choice::Closed => Err(suspended()),
        Choice::Inactive => Err(inactive()),
        Choice::Nowhere => Err(nowhere()),
    }
}

/// Makes an account a member of a tenant with this role, unless it is one: then it keeps the role it
/// has. Whoever was made inactive stays so until an admin says otherwise. The account is held.
pub(crate) fn join(
    desk: &mut Desk<'_, '_>,
    tenant: TenantId,
    user: UserId,
    role: Role,
) -> Result<Role> {
    match membership::find(desk.tx, tenant, user)? {
        Some(known) if known.active => Ok(known.role),
        Some(_) => Err(inactive()),
        None => {
            rule::may_join(&membership::list_places(desk.tx, user)?)?;
            add(desk, tenant, user, role)?;
            Ok(role)
        }
    }
}

/// Makes an account a member that is none yet.
pub(crate) fn add(
    desk: &mut Desk<'_, '_>,
    tenant: TenantId,
    user: UserId,
    role: Role,
) -> Result<()> {
    let membership = Membership { user, tenant, role, active: true, created_at: desk.now };
    Ok(membership::insert(desk.tx, &membership)?)
}

fn inactive() -> Error {
    let message = "Your membership is suspended: an administrator of the organization can end that";
    Error::new(ErrorKind::Forbidden, message)
}

fn nowhere() -> Error {
    let message = "You are not a member of any organization anymore: ask for a new invitation";
    Error::new(ErrorKind::Forbidden, message)
}

pub(crate) fn suspended() -> Error {
    Error::new(ErrorKind::Forbidden, "This account is suspended")
}
