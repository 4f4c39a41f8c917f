//! Permissions on a license, granted and revoked by its owner. The list of readers is updated in
//! the same unit of work, so both take effect immediately.
//!
//! Granting a permission to an email address doesn't reveal whether an account has it (contract-2
//! section 27): in both cases the same rows are written, a mail is sent, and the owner sees the
//! address as pending until it is accepted (`share.rs`). An existing account has the permission
//! immediately, a new one as soon as it is created.

mod restore;
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
pub use grantor_storage::permission::HeldPermission;
use grantor_storage::permission::{self, ALREADY_GRANTED, pending_grantee};
use grantor_storage::{grant, invitation, talent, tenant, user};
use serde_json::{Value, json};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::mail::throttle;
use crate::notices;
use crate::organizations::rights;
use crate::undo::Reverse;
use crate::webhooks::event;
use crate::{App, Context};

pub(crate) use self::restore::PermissionReverse;

/// Grants a permission on one of the tenant's licenses.
pub async fn grant(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    grantee: GranteeName,
    role: PermissionRole,
) -> Result<HeldPermission> {
    let to = match &grantee {
        GranteeName::User(email) => Some(email.clone()),
        GranteeName::Organization(_) => None,
    };
    let act = app.act(context, GrantPermission { caller, license, grantee, role, accepted: false });
    match to {
        Some(to) => throttle::inviting(app, context, &to, act).await,
        None => act.await,
    }
}

/// Grants a permission as already accepted, without sending a mail.
pub async fn grant_accepted(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    grantee: GranteeName,
    role: PermissionRole,
) -> Result<HeldPermission> {
    app.act(context, GrantPermission { caller, license, grantee, role, accepted: true }).await
}

/// Returns the permissions on one of the tenant's licenses, if the caller may manage it.
pub async fn list(
    app: &App,
    caller: &Caller,
    license: LicenseId,
    page: Page,
) -> Result<Listing<HeldPermission>> {
    let (own, actor) = (caller.tenant, caller.actor());
    app.store
        .read(move |tx| {
            let found = owned(license::find(tx, license)?, own)?;
            let team = talent::team_of(tx, found.talent)?;
            rights::require_for_team_as(tx, &actor, Right::ManageLicenses, team)?;
            Ok(permission::list(tx, license, page)?)
        })
        .await
}

/// Revokes a permission.
pub async fn revoke(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    id: PermissionId,
) -> Result<()> {
    app.act(context, Revoke { caller, license, id }).await
}

/// Returns the license if it belongs to this tenant.
pub(crate) fn owned(found: Option<license::LicenseRecord>, own: TenantId) -> Result<License> {
    let found = found.map(|it| it.license).filter(|it| it.tenant == own);
    found.ok_or_else(|| Error::not_found("License"))
}

/// Locks a license of the caller's tenant, if the caller may manage it.
pub(crate) fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    id: LicenseId,
) -> Result<License> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let license = owned(license::claim(unit.tx, id)?, caller.tenant)?;
    rights::require_for_license(unit, Right::ManageLicenses, &license)?;
    Ok(license)
}

/// Creates the permission for the named grantee. An unknown organization is refused; an address
/// never is, so that nothing about its account is revealed.
fn new_permission(
    unit: &mut UnitOfWork<'_, '_>,
    grant: &GrantPermission,
    license: LicenseId,
) -> Result<HeldPermission> {
    let id = unit.ids.next();
    let (grantee, grantee_name, email_key) = match &grant.grantee {
        GranteeName::User(email) => {
            let key = email.key();
            let known = user::find_by_email(unit.tx, &key)?;
            let grantee = known.map_or_else(|| pending_grantee(id), |user| Grantee::User(user.id));
            (grantee, email.as_str().to_owned(), Some(key))
        }
        GranteeName::Organization(id) => {
            let tenant = tenant::find(unit.tx, *id)?.filter(|it| it.kind.is_organization());
            let not_found = || Error::not_found("Grantee").at(grant.grantee.member());
            let tenant = tenant.ok_or_else(not_found)?;
            (Grantee::Organization(tenant.id), tenant.name, None)
        }
    };
    Ok(HeldPermission {
        id,
        license,
        grantee,
        role: grant.role,
        granted_by: grant.caller.user.as_uuid(),
        created_at: unit.now,
        grantee_name,
        accepted: email_key.is_none() || grant.accepted,
        by_grant: false,
        email_key,
    })
}

