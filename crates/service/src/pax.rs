//! PAX: access to one platform, granted and taken back.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::page::Listing;
use grantor_domain::pax::{Pax, PaxName, PaxScopes, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::{Error, Result};
pub use grantor_storage::pax::{ListedPax, PaxQuery};
use grantor_storage::{pax, platform};

use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::platform::{manageable, may_manage};
use crate::{App, Context};

/// A PAX as whoever makes it describes it.
#[derive(Clone, Debug)]
pub struct NewPax {
    /// To what it gives access.
    pub platform: PlatformId,
    /// What it shall be called.
    pub name: PaxName,
    /// What it is good for.
    pub scopes: PaxScopes,
}

/// Makes a PAX.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewPax,
) -> Result<ListedPax> {
    app.act(context, Create { caller, new }).await
}

/// The organization's PAX that fit, newest first, also those that were revoked.
pub async fn list(app: &App, caller: &Caller, query: PaxQuery) -> Result<Listing<ListedPax>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(pax::list(tx, tenant, query)?)).await
}

/// One of the organization's PAX.
pub async fn get(app: &App, caller: &Caller, id: PaxId) -> Result<ListedPax> {
    let tenant = caller.tenant;
    app.store.glance(move |tx| pax::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// Ends a PAX for good. One that is revoked already stays so.
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
    type Grant = Platform;
    type Output = ListedPax;
    const ACTION: &'static str = "pax.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Platform> {
        // Held, so that a platform that is being deleted leaves none behind.
        let found = platform::claim(desk.tx, self.caller.tenant, self.new.platform)?;
        manageable(desk.tx, &self.caller, found)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, platform: Platform) -> Result<Done<ListedPax>> {
        let pax = Pax {
            id: desk.ids.next(),
            tenant: platform.tenant,
            platform: platform.id,
            name: self.new.name.clone(),
            scopes: self.new.scopes.clone(),
            status: PaxStatus::Active,
            request_count: 0,
            last_accessed_at: None,
            created_at: desk.now,
        };
        pax::insert(desk.tx, &pax)?;
        let resource = resource(&pax);
        let (platform_name, team) = (platform.name.as_str().to_owned(), platform.team);
        let listed = ListedPax { pax, platform_name, team };
        Ok(Done::new(listed, resource, "Access to a platform was granted"))
    }
}

struct Revoke {
    caller: Arc<Caller>,
    id: PaxId,
}

impl Act for Revoke {
    type Grant = ListedPax;
    type Output = ();
    const ACTION: &'static str = "pax.revoke";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<ListedPax> {
        let found = pax::find(desk.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)?;
        may_manage(desk.tx, &self.caller, found.team)?;
        Ok(found)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, listed: ListedPax) -> Result<Done<()>> {
        pax::revoke(desk.tx, listed.pax.id, desk.now)?;
        Ok(Done::new((), resource(&listed.pax), "Access to a platform was taken back"))
    }
}
