//! What a person sees and changes of themself: profile, password and sign-ins.

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
use grantor_storage::{tenant, user};

use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::hasher::{Compared, UNREADABLE};
use crate::letter;
use crate::limit::Subject;
use crate::registration::name_taken;
use crate::{App, Context, organization};

/// The person and the tenant they act in.
pub async fn show(app: &App, caller: &Caller) -> Result<(User, Tenant)> {
    let (id, tenant) = (caller.user, caller.tenant);
    app.store
        .read(move |tx| {
            let user = user::find(tx, id)?.ok_or_else(|| Error::not_found("user"))?;
            let tenant = tenant::find(tx, tenant)?;
            Ok((user, tenant.ok_or_else(|| Error::not_found("organization"))?))
        })
        .await
}

/// The person's first and last name.
pub async fn name_parts(app: &App, caller: &Caller) -> Result<(String, String)> {
    let id = caller.user;
    app.store
        .read(move |tx| {
            let user = user::find(tx, id)?.ok_or_else(|| Error::not_found("user"))?;
            let first = user::firstname(tx, id)?;
            let name = FullName::parse(&user.fullname).map_err(Error::internal)?;
            let (first, last) = name.parts(first.as_deref());
            Ok((first.to_owned(), last.to_owned()))
        })
        .await
}

/// What a person wants changed; what is not given stays.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Another name.
    pub name: NameChange,
    /// Another text, or none.
    pub bio: Patch<Bio>,
    /// Another place, or none.
    pub location: Patch<Location>,
    /// Another number, or none.
    pub phone: Patch<Phone>,
}

/// Changes the profile.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    changes: Changes,
) -> Result<User> {
    app.act(context, ChangeProfile { caller, changes }).await
}

/// Changes the password and ends every other sign-in.
pub async fn change_password(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    present: &str,
    new: &str,
) -> Result<()> {
    let (user, tenant) = show(app, &caller).await?;
    let about = [user.fullname.as_str(), user.email.as_str(), tenant.name.as_str()];
    let new = Password::choose(new, &about, app.password_policy)
        .map_err(|error| Error::field("newPassword", error.to_string()))?;
    // A stolen token must not become the password: tries count like sign-ins, for the account.
    let subject = Subject::id(caller.user.as_uuid());
    app.limiter.hit(LimitName::Login, &subject).await?;
    let verified = user.password_hash;
    let from = context.origin.address;
    match app.hasher.verify(Password::present(present), verified.clone(), from).await? {
        Compared::Right => {}
        Compared::Wrong => return Err(not_present()),
        // Who is signed in is known anyway: they are told the truth.
        Compared::Unreadable => {
            return Err(Error::internal(format!("{UNREADABLE}: user {}", caller.user)));
        }
    }
    let password_hash = app.hasher.hash(new, from).await?;
    app.act(context, ChangePassword { caller, verified, password_hash }).await
}

/// The person's sign-ins that can still be used.
pub async fn sessions(app: &App, caller: &Caller, page: Page) -> Result<Listing<Session>> {
    let (subject, now) = (caller.user.as_uuid(), app.clock.now());
    app.store.read(move |tx| Ok(session::list_live(tx, subject, page, now)?)).await
}

/// Ends one of the person's own sign-ins, wherever it acts.
pub async fn end_session(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: SessionId,
) -> Result<()> {
    app.act(context, EndSession { caller, id }).await
}

fn own(desk: &mut Desk<'_, '_>, caller: &Caller) -> Result<User> {
    user::claim(desk.tx, caller.user)?.ok_or_else(|| Error::not_found("user"))
}

fn not_present() -> Error {
    Error::field("password", "is not your present password")
}

fn resource(user: &User) -> Resource {
    Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname.clone()) }
}

struct ChangeProfile {
    caller: Arc<Caller>,
    changes: Changes,
}

impl Act for ChangeProfile {
    type Grant = User;
    type Output = User;
    const ACTION: &'static str = "user.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<User> {
        own(desk, &self.caller)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut user: User) -> Result<Done<User>> {
        let Changes { name, bio, location, phone } = &self.changes;
        let kept = FullName::parse(&user.fullname).map_err(Error::internal)?;
        let first = user::firstname(desk.tx, user.id)?;
        let (name, first) = name.over(&kept, first.as_deref())?;
        if name != kept {
            rename_own_tenant(desk, user.id, &kept, &name)?;
        }
        (user.fullname, user.fullname_key) = (name.as_str().to_owned(), name.key());
        user::set_firstname(desk.tx, user.id, first.as_deref())?;
        // An empty text is none.
        let text = |patch: Patch<&str>, kept: Option<String>| {
            let after = patch.over(kept.as_deref()).filter(|it| !it.is_empty());
            after.map(str::to_owned)
        };
        user.bio = text(as_text(bio, Bio::as_str), user.bio.take());
        user.location = text(as_text(location, Location::as_str), user.location.take());
        user.phone = text(as_text(phone, Phone::as_str), user.phone.take());
        user::update(desk.tx, &user, desk.now)?;
        let resource = resource(&user);
        Ok(Done::new(user, resource, "A profile was changed"))
    }
}

/// A personal tenant has the person's name, unless they gave it another.
fn rename_own_tenant(
    desk: &mut Desk<'_, '_>,
    user: UserId,
    former: &FullName,
    name: &FullName,
) -> Result<()> {
    let own = tenant::find_personal(desk.tx, user)?;
    let Some(mut own) = own.filter(|it| it.name == former.as_str()) else { return Ok(()) };
    if tenant::organization_exists(desk.tx, &name.key())? {
        // Licenses name their owner: a person must not look like an organization.
        return Err(name_taken().at("fullname"));
    }
    tenant::claim(desk.tx, own.id)?;
    (own.name, own.name_key) = (name.as_str().to_owned(), name.key());
    tenant::update(desk.tx, &own, desk.now)?;
    organization::show_name_anew(desk, own.id)
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
    /// The hash the present password was checked against.
    verified: Option<String>,
    password_hash: String,
}

impl Act for ChangePassword {
    type Grant = User;
    type Output = ();
    const ACTION: &'static str = "user.change_password";

    /// The password may have been reset since it was checked.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<User> {
        let user = own(desk, &self.caller)?;
        if user.password_hash == self.verified { Ok(user) } else { Err(not_present()) }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut user: User) -> Result<Done<()>> {
        user.password_hash = Some(self.password_hash.clone());
        user::update(desk.tx, &user, desk.now)?;
        session::revoke_others(desk.tx, user.id.as_uuid(), self.caller.session, desk.now)?;
        let mail = letter::password_changed(desk.tx, &user.email, &user.fullname)?;
        desk.app.mailer.enqueue(desk.tx, "password_changed", &mail)?;
        Ok(Done::new((), resource(&user), "A password was changed"))
    }
}

struct EndSession {
    caller: Arc<Caller>,
    id: SessionId,
}

impl Act for EndSession {
    type Grant = SessionId;
    type Output = ();
    const ACTION: &'static str = "session.delete";

    /// Another person's sign-in is as unknown as one that never was.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<SessionId> {
        let found = session::find(desk.tx, self.id)?;
        let own = found.filter(|it| it.subject == self.caller.user.as_uuid());
        match own {
            Some(session) if session.revoked_at.is_none() => Ok(session.family),
            _ => Err(Error::new(ErrorKind::NotFound, "Session not found")),
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, family: SessionId) -> Result<Done<()>> {
        session::revoke_family(desk.tx, family, desk.now)?;
        let resource = Resource { kind: "session", id: Some(self.id.to_string()), name: None };
        Ok(Done::new((), resource, "A session was ended"))
    }
}