/// Creates an event about a permission on a license.
fn permission_event(
    unit: &mut UnitOfWork<'_, '_>,
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
        recipients: permission::tenants(unit.tx, license)?,
        receiver: None,
    })
}

fn resource(held: &HeldPermission) -> Resource {
    let name = Some(held.grantee_name.clone());
    Resource { kind: "permission", id: Some(held.id.to_string()), name }
}

struct GrantPermission {
    caller: Arc<Caller>,
    license: LicenseId,
    grantee: GranteeName,
    role: PermissionRole,
    accepted: bool,
}

impl Act for GrantPermission {
    type Permit = (License, HeldPermission);
    type Output = HeldPermission;
    const ACTION: &'static str = "permission.grant";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let license = claim(unit, &self.caller, self.license)?;
        let held = new_permission(unit, self, license.id)?;
        if held.grantee == Grantee::Organization(license.tenant) {
            return Err(
                Error::conflict("The owner already has all permissions").at(self.grantee.member())
            );
        }
        Ok((license, held))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<HeldPermission>> {
        let (license, held) = permit;
        permission::insert(unit.tx, &held).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if ALREADY_GRANTED.contains(&&*name) => {
                Error::new(
                    ErrorKind::Exists,
                    "The grantee already has a permission on this license; revoke it first",
                )
                .at(self.grantee.member())
            }
            other => other.into(),
        })?;
        let holders = permission::holders(unit.tx, &license)?;
        reader::set(unit.tx, &license, &holders)?;
        let shown = license::find(unit.tx, license.id)?;
        let shown = shown.ok_or_else(|| Error::not_found("License"))?;
        let data = json!({
            "license_id": license.id,
            "license": event::license(&shown, unit.now),
            "permission": event::permission(&held),
        });
        let event = permission_event(unit, EventType::PermissionGranted, &license, data)?;
        if let GranteeName::User(email) = &self.grantee
            && !self.accepted
        {
            share::invite(unit, &self.caller, &license, &held, email)?;
        }
        if let Grantee::Organization(tenant) = held.grantee {
            notices::license_shared(unit, &shown, tenant, held.role)?;
        }
        let (resource, id) = (resource(&held), held.id);
        let reverse = PermissionReverse::Granted { license: license.id, id };
        let mut done = Done::new(held, resource, "A permission was granted");
        done.details = json!({ "license": license.title.as_str(), "role": self.role });
        let done = done.undone_by(Reverse::Permission(reverse));
        Ok(done.for_license(license.id).with_event(event))
    }
}

struct Revoke {
    caller: Arc<Caller>,
    license: LicenseId,
    id: PermissionId,
}

impl Revoke {
    /// The error of a permission that cannot be revoked: it does not exist, or a grant gives it.
    fn missing(&self, unit: &mut UnitOfWork<'_, '_>, license: &License) -> Result<Error> {
        let grant = grant::find(unit.tx, self.id.as_uuid().into())?;
        let given = grant.filter(|it| it.grant.license == license.id);
        Ok(given.map_or_else(
            || Error::not_found("Permission"),
            |it| {
                let number = it.grant.number;
                Error::conflict(format!("Grant {number} gives this permission; revoke the grant"))
            },
        ))
    }
}

impl Act for Revoke {
    type Permit = License;
    type Output = ();
    const ACTION: &'static str = "permission.revoke";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        claim(unit, &self.caller, self.license)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, license: License) -> Result<Done<()>> {
        let before = permission::tenants(unit.tx, &license)?;
        let held = permission::delete(unit.tx, license.id, self.id, unit.now)?;
        let Some(held) = held else { return Err(self.missing(unit, &license)?) };
        let target = held.id.as_uuid();
        let invitations = if unit.undoable {
            invitation::list_of(unit.tx, share::INVITATION, target)?
        } else {
            vec![]
        };
        invitation::delete_of(unit.tx, share::INVITATION, target)?;
        let holders = permission::holders(unit.tx, &license)?;
        reader::set(unit.tx, &license, &holders)?;
        let data = json!({ "license_id": license.id, "permission": event::revoked(&held) });
        let mut event = permission_event(unit, EventType::PermissionRevoked, &license, data)?;
        // The former grantee gets this event too.
        event.recipients = before;
        let mut done = Done::new((), resource(&held), "A permission was revoked");
        done.details = json!({ "license": license.title.as_str(), "role": held.role });
        let reverse = PermissionReverse::Revoked { held: Box::new(held), invitations };
        let done = done.undone_by(Reverse::Permission(reverse));
        Ok(done.for_license(license.id).with_event(event))
    }
}
