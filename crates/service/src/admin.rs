//! The operator's staff: made on the machine or invited, let in by one-time tokens.

mod invitation;
mod member;

use grantor_domain::access::Actor;
use grantor_domain::admin::{AdminRole, ONE_TIME_TOKEN_LIFE};
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::AdminId;
use grantor_domain::page::{Listing, Page};
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::admin;
pub use grantor_storage::admin::{Admin, Listed};

pub(crate) use self::invitation::accept;
pub use self::invitation::{Invited, invite};
pub use self::member::{Changes, change};
use crate::act::{Act, Desk, Done};
use crate::session::{self, Issued, Tokens};
use crate::{App, Context};

/// A one-time token, shown this once.
pub struct OneTimeToken {
    /// Whom it lets in.
    pub admin: AdminId,
    /// The token.
    pub token: Secret,
    /// Until when it works.
    pub expires_at: Timestamp,
}

/// A member of staff who signed in.
pub struct AdminSignedIn {
    /// What opens the API and keeps the session.
    pub tokens: Tokens,
    /// Who signed in.
    pub admin: Admin,
}

/// Makes an account of staff, with its first token.
pub async fn create(
    app: &App,
    context: &Context,
    email: Email,
    fullname: FullName,
    role: AdminRole,
) -> Result<OneTimeToken> {
    app.act(context, Create { email, fullname, role }).await
}

/// Makes another token for an account of staff; those before it are gone.
pub async fn make_token(app: &App, context: &Context, email: Email) -> Result<OneTimeToken> {
    app.act(context, MakeToken { email }).await
}

/// Lets a member of staff in, once per token.
pub async fn authenticate(app: &App, context: &Context, token: &str) -> Result<AdminSignedIn> {
    let hash = Secret::parse(&[SecretKind::AdminToken], token).map(|it| it.hash());
    match app.act(context, Authenticate { hash }).await? {
        Some((issued, admin)) => Ok(AdminSignedIn { tokens: issued.sign(app)?, admin }),
        None => Err(Error::new(
            ErrorKind::InvalidCredentials,
            "The admin token is not valid, was used or has expired",
        )),
    }
}

/// All staff and who is invited, in the order they came.
pub async fn members(app: &App, page: Page) -> Result<Listing<Listed>> {
    let now = app.clock.now();
    app.store.read(move |tx| Ok(admin::list(tx, page, now)?)).await
}

fn resource(admin: &Admin) -> Resource {
    Resource { kind: "admin", id: Some(admin.id.to_string()), name: Some(admin.email.clone()) }
}

fn issue_token(desk: &mut Desk<'_, '_>, admin: AdminId) -> Result<OneTimeToken> {
    let token = Secret::generate(SecretKind::AdminToken, &*desk.app.entropy);
    let expires_at = desk.now.plus(ONE_TIME_TOKEN_LIFE);
    admin::replace_token(desk.tx, &token.hash(), admin, expires_at, desk.now)?;
    Ok(OneTimeToken { admin, token, expires_at })
}

fn insert(
    desk: &mut Desk<'_, '_>,
    email: &Email,
    fullname: &FullName,
    role: AdminRole,
) -> Result<Admin> {
    let admin = Admin {
        id: desk.ids.next(),
        email: email.as_str().to_owned(),
        email_key: email.key(),
        fullname: fullname.as_str().to_owned(),
        role,
        active: true,
        created_at: desk.now,
    };
    match admin::insert(desk.tx, &admin) {
        Ok(()) => Ok(admin),
        Err(grantor_storage::Error::Unique(name)) if name == admin::EMAIL_IS_TAKEN => Err(taken()),
        Err(error) => Err(error.into()),
    }
}

fn taken() -> Error {
    Error::new(ErrorKind::MemberExists, "A member of staff with this address exists already")
        .at("email")
}

struct Create {
    email: Email,
    fullname: FullName,
    role: AdminRole,
}

impl Act for Create {
    type Grant = ();
    type Output = OneTimeToken;
    const ACTION: &'static str = "admin.create";

    /// Whoever can run commands on the machine may.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<OneTimeToken>> {
        let admin = insert(desk, &self.email, &self.fullname, self.role)?;
        let token = issue_token(desk, admin.id)?;
        Ok(Done::new(token, resource(&admin), "A member of staff was added on the machine"))
    }
}

struct MakeToken {
    email: Email,
}

impl Act for MakeToken {
    type Grant = Admin;
    type Output = OneTimeToken;
    const ACTION: &'static str = "admin.token";

    /// Whoever can run commands on the machine may, for accounts that may be used.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Admin> {
        let found = admin::find_by_email(desk.tx, &self.email.key())?;
        let admin = found.ok_or_else(|| Error::not_found("Admin"))?;
        if admin.active { Ok(admin) } else { Err(Error::conflict("This admin is not active")) }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, admin: Admin) -> Result<Done<OneTimeToken>> {
        let token = issue_token(desk, admin.id)?;
        Ok(Done::new(token, resource(&admin), "A one-time admin token was made"))
    }
}

struct Authenticate {
    hash: Option<SecretHash>,
}

impl Act for Authenticate {
    type Grant = Option<Admin>;
    type Output = Option<(Issued, Admin)>;
    const ACTION: &'static str = "admin.authenticate";

    /// Holding the token is the permission, and uses it up.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Option<Admin>> {
        let Some(hash) = self.hash else { return Ok(None) };
        let taken = admin::take_token(desk.tx, &hash)?;
        let Some((id, expires_at)) = taken else { return Ok(None) };
        let found = admin::find(desk.tx, id)?;
        Ok(found.filter(|it| it.active && desk.now < expires_at))
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        grant: Option<Admin>,
    ) -> Result<Done<Self::Output>> {
        let Some(admin) = grant else {
            let resource = Resource { kind: "admin", id: None, name: None };
            return Ok(Done::new(None, resource, "An admin token was refused").refused());
        };
        let issued = session::begin_admin(desk, admin.id)?;
        let resource = resource(&admin);
        let actor = Actor::Admin { id: admin.id, name: admin.fullname.clone() };
        Ok(Done::new(Some((issued, admin)), resource, "A member of staff signed in").by(actor))
    }
}
