//! The profile of a tenant.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::information::{Information, InformationChange};
use grantor_domain::patch::Patch;
use grantor_domain::role::{Right, may};
use grantor_domain::{Error, Result};
use grantor_storage::Tx;
use grantor_storage::tenant::{self, Tenant};
use serde_json::json;
use uuid::Uuid;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::registration::{name_taken, taken};
use crate::licensing::license;
use crate::operations::chore;
use crate::{App, Context};

/// Returns the caller's tenant and its profile.
pub async fn show(app: &App, caller: &Caller) -> Result<(Tenant, Information)> {
    let id = caller.tenant;
    app.store.read(move |tx| Ok((get(tx, id)?, tenant::information(tx, id)?))).await
}

/// Changes the profile of the caller's tenant.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    change: InformationChange,
) -> Result<(Tenant, Information)> {
    app.act(context, Change { caller, change }).await
}

fn get(tx: &mut Tx<'_>, id: TenantId) -> Result<Tenant> {
    tenant::find(tx, id)?.ok_or_else(|| Error::not_found("Organization"))
}

/// Updates the licenses of a renamed tenant, which show its name.
pub(crate) fn update_licenses(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId) -> Result<()> {
    let first = LicenseId::from(Uuid::nil());
    let part = license::update_for_tenant(unit, tenant, first)?;
    chore::enqueue(unit, part.rest)
}

struct Change {
    caller: Arc<Caller>,
    change: InformationChange,
}

impl Act for Change {
    type Permit = (Tenant, Information);
    type Output = (Tenant, Information);
    const ACTION: &'static str = "organization.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageOrganization)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let tenant = get(unit.tx, self.caller.tenant)?;
        Ok((tenant, tenant::information(unit.tx, self.caller.tenant)?))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let (mut tenant, information) = permit;
        let former = tenant.name.clone();
        if let Some(name) = &self.change.name {
            // The unique index covers organizations only; an individual must not look like one.
            let individual = !tenant.kind.is_organization();
            if individual && tenant::organization_exists(unit.tx, &name.key())? {
                return Err(name_taken().at("name"));
            }
            (tenant.name, tenant.name_key) = (name.as_str().to_owned(), name.key());
        }
        if self.change.description.is_given() {
            let text = match &self.change.description {
                Patch::Set(it) => it.as_str(),
                Patch::Keep | Patch::Clear => "",
            };
            tenant.description = Some(text.to_owned()).filter(|it| !it.is_empty());
        }
        let updated = tenant::update(unit.tx, &tenant, &former, unit.now);
        updated.map_err(|it| taken(it).at("name"))?;
        if tenant.name != former {
            update_licenses(unit, tenant.id)?;
        }
        let information = self.change.over(information);
        tenant::put_information(unit.tx, tenant.id, &information, unit.now)?;
        let (id, name) = (Some(tenant.id.to_string()), Some(tenant.name.clone()));
        let resource = Resource { kind: "organization", id, name };
        let message = "An organization's information was updated";
        let mut done = Done::new((tenant, information), resource, message);
        done.details = json!({ "changedFields": self.change.names() });
        Ok(done)
    }
}
