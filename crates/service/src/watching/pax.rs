//! PAX (ingest keys): access to one platform.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::page::Listing;
use grantor_domain::pax::{Pax, PaxName, PaxScopes, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::{Error, Result};
pub use grantor_storage::pax::{ListedPax, PaxQuery};
use grantor_storage::{pax, platform};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::watching::platform::{manageable, may_manage};
use crate::{App, Context};

/// A PAX to create.
#[derive(Clone, Debug)]
pub struct NewPax {
    /// The platform that it gives access to.
    pub platform: PlatformId,
    /// Its name.
    pub name: PaxName,
    /// Its scopes.
    pub scopes: PaxScopes,
}

/// Creates a PAX.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewPax,
) -> Result<ListedPax> {
    app.act(context, Create { caller, new }).await
}

/// Lists the organization's PAX that match, newest first, including revoked ones.
pub async fn list(app: &App, caller: &Caller, query: PaxQuery) -> Result<Listing<ListedPax>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(pax::list(tx, tenant, query)?)).await
}

/// Returns one of the organization's PAX.
pub async fn get(app: &App, caller: &Caller, id: PaxId) -> Result<ListedPax> {
    let tenant = caller.tenant;
    app.store.lookup(move |tx| pax::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// Revokes a PAX permanently. Revoking it again has no effect.
pub async fn revoke(app: &App, context: &Context, caller: Arc<Caller>, id: PaxId) -> Result<()> {
    app.act(context, Revoke { caller, id }).await
}

fn not_found() -> Error {
    Error::not_found("PAX")
}

pub(crate) fn resource(pax: &Pax) -> Resource {
    let name = Some(pax.name.as_str().to_owned());
    Resource { kind: "pax", id: Some(pax.id.to_string()), name }
}

struct Create {
    caller: Arc<Caller>,
    new: NewPax,
}

impl Act for Create {
    type Permit = Platform;
    type Output = ListedPax;
    const ACTION: &'static str = "pax.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        // Locked, so that no PAX is added to a platform that is being deleted.
        let found = platform::claim(unit.tx, self.caller.tenant, self.new.platform)?;
        manageable(unit.tx, &self.caller, found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        platform: Platform,
    ) -> Result<Done<ListedPax>> {
        let pax = Pax {
            id: unit.ids.next(),
            tenant: platform.tenant,
            platform: platform.id,
            name: self.new.name.clone(),
            scopes: self.new.scopes.clone(),
            status: PaxStatus::Active,
            request_count: 0,
            last_accessed_at: None,
            created_at: unit.now,
        };
        pax::insert(unit.tx, &pax)?;
        let resource = resource(&pax);
        let (platform_name, team) = (platform.name.as_str().to_owned(), platform.team);
        let listed = ListedPax { pax, platform_name, team };
        Ok(Done::new(listed, resource, "An ingest key was created"))
    }
}

struct Revoke {
    caller: Arc<Caller>,
    id: PaxId,
}

impl Act for Revoke {
    type Permit = ListedPax;
    type Output = ();
    const ACTION: &'static str = "pax.revoke";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedPax> {
        let found = pax::find(unit.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)?;
        may_manage(unit.tx, &self.caller, found.team)?;
        Ok(found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, listed: ListedPax) -> Result<Done<()>> {
        pax::revoke(unit.tx, listed.pax.id, unit.now)?;
        Ok(Done::new((), resource(&listed.pax), "An ingest key was revoked"))
    }
}
