//! Stopping people and tenants. What they hold stops with them: at once here, within a second on
//! other nodes.

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session;
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::user::{self, User};

use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// Suspends a tenant, or lets it act again. Its people and API clients cannot act meanwhile.
pub async fn set_tenant_status(
    app: &App,
    context: &Context,
    id: TenantId,
    status: OrganizationStatus,
) -> Result<()> {
    app.act(context, SetTenantStatus { id, status }).await?;
    app.access.doubt_all();
    Ok(())
}

/// Disables an account, or enables it again. Its sessions end for good; the API clients it made
/// rest while it is disabled.
pub async fn set_user_active(app: &App, context: &Context, id: UserId, active: bool) -> Result<()> {
    app.act(context, SetUserActive { id, active }).await?;
    app.access.doubt_all();
    Ok(())
}

/// Staff and the operator may stop anybody, and move what is the operator's; the surfaces ask for the role before.
pub(crate) fn staff(desk: &Desk<'_, '_>) -> Result<()> {
    match desk.actor {
        Actor::Admin { .. } | Actor::Operator => Ok(()),
        _ => Err(Error::new(ErrorKind::InsufficientPermissions, "Only staff may do this")),
    }
}

struct SetTenantStatus {
    id: TenantId,
    status: OrganizationStatus,
}

impl Act for SetTenantStatus {
    type Grant = Tenant;
    type Output = ();
    const ACTION: &'static str = "organization.set_status";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Tenant> {
        staff(desk)?;
        tenant::find(desk.tx, self.id)?.ok_or_else(|| Error::not_found("Organization"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, tenant: Tenant) -> Result<Done<()>> {
        tenant::set_status(desk.tx, tenant.id, self.status, desk.now)?;
        let resource = Resource {
            kind: "organization",
            id: Some(tenant.id.to_string()),
            name: Some(tenant.name),
        };
        let message = format!("An organization is {} now", self.status);
        let mut done = Done::new((), resource, message);
        done.tenant = Some(tenant.id);
        Ok(done)
    }
}

struct SetUserActive {
    id: UserId,
    active: bool,
}

impl Act for SetUserActive {
    type Grant = User;
    type Output = ();
    const ACTION: &'static str = "user.set_status";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<User> {
        staff(desk)?;
        user::find(desk.tx, self.id)?.ok_or_else(|| Error::not_found("User"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, user: User) -> Result<Done<()>> {
        user::set_active(desk.tx, user.id, self.active, desk.now)?;
        if !self.active {
            session::revoke_all(desk.tx, user.id.as_uuid(), desk.now)?;
        }
        let resource =
            Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname) };
        let word = if self.active { "enabled" } else { "disabled" };
        let mut done = Done::new((), resource, format!("An account was {word}"));
        done.tenant = Some(user.tenant);
        Ok(done)
    }
}
