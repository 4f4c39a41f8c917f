//! Staff accounts: created by the operator or by invitation. Staff sign in with one-time tokens.

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
pub use grantor_storage::admin::{Admin, ListedAdmin};

pub(crate) use self::invitation::accept;
pub use self::invitation::{Invited, invite};
pub(crate) use self::member::AdminReverse;
pub use self::member::{Changes, change};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::session::{self, Issued, Tokens};
use crate::{App, Context};

/// A one-time token, which is shown only once.
pub struct OneTimeToken {
    /// The account it signs in.
    pub admin: AdminId,
    /// The token.
    pub token: Secret,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A member of staff who signed in.
pub struct AdminSignedIn {
    /// The tokens of the session.
    pub tokens: Tokens,
    /// Who signed in.
    pub admin: Admin,
}

/// Creates a staff account with its first token.
pub async fn create(
    app: &App,
    context: &Context,
    email: Email,
    fullname: FullName,
    role: AdminRole,
) -> Result<OneTimeToken> {
    app.act(context, Create { email, fullname, role }).await
}

/// Creates a new token for a staff account. Earlier tokens become invalid.
pub async fn create_token(app: &App, context: &Context, email: Email) -> Result<OneTimeToken> {
    app.act(context, CreateToken { email }).await
}

/// Signs in a member of staff. Each token works once.
pub async fn authenticate(app: &App, context: &Context, token: &str) -> Result<AdminSignedIn> {
    let hash = Secret::parse(&[SecretKind::AdminToken], token).map(|it| it.hash());
    match app.act(context, Authenticate { hash }).await? {
        Some((issued, admin)) => Ok(AdminSignedIn { tokens: issued.sign(app)?, admin }),
        None => Err(Error::new(
            ErrorKind::InvalidCredentials,
            "The admin token is invalid, already used or expired",
        )),
    }
}

/// Lists all staff and open invitations, oldest first.
pub async fn members(app: &App, page: Page) -> Result<Listing<ListedAdmin>> {
    let now = app.clock.now();
    app.store.read(move |tx| Ok(admin::list(tx, page, now)?)).await
}

fn resource(admin: &Admin) -> Resource {
    Resource { kind: "admin", id: Some(admin.id.to_string()), name: Some(admin.email.clone()) }
}

fn issue_token(unit: &mut UnitOfWork<'_, '_>, admin: AdminId) -> Result<OneTimeToken> {
    let token = Secret::generate(SecretKind::AdminToken, &*unit.app.entropy);
    let expires_at = unit.now.plus(ONE_TIME_TOKEN_LIFE);
    admin::replace_token(unit.tx, &token.hash(), admin, expires_at, unit.now)?;
    Ok(OneTimeToken { admin, token, expires_at })
}

fn insert(
    unit: &mut UnitOfWork<'_, '_>,
    email: &Email,
    fullname: &FullName,
    role: AdminRole,
) -> Result<Admin> {
    let admin = Admin {
        id: unit.ids.next(),
        email: email.as_str().to_owned(),
        email_key: email.key(),
        fullname: fullname.as_str().to_owned(),
        role,
        active: true,
        created_at: unit.now,
    };
    match admin::insert(unit.tx, &admin) {
        Ok(()) => Ok(admin),
        Err(grantor_storage::Error::Unique(name)) if name == admin::EMAIL_IS_TAKEN => Err(taken()),
        Err(error) => Err(error.into()),
    }
}

fn taken() -> Error {
    Error::new(ErrorKind::MemberExists, "A staff member with this email address already exists")
        .at("email")
}

struct Create {
    email: Email,
    fullname: FullName,
    role: AdminRole,
}

impl Act for Create {
    type Permit = ();
    type Output = OneTimeToken;
    const ACTION: &'static str = "admin.create";

    /// Always allowed: only the operator can run this command.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<OneTimeToken>> {
        let admin = insert(unit, &self.email, &self.fullname, self.role)?;
        let token = issue_token(unit, admin.id)?;
        Ok(Done::new(token, resource(&admin), "A staff member was added by the operator"))
    }
}

struct CreateToken {
    email: Email,
}

impl Act for CreateToken {
    type Permit = Admin;
    type Output = OneTimeToken;
    const ACTION: &'static str = "admin.token";

    /// Allowed for active accounts: only the operator can run this command.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Admin> {
        let found = admin::find_by_email(unit.tx, &self.email.key())?;
        let admin = found.ok_or_else(|| Error::not_found("Staff member"))?;
        if admin.active {
            Ok(admin)
        } else {
            Err(Error::conflict("This staff account is not active"))
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, admin: Admin) -> Result<Done<OneTimeToken>> {
        let token = issue_token(unit, admin.id)?;
        Ok(Done::new(token, resource(&admin), "A one-time staff token was created"))
    }
}

struct Authenticate {
    hash: Option<SecretHash>,
}

impl Act for Authenticate {
    type Permit = Option<Admin>;
    type Output = Option<(Issued, Admin)>;
    const ACTION: &'static str = "admin.authenticate";

    /// The token is the permission, and is consumed.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Option<Admin>> {
        let Some(hash) = self.hash else { return Ok(None) };
        let taken = admin::consume_token(unit.tx, &hash)?;
        let Some((id, expires_at)) = taken else { return Ok(None) };
        let found = admin::find(unit.tx, id)?;
        Ok(found.filter(|it| it.active && unit.now < expires_at))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Option<Admin>,
    ) -> Result<Done<Self::Output>> {
        let Some(admin) = permit else {
            let resource = Resource { kind: "admin", id: None, name: None };
            return Ok(Done::new(None, resource, "A staff token was rejected").refused());
        };
        let issued = session::begin_admin(unit, admin.id)?;
        let resource = resource(&admin);
        let actor = Actor::Admin { id: admin.id, name: admin.fullname.clone() };
        Ok(Done::new(Some((issued, admin)), resource, "A staff member signed in").with_actor(actor))
    }
}
