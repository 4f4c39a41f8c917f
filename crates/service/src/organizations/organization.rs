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
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::registration::{name_taken, taken};
use crate::licensing::license;
use crate::log::change::FieldChanges;
use crate::operations::chore;
use crate::undo::{Reverse, changed_since};
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
        let before = (tenant.clone(), information.clone());
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
        let information = self.change.over(information);
        let mut done = save(unit, (tenant, information), &before)?;
        if let Value::Object(details) = &mut done.details {
            details.insert("changedFields".to_owned(), json!(self.change.names()));
        }
        let (before, after) = (Profile::of(&before), Profile::of(&done.output));
        if before == after {
            return Ok(done);
        }
        let reverse = Reverse::Organization(Box::new(OrganizationReverse { before, after }));
        Ok(done.undone_by(reverse))
    }
}

/// Stores the changed profile of a tenant.
fn save(
    unit: &mut UnitOfWork<'_, '_>,
    (tenant, information): (Tenant, Information),
    (former, old): &(Tenant, Information),
) -> Result<Done<(Tenant, Information)>> {
    let updated = tenant::update(unit.tx, &tenant, &former.name, unit.now);
    updated.map_err(|it| taken(it).at("name"))?;
    if tenant.name != former.name {
        update_licenses(unit, tenant.id)?;
    }
    tenant::put_information(unit.tx, tenant.id, &information, unit.now)?;
    let changes = FieldChanges::default()
        .field("name", former.name.as_str(), tenant.name.as_str())
        .field("description", former.description.clone(), tenant.description.clone());
    let members = old.differences(&information).into_iter();
    let changes = members.fold(changes, |changes, (name, old, new)| changes.field(name, old, new));
    let (id, name) = (Some(tenant.id.to_string()), Some(tenant.name.clone()));
    let resource = Resource { kind: "organization", id, name };
    let message = "An organization's information was updated";
    Ok(Done::new((tenant, information), resource, message).with_changes(changes))
}

/// What people set of a tenant.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Profile {
    name: String,
    name_key: String,
    description: Option<String>,
    information: Information,
}

impl Profile {
    fn of((tenant, information): &(Tenant, Information)) -> Self {
        Self {
            name: tenant.name.clone(),
            name_key: tenant.name_key.clone(),
            description: tenant.description.clone(),
            information: information.clone(),
        }
    }
}

/// What takes back a change of a tenant's profile, if nobody changed it since.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct OrganizationReverse {
    before: Profile,
    after: Profile,
}

impl OrganizationReverse {
    /// Takes the change back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        let act = Change { caller: Arc::clone(caller), change: InformationChange::default() };
        let now = act.authorize(unit)?;
        if Profile::of(&now) != self.after {
            return Err(changed_since());
        }
        let Profile { name, name_key, description, information } = self.before;
        let tenant = Tenant { name, name_key, description, ..now.0.clone() };
        let done = save(unit, (tenant, information), &now)?;
        Ok(done.told("A change of an organization's information was undone"))
    }
}
