//! Sharing a license with an email address: the invitation, accepting it, and assigning pending
//! permissions to new accounts.

use grantor_domain::admin::INVITATION_LIFE;
use grantor_domain::email::Email;
use grantor_domain::event::EventType;
use grantor_domain::id::UserId;
use grantor_domain::license::License;
use grantor_domain::permission::Grantee;
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, Result};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::license::{self, reader};
use grantor_storage::permission::{self, HeldPermission};
use grantor_storage::{tenant, user};
use serde_json::json;

use super::permission_event;
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::invitation::{Accepted, invalid};
use crate::identity::registration::{self, AccountDetails};
use crate::mail::compose;
use crate::mail::phrase::{named, plain};
use crate::webhooks::event;

/// The kind of these invitations.
pub(crate) const INVITATION: &str = "share";

/// The maximum number of pending permissions that a new account gets. The others are assigned when
/// their mailed links are used.
const AT_ONCE: u32 = 100;

/// Mails the invitation, the same whether or not an account has the address.
pub(super) fn invite(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    license: &License,
    held: &HeldPermission,
    email: &Email,
) -> Result<()> {
    let token = Secret::generate(SecretKind::Invitation, &*unit.app.entropy);
    let invitation = Invitation {
        id: unit.ids.next(),
        kind: INVITATION.to_owned(),
        tenant: Some(license.tenant),
        target: Some(held.id.as_uuid()),
        email: email.as_str().to_owned(),
        email_key: email.key(),
        fullname: String::new(),
        role: held.role.name().to_owned(),
        expires_at: unit.now.plus(INVITATION_LIFE),
        created_at: unit.now,
    };
    invitation::replace(unit.tx, &token.hash(), &invitation)?;
    let owner = tenant::find(unit.tx, license.tenant)?;
    let owner = owner.ok_or_else(|| Error::not_found("Organization"))?.name;
    let days = (INVITATION_LIFE.as_secs() / 86_400).to_string();
    let link = crate::identity::invitation::link(unit.app, &token);
    let values = [
        plain("link", &link),
        plain("inviter", &caller.name),
        plain("organization", &owner),
        plain("license", license.title.as_str()),
        named("role", "mail-role", held.role.name()),
        plain("token", token.expose()),
        plain("days", &days),
    ];
    let kind = MailKind::LicenseShared;
    let mail = compose::from_template(unit.tx, kind, email.as_str(), None, &values)?;
    unit.app.mailer.enqueue(unit.tx, INVITATION, &mail)?;
    Ok(())
}

/// Accepts a shared license. The owner then sees the grantee as accepted. If the address has no
/// account, one is created with the chosen password.
pub(crate) fn accept(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<Done<Accepted>> {
    let id = invitation.target.ok_or_else(invalid)?.into();
    let license = permission::find(unit.tx, id)?.ok_or_else(invalid)?.license;
    // The license is locked before the permission is read again: a new account may get the
    // permission in the meantime.
    let license = license::claim(unit.tx, license)?.ok_or_else(invalid)?.license;
    let holder = match user::find_by_email(unit.tx, &invitation.email_key)? {
        Some(user) => user.id,
        None => sign_up(unit, invitation, fullname, password_hash)?,
    };
    let mut held = permission::find(unit.tx, id)?.ok_or_else(invalid)?;
    if held.is_pending() {
        assign(unit, &license, &held, holder)?;
    }
    permission::accept(unit.tx, held.id, unit.now)?;
    (held.grantee, held.accepted) = (Grantee::User(holder), true);
    let shown = license::find(unit.tx, license.id)?.ok_or_else(invalid)?;
    let data = json!({
        "license_id": license.id,
        "license": event::license(&shown, unit.now),
        "permission": event::permission(&held),
    });
    let event = permission_event(unit, EventType::PermissionGranted, &license, data)?;
    let (email, role) = (held.grantee_name.clone(), held.role.name().to_owned());
    let accepted = Accepted::Holder { id: holder, email, role };
    let mut done = Done::new(accepted, super::resource(&held), "A shared license was accepted");
    done.tenant = invitation.tenant;
    Ok(done.for_license(license.id).with_event(event))
}

fn sign_up(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<UserId> {
    let hash = password_hash.ok_or_else(|| Error::field("password", "is required"))?;
    let fullname = fullname.ok_or_else(|| Error::field("fullname", "is required"))?;
    let corrupt = |error: &str| Error::internal(format!("a stored invitation is invalid: {error}"));
    let email = Email::parse(&invitation.email).map_err(corrupt)?;
    let details = AccountDetails::person(fullname.clone(), email, Some(hash.clone()));
    registration::create(unit, &details).map(|(user, _)| user.id)
}

/// Assigns pending permissions to a new account. Owners see them as pending until they are
/// accepted, as with an account that existed before.
pub(crate) fn assign_pending(
    unit: &mut UnitOfWork<'_, '_>,
    user: UserId,
    email_key: &str,
) -> Result<()> {
    for held in permission::list_pending(unit.tx, email_key, AT_ONCE)? {
        if let Some(shown) = license::claim(unit.tx, held.license)? {
            assign(unit, &shown.license, &held, user)?;
        }
    }
    Ok(())
}

fn assign(
    unit: &mut UnitOfWork<'_, '_>,
    license: &License,
    held: &HeldPermission,
    to: UserId,
) -> Result<()> {
    permission::assign(unit.tx, held.id, to)?;
    let holders = permission::holders(unit.tx, license)?;
    reader::set(unit.tx, license, &holders)?;
    Ok(())
}
