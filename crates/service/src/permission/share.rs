//! Sharing a license with an address: the mail, what accepting it does, and what waits for an
//! account that is yet to be made.

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
use grantor_storage::permission::{self, Held};
use grantor_storage::{tenant, user};
use serde_json::json;

use super::told;
use crate::access::Caller;
use crate::act::{Desk, Done};
use crate::invitation::{Accepted, ended};
use crate::registration::{self, Entered};
use crate::{event, letter};

/// The kind of such invitations.
pub(crate) const INVITATION: &str = "share";

/// How many shares a new account takes up at once. Others are taken up by the links of their mails.
const AT_ONCE: u32 = 100;

/// Writes to the address, the same whether or not an account has it.
pub(super) fn invite(
    desk: &mut Desk<'_, '_>,
    caller: &Caller,
    license: &License,
    held: &Held,
    email: &Email,
) -> Result<()> {
    let token = Secret::generate(SecretKind::Invitation, &*desk.app.entropy);
    let invitation = Invitation {
        id: desk.ids.next(),
        kind: INVITATION.to_owned(),
        tenant: Some(license.tenant),
        target: Some(held.id.as_uuid()),
        email: email.as_str().to_owned(),
        email_key: email.key(),
        fullname: String::new(),
        role: held.role.name().to_owned(),
        expires_at: desk.now.plus(INVITATION_LIFE),
        created_at: desk.now,
    };
    invitation::replace(desk.tx, &token.hash(), &invitation)?;
    let owner = tenant::find(desk.tx, license.tenant)?;
    let owner = owner.ok_or_else(|| Error::not_found("Organization"))?.name;
    let days = (INVITATION_LIFE.as_secs() / 86_400).to_string();
    let link = crate::invitation::link(desk.app, &token);
    let values = [
        ("link", &*link),
        ("inviter", &*caller.name),
        ("organization", &*owner),
        ("license", license.title.as_str()),
        ("role", held.role.name()),
        ("token", token.expose()),
        ("days", &*days),
    ];
    let mail = letter::write(desk.tx, MailKind::LicenseShared, email.as_str(), None, &values)?;
    desk.app.mailer.enqueue(desk.tx, INVITATION, &mail)?;
    Ok(())
}

/// What an accepted share does: from now on its owner sees who has it. An address without an account
/// gets one, with the password that was chosen.
pub(crate) fn accept(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<Done<Accepted>> {
    let id = invitation.target.ok_or_else(ended)?.into();
    let license = permission::find(desk.tx, id)?.ok_or_else(ended)?.license;
    // Held before the right is looked at again: an account that is made just now takes it up too.
    let license = license::claim(desk.tx, license)?.ok_or_else(ended)?.license;
    let holder = match user::find_by_email(desk.tx, &invitation.email_key)? {
        Some(user) => user.id,
        None => sign_up(desk, invitation, fullname, password_hash)?,
    };
    let mut held = permission::find(desk.tx, id)?.ok_or_else(ended)?;
    if held.waits() {
        hand_over(desk, &license, &held, holder)?;
    }
    permission::accept(desk.tx, held.id, desk.now)?;
    (held.grantee, held.accepted) = (Grantee::User(holder), true);
    let shown = license::find(desk.tx, license.id)?.ok_or_else(ended)?;
    let data = json!({
        "license_id": license.id,
        "license": event::license(&shown, desk.now),
        "permission": event::permission(&held),
    });
    let told = told(desk, EventType::PermissionGranted, &license, data)?;
    let (email, role) = (held.grantee_name.clone(), held.role.name().to_owned());
    let accepted = Accepted::Holder { id: holder, email, role };
    let mut done = Done::new(accepted, super::resource(&held), "A shared license was accepted");
    done.tenant = invitation.tenant;
    Ok(done.about(license.id).tell(told))
}

fn sign_up(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<UserId> {
    let hash = password_hash.ok_or_else(|| Error::field("password", "is required"))?;
    let fullname = fullname.ok_or_else(|| Error::field("fullname", "is required"))?;
    let unreadable = |error: &str| Error::internal(format!("an invitation: {error}"));
    let email = Email::parse(&invitation.email).map_err(unreadable)?;
    let entered = Entered::person(fullname.clone(), email, Some(hash.clone()));
    registration::create(desk, &entered).map(|(user, _)| user.id)
}

/// Gives a new account what waited for its address. Its owners see no difference: until it is
/// accepted it stays pending, as with an account that was there before.
pub(crate) fn take_up(desk: &mut Desk<'_, '_>, user: UserId, email_key: &str) -> Result<()> {
    for held in permission::list_waiting(desk.tx, email_key, AT_ONCE)? {
        if let Some(shown) = license::claim(desk.tx, held.license)? {
            hand_over(desk, &shown.license, &held, user)?;
        }
    }
    Ok(())
}

fn hand_over(desk: &mut Desk<'_, '_>, license: &License, held: &Held, to: UserId) -> Result<()> {
    permission::assign(desk.tx, held.id, to)?;
    let holders = permission::holders(desk.tx, license)?;
    reader::set(desk.tx, license, &holders)?;
    Ok(())
}
