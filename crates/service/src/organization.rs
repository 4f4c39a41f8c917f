//! What a tenant tells of itself, and who may change it.

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

use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::registration::{name_taken, taken};
use crate::{App, Context, chore, license};

/// The caller's tenant, with what it tells of itself.
pub async fn show(app: &App, caller: &Caller) -> Result<(Tenant, Information)> {
    let id = caller.tenant;
    app.store.read(move |tx| Ok((get(tx, id)?, tenant::information(tx, id)?))).await
}

/// Changes the caller's tenant.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    asked: InformationChange,
) -> Result<(Tenant, Information)> {
    app.act(context, Change { caller, asked }).await
}

fn get(tx: &mut Tx<'_>, id: grantor_domain::id::TenantId) -> Result<Tenant> {
    tenant::find(tx, id)?.ok_or_else(|| Error::not_found("Organization"))
}

/// Licenses show whose they are.
pub(crate) fn show_name_anew(desk: &mut Desk<'_, '_>, tenant: TenantId) -> Result<()> {
    let first = LicenseId::from(Uuid::nil());
    let part = license::show_tenant_anew(desk, tenant, first)?;
    chore::leave(desk, part.rest)
}

struct Change {
    caller: Arc<Caller>,
    asked: InformationChange,
}

impl Act for Change {
    type Grant = (Tenant, Information);
    type Output = (Tenant, Information);
    const ACTION: &'static str = "organization.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageOrganization)?;
        tenant::claim(desk.tx, self.caller.tenant)?;
        let tenant = get(desk.tx, self.caller.tenant)?;
        Ok((tenant, tenant::information(desk.tx, self.caller.tenant)?))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Self::Output>> {
        let (mut tenant, information) = grant;
        let former = tenant.name.clone();
        if let Some(name) = &self.asked.name {
            // The index holds organizations apart; a person must not look like one either.
            let person = !tenant.kind.is_organization();
            if person && tenant::organization_exists(desk.tx, &name.key())? {
                return Err(name_taken().at("name"));
            }
            (tenant.name, tenant.name_key) = (name.as_str().to_owned(), name.key());
        }
        if self.asked.description.is_given() {
            let text = match &self.asked.description {
                Patch::Set(it) => it.as_str(),
                Patch::Keep | Patch::Clear => "",
            };
            tenant.description = Some(text.to_owned()).filter(|it| !it.is_empty());
        }
        tenant::update(desk.tx, &tenant, desk.now).map_err(|it| taken(it).at("name"))?;
        if tenant.name != former {
            show_name_anew(desk, tenant.id)?;
        }
        let information = self.asked.over(information);
        tenant::put_information(desk.tx, tenant.id, &information, desk.now)?;
        let (id, name) = (Some(tenant.id.to_string()), Some(tenant.name.clone()));
        let resource = Resource { kind: "organization", id, name };
        let message = "An organization's information was changed";
        let mut done = Done::new((tenant, information), resource, message);
        done.details = json!({ "changedFields": self.asked.names() });
        Ok(done)
    }
}
