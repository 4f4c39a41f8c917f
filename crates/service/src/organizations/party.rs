//! Finding the other party of an agreement by name (contract-2 section 27, "Being found"). There is
//! no way to list who is registered.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::limit::LimitName;
use grantor_domain::party::PartySearch;
use grantor_domain::role::{Right, may};
use grantor_domain::{Error, Result};
use grantor_storage::party;
pub use grantor_storage::party::FoundParty;
use grantor_storage::tenant::{self, Tenant};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::{Caller, TenantCaller};
use crate::log::change::FieldChanges;
use crate::operations::limit::Subject;
use crate::undo::Reverse;
use crate::{App, Context};

/// Whether an organization can be found by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findability {
    /// Whether the organization wants to be found.
    pub wanted: bool,
    /// The verified domain without which it is not found, and which is shown with its name.
    pub domain: Option<String>,
}

/// Returns up to 10 parties whose name, or a word in it, begins with the search: those that the
/// caller's tenant shares a request, grant or permission with, and organizations that everyone can
/// find.
pub async fn search(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    search: PartySearch,
) -> Result<Vec<FoundParty>> {
    let subject = Subject::id(caller.user.as_uuid());
    context.rate_limit.record(app.limiter.hit(LimitName::Parties, &subject).await?);
    app.store
        .read(move |tx| Ok(party::find(tx, caller.tenant, caller.user.as_uuid(), &search)?))
        .await
}

/// Splits the names of parties that became known while they were being changed, so that a search
/// finds them by an index. Returns the number of parties.
pub async fn split_names(app: &App) -> Result<u64> {
    let mut done = 0;
    loop {
        let some: Result<u64> = app.store.write(|tx| Ok(party::split_names(tx)?)).await;
        match some? {
            0 => return Ok(done),
            some => done += some,
        }
    }
}

/// Returns whether the caller's organization can be found by name.
pub async fn findability(app: &App, caller: &Caller) -> Result<Findability> {
    let tenant = caller.tenant;
    app.store
        .read(move |tx| {
            let (wanted, domain) = party::findable(tx, tenant)?;
            Ok(Findability { wanted, domain })
        })
        .await
}

/// Sets whether the caller's organization can be found by name.
pub async fn set_findable(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    findable: bool,
) -> Result<()> {
    app.act(context, SetFindable { caller, findable }).await
}

pub(crate) struct SetFindable {
    pub(crate) caller: Arc<Caller>,
    pub(crate) findable: bool,
}

impl Act for SetFindable {
    type Permit = Tenant;
    type Output = ();
    const ACTION: &'static str = "organization.set_findable";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Tenant> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageOrganization)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let found = tenant::find(unit.tx, self.caller.tenant)?;
        let tenant = found.ok_or_else(|| Error::not_found("Organization"))?;
        if !tenant.kind.is_organization() {
            return Err(Error::conflict("Only organizations can be found by name"));
        }
        Ok(tenant)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, tenant: Tenant) -> Result<Done<()>> {
        let (before, _) = party::findable(unit.tx, tenant.id)?;
        party::set_findable(unit.tx, tenant.id, self.findable)?;
        let (id, name) = (Some(tenant.id.to_string()), Some(tenant.name));
        let resource = Resource { kind: "organization", id, name };
        let message = if self.findable {
            "An organization was made findable by name"
        } else {
            "An organization is no longer findable by name"
        };
        let mut done = Done::new((), resource, message);
        done.details = json!({ "findable": self.findable });
        let changes = FieldChanges::default().field("findable", before, self.findable);
        let done = done.with_changes(changes);
        if before == self.findable {
            return Ok(done);
        }
        Ok(done.undone_by(Reverse::Findable(before)))
    }
}
