//! The caller's own profile, password and sessions.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{SessionId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::page::{Listing, Page};
use grantor_domain::password::Password;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Location, NameChange, Phone};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session;
pub use grantor_storage::session::Session;
pub use grantor_storage::tenant::Tenant;
pub use grantor_storage::user::User;
use grantor_storage::{ceremony, tenant, user};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::hasher::{CORRUPT_HASH, PasswordMatch};
use crate::identity::registration::name_taken;
use crate::mail::compose;
use crate::operations::limit::Subject;
use crate::organizations::organization;
use crate::{App, Context};

/// Returns the caller's account and tenant.
pub async fn show(app: &App, caller: &Caller) -> Result<(User, Tenant)> {
    let (id, tenant) = (caller.user, caller.tenant);
    app.store
        .read(move |tx| {
            let user = user::find(tx, id)?.ok_or_else(|| Error::not_found("User"))?;
            let tenant = tenant::find(tx, tenant)?;
            Ok((user, tenant.ok_or_else(|| Error::not_found("Organization"))?))
        })
        .await
}

/// Returns the caller's first and last name.
pub async fn name_parts(app: &App, caller: &Caller) -> Result<(String, String)> {
    let id = caller.user;
    app.store
        .read(move |tx| {
            let user = user::find(tx, id)?.ok_or_else(|| Error::not_found("User"))?;
            let first = user::firstname(tx, id)?;
            let name = FullName::parse(&user.fullname).map_err(Error::internal)?;
            let (first, last) = name.parts(first.as_deref());
            Ok((first.to_owned(), last.to_owned()))
        })
        .await
}

/// The changes to a profile. Fields that aren't set stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The new name.
    pub name: NameChange,
    /// The new bio.
    pub bio: Patch<Bio>,
    /// The new location.
    pub location: Patch<Location>,
    /// The new phone number.
    pub phone: Patch<Phone>,
}

/// Changes the caller's profile.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    changes: Changes,
) -> Result<User> {
    app.act(context, ChangeProfile { caller, changes }).await
}

/// Changes the password and ends all other sessions.
pub async fn change_password(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    current: &str,
    new: &str,
) -> Result<()> {
    let (user, tenant) = show(app, &caller).await?;
    let about = [user.fullname.as_str(), user.email.as_str(), tenant.name.as_str()];
    let new = Password::choose(new, &about, app.password_policy)
        .map_err(|error| Error::field("newPassword", error.to_string()))?;
    // A stolen access token must not suffice to guess the password: attempts count as sign-ins.
    let subject = Subject::id(caller.user.as_uuid());
    app.limiter.hit(LimitName::Login, &subject).await?;
    let verified = user.password_hash;
    let from = context.origin.address;
    match app.hasher.verify(Password::present(current), verified.clone(), from).await? {
        PasswordMatch::Correct => {}
        PasswordMatch::Wrong => return Err(wrong_password()),
        // The caller is signed in, so the error reveals nothing about the account.
        PasswordMatch::CorruptHash => {
            return Err(Error::internal(format!("{CORRUPT_HASH}: user {}", caller.user)));
        }
    }
    let password_hash = app.hasher.hash(new, from).await?;
    app.act(context, ChangePassword { caller, verified, password_hash }).await
}

/// Returns the caller's active sessions.
pub async fn sessions(app: &App, caller: &Caller, page: Page) -> Result<Listing<Session>> {
    let (subject, now) = (caller.user.as_uuid(), app.clock.now());
    app.store.read(move |tx| Ok(session::list_live(tx, subject, page, now)?)).await
}

/// Ends all sessions of the caller but the current one with its family, and returns their number.
pub async fn end_other_sessions(app: &App, context: &Context, caller: Arc<Caller>) -> Result<u64> {
    app.act(context, EndOthers { caller }).await
}

/// Ends one of the caller's sessions, in any tenant.
pub async fn end_session(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: SessionId,
) -> Result<()> {
    app.act(context, EndSession { caller, id }).await
}

fn claim_user(unit: &mut UnitOfWork<'_, '_>, caller: &Caller) -> Result<User> {
    user::claim(unit.tx, caller.user)?.ok_or_else(|| Error::not_found("User"))
}

fn wrong_password() -> Error {
    Error::field("password", "is not your current password")
}

fn resource(user: &User) -> Resource {
    Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname.clone()) }
}

struct ChangeProfile {
    caller: Arc<Caller>,
    changes: Changes,
}

