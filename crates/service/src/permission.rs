//! Rights on a license, given and taken by its owner. Both act at once: who sees what is written in
//! the same unit of work.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{LicenseId, PermissionId, TenantId};
use grantor_domain::license::License;
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::{Grantee, GranteeName, PermissionRole};
use grantor_domain::role::{Right, may};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::{self, reader};
pub use grantor_storage::permission::Held;
use grantor_storage::permission::{self, HELD_ALREADY};
use grantor_storage::{Tx, talent, tenant, user};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context, event, reach};

/// Gives somebody a right on one of the tenant's own licenses.
pub async fn grant(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    grantee: GranteeName,
    role: PermissionRole,
) -> Result<Held> {
    app.act(context, Grant { caller, license, grantee, role }).await
}

/// The rights on one of the tenant's own licenses, for who may manage it.
pub async fn list(
    app: &App,
    caller: &Caller,
    license: LicenseId,
    page: Page,
) -> Result<Listing<Held>> {
    let (own, actor) = (caller.tenant, caller.actor());
    app.store
        .read(move |tx| {
            let found = owned(license::find(tx, license)?, own)?;
            let team = talent::team_of(tx, found.talent)?;
            reach::within_as(tx, &actor, Right::ManageLicenses, team)?;
            Ok(permission::list(tx, license, page)?)
        })
        .await
}

/// Takes a right away.
pub async fn revoke(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    id: PermissionId,
) -> Result<()> {
    app.act(context, Revoke { caller, license, id }).await
}

/// The license that was found, if it is this tenant's own.
pub(crate) fn owned(found: Option<license::Shown>, own: TenantId) -> Result<License> {
    let found = found.map(|it| it.license).filter(|it| it.tenant == own);
    found.ok_or_else(|| Error::not_found("License"))
}

/// The license, held, if it is the caller's tenant's and the caller may manage it.
pub(crate) fn claim(desk: &mut Desk<'_, '_>, caller: &Caller, id: LicenseId) -> Result<License> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let license = owned(license::claim(desk.tx, id)?, caller.tenant)?;
    reach::within_license(desk, Right::ManageLicenses, &license)?;
    Ok(license)
}

/// Whom a name means. Nobody learns more of another organization than that there is none such.
fn find(tx: &mut Tx<'_>, name: &GranteeName) -> Result<(Grantee, String)> {
    let unknown = || Error::not_found("Grantee").at(name.member());
    match name {
        GranteeName::User(email) => {
            let user = user::find_by_email(tx, &email.key())?.ok_or_else(unknown)?;
            Ok((Grantee::User(user.id), user.email))
        }
        GranteeName::Organization(id) => {
            let tenant = tenant::find(tx, *id)?.filter(|it| it.kind.is_organization());
            let tenant = tenant.ok_or_else(unknown)?;
            Ok((Grantee::Organization(tenant.id), tenant.name))
        }
    }
}

/// An event about a right on a license.
fn told(
    desk: &mut Desk<'_, '_>,
    kind: EventType,
    license: &License,
    data: Value,
) -> Result<NewEvent> {
    Ok(NewEvent {
        kind,
        owner: license.tenant,
        license: Some(license.id),
        resource_version: license.version,
        data,
        recipients: permission::tenants(desk.tx, license)?,
        receiver: None,
    })
}

fn resource(held: &Held) -> Resource {
    let name = Some(held.grantee_name.clone());
    Resource { kind: "permission", id: Some(held.id.to_string()), name }
}

struct Grant {
    caller: Arc<Caller>,
    license: LicenseId,
    grantee: GranteeName,
    role: PermissionRole,
}

impl Act for Grant {
    type Grant = (License, Grantee, String);
    type Output = Held;
    const ACTION: &'static str = "permission.grant";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let license = claim(desk, &self.caller, self.license)?;
        let (grantee, name) = find(desk.tx, &self.grantee)?;
        if grantee == Grantee::Organization(license.tenant) {
            return Err(
                Error::conflict("The owner holds every right already").at(self.grantee.member())
            );
        }
        Ok((license, grantee, name))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Held>> {
        let (license, grantee, grantee_name) = grant;
        let held = Held {
            id: desk.ids.next(),
            license: license.id,
            grantee,
            role: self.role,
            granted_by: self.caller.user.as_uuid(),
            created_at: desk.now,
            grantee_name,
        };
        permission::insert(desk.tx, &held).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == HELD_ALREADY => Error::new(
                ErrorKind::Exists,
                "They hold a permission on this license already: take that away first",
            )
            .at(self.grantee.member()),
            other => other.into(),
        })?;
        let holders = permission::holders(desk.tx, &license)?;
        reader::set(desk.tx, &license, &holders)?;
        let shown = license::find(desk.tx, license.id)?;
        let shown = shown.ok_or_else(|| Error::not_found("License"))?;
        let data = json!({
            "license_id": license.id,
            "license": event::license(&shown, desk.now),
            "permission": event::permission(&held),
        });
        let told = told(desk, EventType::PermissionGranted, &license, data)?;
        let resource = resource(&held);
        let done = Done::new(held, resource, "A permission was granted");
        Ok(done.about(license.id).tell(told))
    }
}

struct Revoke {
    caller: Arc<Caller>,
    license: LicenseId,
    id: PermissionId,
}

impl Act for Revoke {
    type Grant = License;
    type Output = ();
    const ACTION: &'static str = "permission.revoke";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<License> {
        claim(desk, &self.caller, self.license)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, license: License) -> Result<Done<()>> {
        let before = permission::tenants(desk.tx, &license)?;
        let held = permission::delete(desk.tx, license.id, self.id)?;
        let held = held.ok_or_else(|| Error::not_found("Permission"))?;
        let holders = permission::holders(desk.tx, &license)?;
        reader::set(desk.tx, &license, &holders)?;
        let data = json!({ "license_id": license.id, "permission": event::revoked(&held) });
        let mut told = told(desk, EventType::PermissionRevoked, &license, data)?;
        // Whoever loses it hears of it once more.
        told.recipients = before;
        let done = Done::new((), resource(&held), "A permission was revoked");
        Ok(done.about(license.id).tell(told))
    }
}
