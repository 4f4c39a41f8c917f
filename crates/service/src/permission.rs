//! Rights on a license, given and taken by its owner. Both act at once: who sees what is written in
//! the same unit of work.
//!
//! A right given to an address never tells whether an account has it (contract-2 section 27): known
//! or not, the same rows are written, a mail goes out, and the owner sees the address as pending
//! until it is accepted (`share.rs`). For an account that is there the right holds at once, for
//! others as soon as there is one.

pub(crate) mod share;

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
use grantor_storage::permission::{self, HELD_ALREADY, waiting};
use grantor_storage::{invitation, talent, tenant, user};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::mail::bound;
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
    let to = match &grantee {
        GranteeName::User(email) => Some(email.clone()),
        GranteeName::Organization(_) => None,
    };
    let act = app.act(context, Grant { caller, license, grantee, role, accepted: false });
    match to {
        Some(to) => bound::inviting(app, context, &to, act).await,
        None => act.await,
    }
}

/// The same for somebody who has accepted it already: no mail goes out.
pub(crate) async fn grant_accepted(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    grantee: GranteeName,
    role: PermissionRole,
) -> Result<Held> {
    app.act(context, Grant { caller, license, grantee, role, accepted: true }).await
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

/// The right, for whom a name means. Nobody learns more of another organization than that there is
/// none such, and of an address nothing at all.
fn held_by(desk: &mut Desk<'_, '_>, grant: &Grant, license: LicenseId) -> Result<Held> {
    let id = desk.ids.next();
    let (grantee, grantee_name, email_key) = match &grant.grantee {
        GranteeName::User(email) => {
            let key = email.key();
            let known = user::find_by_email(desk.tx, &key)?;
            let grantee = known.map_or_else(|| waiting(id), |user| Grantee::User(user.id));
            (grantee, email.as_str().to_owned(), Some(key))
        }
        GranteeName::Organization(id) => {
            let tenant = tenant::find(desk.tx, *id)?.filter(|it| it.kind.is_organization());
            let unknown = || Error::not_found("Grantee").at(grant.grantee.member());
            let tenant = tenant.ok_or_else(unknown)?;
            (Grantee::Organization(tenant.id), tenant.name, None)
        }
    };
    Ok(Held {
        id,
        license,
        grantee,
        role: grant.role,
        granted_by: grant.caller.user.as_uuid(),
        created_at: desk.now,
        grantee_name,
        accepted: email_key.is_none() || grant.accepted,
        email_key,
    })
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
    accepted: bool,
}

impl Act for Grant {
    type Grant = (License, Held);
    type Output = Held;
    const ACTION: &'static str = "permission.grant";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let license = claim(desk, &self.caller, self.license)?;
        let held = held_by(desk, self, license.id)?;
        if held.grantee == Grantee::Organization(license.tenant) {
            return Err(
                Error::conflict("The owner holds every right already").at(self.grantee.member())
            );
        }
        Ok((license, held))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Held>> {
        let (license, held) = grant;
        permission::insert(desk.tx, &held).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if HELD_ALREADY.contains(&&*name) => Error::new(
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
        if let GranteeName::User(email) = &self.grantee
            && !self.accepted
        {
            share::invite(desk, &self.caller, &license, &held, email)?;
        }
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
        invitation::delete_of(desk.tx, share::INVITATION, held.id.as_uuid())?;
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