impl Act for ChangeProfile {
    type Permit = User;
    type Output = User;
    const ACTION: &'static str = "user.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        claim_user(unit, &self.caller)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, mut user: User) -> Result<Done<User>> {
        let Changes { name, bio, location, phone } = &self.changes;
        let kept = FullName::parse(&user.fullname).map_err(Error::internal)?;
        let first = user::firstname(unit.tx, user.id)?;
        let (name, first) = name.over(&kept, first.as_deref())?;
        if name != kept {
            rename_own_tenant(unit, user.id, &kept, &name)?;
        }
        (user.fullname, user.fullname_key) = (name.as_str().to_owned(), name.key());
        user::set_firstname(unit.tx, user.id, first.as_deref())?;
        // An empty text clears the field.
        let text = |patch: Patch<&str>, kept: Option<String>| {
            let after = patch.over(kept.as_deref()).filter(|it| !it.is_empty());
            after.map(str::to_owned)
        };
        user.bio = text(as_text(bio, Bio::as_str), user.bio.take());
        user.location = text(as_text(location, Location::as_str), user.location.take());
        user.phone = text(as_text(phone, Phone::as_str), user.phone.take());
        user::update(unit.tx, &user, unit.now)?;
        let resource = resource(&user);
        Ok(Done::new(user, resource, "A profile was updated"))
    }
}

/// Renames the user's personal tenant, unless it has a name of its own.
fn rename_own_tenant(
    unit: &mut UnitOfWork<'_, '_>,
    user: UserId,
    former: &FullName,
    name: &FullName,
) -> Result<()> {
    let own = tenant::find_personal(unit.tx, user)?;
    let Some(mut own) = own.filter(|it| it.name == former.as_str()) else { return Ok(()) };
    if tenant::organization_exists(unit.tx, &name.key())? {
        // Licenses show their owner's name: an individual must not look like an organization.
        return Err(name_taken().at("fullname"));
    }
    tenant::claim(unit.tx, own.id)?;
    (own.name, own.name_key) = (name.as_str().to_owned(), name.key());
    tenant::update(unit.tx, &own, former.as_str(), unit.now)?;
    organization::update_licenses(unit, own.id)
}

fn as_text<T>(patch: &Patch<T>, of: fn(&T) -> &str) -> Patch<&str> {
    match patch {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(value) => Patch::Set(of(value)),
    }
}

struct ChangePassword {
    caller: Arc<Caller>,
    /// The hash that the current password was checked against.
    verified: Option<String>,
    password_hash: String,
}

impl Act for ChangePassword {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "user.change_password";

    /// The password may have changed since it was checked.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        let user = claim_user(unit, &self.caller)?;
        if user.password_hash == self.verified { Ok(user) } else { Err(wrong_password()) }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, mut user: User) -> Result<Done<()>> {
        user.password_hash = Some(self.password_hash.clone());
        user::update(unit.tx, &user, unit.now)?;
        session::revoke_others(unit.tx, user.id.as_uuid(), self.caller.session, unit.now)?;
        ceremony::delete_of(unit.tx, user.id)?;
        let mail = compose::password_changed(unit.tx, &user.email, &user.fullname)?;
        unit.app.mailer.enqueue(unit.tx, "password_changed", &mail)?;
        Ok(Done::new((), resource(&user), "A password was changed"))
    }
}

struct EndSession {
    caller: Arc<Caller>,
    id: SessionId,
}

impl Act for EndSession {
    type Permit = SessionId;
    type Output = ();
    const ACTION: &'static str = "session.delete";

    /// Another user's session is reported as not found.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<SessionId> {
        let found = session::find(unit.tx, self.id)?;
        let own = found.filter(|it| it.subject == self.caller.user.as_uuid());
        match own {
            Some(session) if session.revoked_at.is_none() => Ok(session.family),
            _ => Err(Error::new(ErrorKind::NotFound, "Session not found")),
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, family: SessionId) -> Result<Done<()>> {
        session::revoke_family(unit.tx, family, unit.now)?;
        let resource = Resource { kind: "session", id: Some(self.id.to_string()), name: None };
        Ok(Done::new((), resource, "A session was ended"))
    }
}

struct EndOthers {
    caller: Arc<Caller>,
}

impl Act for EndOthers {
    type Permit = SessionId;
    type Output = u64;
    const ACTION: &'static str = "session.delete_others";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<SessionId> {
        let own = session::find(unit.tx, self.caller.session)?;
        let own = own.filter(|it| it.revoked_at.is_none());
        own.map(|it| it.family).ok_or_else(|| Error::new(ErrorKind::NotFound, "Session not found"))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, family: SessionId) -> Result<Done<u64>> {
        let user = self.caller.user;
        let ended = session::revoke_other_families(unit.tx, user.as_uuid(), family, unit.now)?;
        ceremony::delete_of(unit.tx, user)?;
        let (id, name) = (Some(user.to_string()), Some(self.caller.name.clone()));
        let resource = Resource { kind: "user", id, name };
        Ok(Done::new(ended, resource, "All other sessions were ended"))
    }
}
