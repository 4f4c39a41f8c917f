//! Suspending users and tenants. Their tokens stop working immediately on this node, and within a
//! second on other nodes.

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

use crate::act::{Act, Done, UnitOfWork};
use crate::log::change::FieldChanges;
use crate::undo::Reverse;
use crate::{App, Context, billing};

/// The changes to a tenant by staff. Fields that aren't set stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TenantChanges {
    /// The new status. Members and API clients of a suspended tenant can't act.
    pub status: Option<OrganizationStatus>,
    /// The new plan.
    pub plan: Option<Plan>,
}

/// Changes the status or plan of a tenant.
pub async fn change_tenant(
    app: &App,
    context: &Context,
    id: TenantId,
    changes: TenantChanges,
) -> Result<ListedTenant> {
    app.act(context, ChangeTenant { id, changes }).await
}

/// Suspends or reactivates a tenant.
pub async fn set_tenant_status(
    app: &App,
    context: &Context,
    id: TenantId,
    status: OrganizationStatus,
) -> Result<()> {
    let changes = TenantChanges { status: Some(status), plan: None };
    change_tenant(app, context, id, changes).await.map(|_| ())
}

/// Disables or enables an account in all its tenants. Disabling ends its sessions; its API clients
/// stop working until it is enabled again.
pub async fn set_user_active(app: &App, context: &Context, id: UserId, active: bool) -> Result<()> {
    app.act(context, SetUserActive { id, active }).await
}

/// Refuses actors other than staff and the operator. The staff role is checked by the API.
pub(crate) fn require_staff(unit: &UnitOfWork<'_, '_>) -> Result<()> {
    match unit.actor {
        Actor::Admin { .. } | Actor::Operator => Ok(()),
        _ => Err(Error::new(ErrorKind::InsufficientPermissions, "Only staff can do this")),
    }
}

pub(crate) struct ChangeTenant {
    pub(crate) id: TenantId,
    pub(crate) changes: TenantChanges,
}

impl Act for ChangeTenant {
    type Permit = Tenant;
    type Output = ListedTenant;
    const ACTION: &'static str = "organization.change";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Tenant> {
        require_staff(unit)?;
        tenant::find(unit.tx, self.id)?.ok_or_else(|| Error::not_found("Organization"))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tenant: Tenant,
    ) -> Result<Done<ListedTenant>> {
        let TenantChanges { status, plan } = self.changes;
        let (before, old_plan) = (tenant.status, tenant.plan);
        if let Some(status) = status {
            tenant::set_status(unit.tx, tenant.id, status, unit.now)?;
        }
        if let Some(plan) = plan {
            billing::set_plan(unit, tenant.id, plan)?;
        }
        let changed = listed(unit.tx, tenant.id)?;
        let changed = changed.ok_or_else(|| Error::not_found("Organization"))?;
        let resource = Resource {
            kind: "organization",
            id: Some(tenant.id.to_string()),
            name: Some(tenant.name),
        };
        let message = match (status, plan) {
            (Some(status), _) => format!("An organization's status was set to {status}"),
            (None, Some(plan)) => format!("An organization's plan was set to {plan}"),
            (None, None) => "An organization was saved without changes".to_owned(),
        };
        let mut done = Done::new(changed, resource, message);
        done.details = json!({ "status": status, "plan": plan });
        done.tenant = Some(tenant.id);
        let new_plan = plan.unwrap_or(old_plan);
        let after = status.unwrap_or(before);
        let changes = FieldChanges::default()
            .field("status", before.to_string(), after.to_string())
            .field("plan", old_plan.to_string(), new_plan.to_string());
        let done = done.with_changes(changes);
        // A plan is not taken back: it may have been billed.
        if plan.is_some() || before == after {
            return Ok(done);
        }
        Ok(done.undone_by(Reverse::TenantStatus { id: self.id, before, after }))
    }
}

struct SetUserActive {
    id: UserId,
    active: bool,
}

impl Act for SetUserActive {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "user.set_status";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        require_staff(unit)?;
        user::find(unit.tx, self.id)?.ok_or_else(|| Error::not_found("User"))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<()>> {
        membership::set_active_everywhere(unit.tx, user.id, self.active, unit.now)?;
        if !self.active {
            session::revoke_all(unit.tx, user.id.as_uuid(), unit.now)?;
        }
        let resource =
            Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname) };
        let word = if self.active { "enabled" } else { "disabled" };
        let mut done = Done::new((), resource, format!("An account was {word}"));
        done.tenant = Some(user.last_tenant);
        Ok(done)
    }
}
