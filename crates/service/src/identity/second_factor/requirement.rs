//! Organizations that require their members to have a second factor.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::{Right, may};
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::second_factor;
pub use grantor_storage::second_factor::MemberFactors;
use grantor_storage::tenant::{self, Tenant};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// Whether an organization requires a second factor, and who has one.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Whether one is required.
    pub required: bool,
    /// The number of active members without one.
    pub without: u64,
    /// A page of the members, in the order in which they joined.
    pub members: Listing<MemberFactors>,
}

/// Returns the requirement of the caller's organization.
pub async fn show(app: &App, caller: &Caller, page: Page) -> Result<Requirement> {
    may_manage(caller)?;
    let tenant = caller.tenant;
    app.store
        .read(move |tx| {
            Ok(Requirement {
                required: second_factor::is_required(tx, tenant)?,
                without: second_factor::count_without(tx, tenant)?,
                members: second_factor::members(tx, tenant, page)?,
            })
        })
        .await
}

/// Sets whether the caller's organization requires a second factor. Members without one set it up
/// when they sign in the next time.
pub async fn set(app: &App, context: &Context, caller: Arc<Caller>, required: bool) -> Result<()> {
    app.act(context, SetRequired { caller, required }).await
}

/// Individuals decide for themselves alone.
fn may_manage(caller: &Caller) -> Result<()> {
    may(caller.role, caller.tenant_type, Right::ManageOrganization)?;
    if caller.tenant_type.is_organization() {
        return Ok(());
    }
    let message = "Only organizations can require a second factor";
    Err(Error::new(ErrorKind::Forbidden, message))
}

struct SetRequired {
    caller: Arc<Caller>,
    required: bool,
}

impl Act for SetRequired {
    type Permit = Tenant;
    type Output = ();
    const ACTION: &'static str = "organization.require_second_factor";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Tenant> {
        may_manage(&self.caller)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let found = tenant::find(unit.tx, self.caller.tenant)?;
        let tenant = found.ok_or_else(|| Error::not_found("Organization"))?;
        let own = second_factor::factors(unit.tx, self.caller.user)?;
        let by_provider = self.caller.method == Some(SignInMethod::SingleSignOn);
        if self.required && !own.any() && !by_provider {
            return Err(Error::conflict("Set up your own second factor first"));
        }
        Ok(tenant)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, tenant: Tenant) -> Result<Done<()>> {
        second_factor::set_required(unit.tx, tenant.id, self.required, unit.now)?;
        let (id, name) = (Some(tenant.id.to_string()), Some(tenant.name));
        let resource = Resource { kind: "organization", id, name };
        let message = if self.required {
            "A second factor is now required"
        } else {
            "A second factor is no longer required"
        };
        let mut done = Done::new((), resource, message);
        done.details = json!({ "required": self.required });
        Ok(done)
    }
}
