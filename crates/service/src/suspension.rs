//! Stopping people and tenants. What they hold stops with them: at once here, within a second on
//! other nodes.

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::staff::{ListedTenant, tenant as listed};
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::user::{self, User};
use grantor_storage::{membership, session};
use serde_json::json;

use crate::act::{Act, Desk, Done};
use crate::{App, Context, billing};

/// What staff changes of a tenant; what is not given stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TenantChanges {
    /// Whether it may act. Its people and API clients cannot while it is suspended.
    pub status: Option<OrganizationStatus>,
    /// What it is entitled to.
    pub plan: Option<Plan>,
}

/// Suspends a tenant or lets it act again, and puts it on another plan.
pub async fn change_tenant(
    app: &App,
    context: &Context,
    id: TenantId,
    changes: TenantChanges,
) -> Result<ListedTenant> {
    app.act(context, ChangeTenant { id, changes }).await
}

/// Suspends a tenant, or lets it act again.
pub async fn set_tenant_status(
    app: &App,
    context: &Context,
    id: TenantId,
    status: OrganizationStatus,
) -> Result<()> {
    let changes = TenantChanges { status: Some(status), plan: None };
    change_tenant(app, context, id, changes).await.map(|_| ())
}

/// Disables an account wherever it is a member, or enables it again. Its sessions end for good; the API clients it made
/// rest while it is disabled.
pub async fn set_user_active(app: &App, context: &Context, id: UserId, active: bool) -> Result<()> {
    app.act(context, SetUserActive { id, active }).await
}

/// Staff and the operator may stop anybody, and move what is the operator's; the surfaces ask for the role before.
pub(crate) fn staff(desk: &Desk<'_, '_>) -> Result<()> {
    match desk.actor {
        Actor::Admin { .. } | Actor::Operator => Ok(()),
        _ => Err(Error::new(ErrorKind::InsufficientPermissions, "Only staff may do this")),
    }
}

struct ChangeTenant {
    id: TenantId,
    changes: TenantChanges,
}

impl Act for ChangeTenant {
    type Grant = Tenant;
    type Output = ListedTenant;
    const ACTION: &'static str = "organization.change";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Tenant> {
        staff(desk)?;
        tenant::find(desk.tx, self.id)?.ok_or_else(|| Error::not_found("Organization"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, tenant: Tenant) -> Result<Done<ListedTenant>> {
        let TenantChanges { status, plan } = self.changes;
        if let Some(status) = status {
            tenant::set_status(desk.tx, tenant.id, status, desk.now)?;
        }
        if let Some(plan) = plan {
            billing::set_plan(desk, tenant.id, plan)?;
        }
        let changed = listed(desk.tx, tenant.id)?;
        let changed = changed.ok_or_else(|| Error::not_found("Organization"))?;
        let resource = Resource {
            kind: "organization",
            id: Some(tenant.id.to_string()),
            name: Some(tenant.name),
        };
        let message = match (status, plan) {
            (Some(status), _) => format!("An organization is {status} now"),
            (None, Some(plan)) => format!("An organization is on the plan {plan} now"),
            (None, None) => "Nothing of an organization was changed".to_owned(),
        };
        let mut done = Done::new(changed, resource, message);
        done.details = json!({ "status": status, "plan": plan });
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
        membership::set_active_everywhere(desk.tx, user.id, self.active, desk.now)?;
        if !self.active {
            session::revoke_all(desk.tx, user.id.as_uuid(), desk.now)?;
        }
        let resource =
            Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname) };
        let word = if self.active { "enabled" } else { "disabled" };
        let mut done = Done::new((), resource, format!("An account was {word}"));
        done.tenant = Some(user.last_tenant);
        Ok(done)
    }
}
