//! Registration. The form is stored as a challenge until the mailed code verifies the address. An
//! unverified registration reserves neither its address nor its organization name.

mod new_account;

use std::net::IpAddr;

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::organization::{NewOrganization, OrganizationStatus, Plan};
use grantor_domain::otp::{CODE_LIFE, CodeCheck, Otp};
use grantor_domain::person::FullName;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::talent::{Aliases, SocialMedia, Talent, TalentStatus};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::talent;
use grantor_storage::tenant::{self, NAME_IS_TAKEN, Tenant};
use grantor_storage::user::{self, EMAIL_IS_TAKEN, User};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::code::{
    self, ChallengeSecrets, CodeAttempt, CodePurpose, CodeSent, Presented,
};
use crate::identity::session::{self, Admitted, SignedIn, guard};
use crate::licensing::permission::share;
use crate::mail::phrase::plain;
use crate::mail::{compose, throttle};
use crate::organizations::membership::{self, TenantMembership};
use crate::{App, Context};

pub use self::new_account::NewAccount;

/// A verified registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The new account.
    pub user: UserId,
    /// Its address.
    pub email: String,
}

/// Starts a registration and mails a code. Registering again replaces an earlier one.
pub async fn register(app: &App, context: &Context, account: NewAccount) -> Result<CodeSent> {
    let details = AccountDetails::hashed(app, account, context.origin.address).await?;
    let reserved = throttle::try_reserve(app, context, &details.email).await?;
    let sent = app.act(context, Register { details, sends_mail: reserved.is_some() }).await;
    if let (Err(_), Some(reserved)) = (&sent, reserved) {
        reserved.release(app).await;
    }
    sent
}

/// Checks the code and creates the account. The fifth wrong code ends the session.
pub async fn validate(app: &App, context: &Context, session: &str, code: &str) -> Result<Verified> {
    attempt(app, context, (session, code), None).await.map(|(verified, _)| verified)
}

/// Like [`validate`], and signs the person in in the same step. For the browser in which the
/// registration was started.
pub async fn enter(app: &App, context: &Context, session: &str, code: &str) -> Result<SignedIn> {
    let devices = Some(guard::devices(context));
    let (_, admitted) = attempt(app, context, (session, code), devices).await?;
    let admitted = admitted.ok_or_else(|| Error::internal("a registration without a session"))?;
    admitted.sign(app)
}

async fn attempt(
    app: &App,
    context: &Context,
    (session, code): (&str, &str),
    devices: Option<Vec<String>>,
) -> Result<(Verified, Option<Box<Admitted>>)> {
    let code = Otp::parse(code).map_err(|reason| Error::field("otp", reason))?;
    let session = Secret::parse(&[SecretKind::OtpSession], session);
    let session = session.ok_or_else(code::invalid_session)?;
    let attempt = CodeAttempt::begin(app, context, None).await;
    let act = Validate { session: session.hash(), code, allowed: attempt.allowed, devices };
    match app.act(context, act).await? {
        Outcome::Verified(verified, admitted) => {
            attempt.refund(app).await;
            Ok((verified, admitted))
        }
        Outcome::Refused(verdict) => {
            if verdict == CodeCheck::Expired {
                attempt.refund(app).await;
            }
            Err(code::refusal(verdict))
        }
    }
}

/// The details of a new account, stored encrypted until the address is verified.
#[derive(Clone, Serialize, Deserialize)]
pub struct AccountDetails {
    pub(crate) fullname: FullName,
    pub(crate) email: Email,
    /// `None` for an account without a password.
    pub(crate) password_hash: Option<String>,
    organization: Option<Organization>,
}

impl AccountDetails {
    /// Creates the details from a form, with the password hashed.
    pub async fn hashed(app: &App, account: NewAccount, from: Option<IpAddr>) -> Result<Self> {
        let password_hash = app.hasher.hash(account.password, from).await?;
        Ok(Self {
            fullname: account.fullname,
            email: account.email,
            password_hash: Some(password_hash),
            organization: account.organization.map(Organization::from),
        })
    }

    /// Creates the details of an individual without a password.
    pub(crate) fn passwordless(fullname: FullName, email: Email) -> Self {
        Self::person(fullname, email, None)
    }

    /// Creates the details of an individual.
    pub(crate) fn person(fullname: FullName, email: Email, password_hash: Option<String>) -> Self {
        Self { fullname, email, password_hash, organization: None }
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct Organization {
    name: String,
    name_key: String,
    kind: TenantType,
    description: Option<String>,
}

impl From<NewOrganization> for Organization {
    fn from(new: NewOrganization) -> Self {
        Self {
            name: new.name.as_str().to_owned(),
            name_key: new.name.key(),
            kind: new.kind.tenant_type(),
            description: new.description.map(|it| it.as_str().to_owned()),
        }
    }
}

struct Register {
    details: AccountDetails,
    /// Whether the address may get another mail.
    sends_mail: bool,
}

impl Act for Register {
    type Permit = ();
    type Output = CodeSent;
    const ACTION: &'static str = "registration.create";

    /// Anyone may register. An address or name that a verified account has is rejected right away.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        if user::find_by_email(unit.tx, &self.details.email.key())?.is_some() {
            return Err(email_taken());
        }
        match &self.details.organization {
            Some(it) if tenant::organization_exists(unit.tx, &it.name_key)? => Err(name_taken()),
            _ => Ok(()),
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<CodeSent>> {
        let session = Secret::generate(SecretKind::OtpSession, &*unit.app.entropy);
        if !self.sends_mail {
            // No code is sent, so no challenge is created. An earlier one stays valid.
            let email = self.details.email.as_str().to_owned();
            let sent = CodeSent { session: session.expose().to_owned(), email };
            let message = "A registration was started, but no code was sent: too many emails to \
                           this address";
            return Ok(Done::new(sent, resource(&self.details.email), message).refused());
        }
        let purpose = CodePurpose::Registration;
        let secrets = ChallengeSecrets { session: &session, link: None };
        let (email, details) = (&self.details.email, &self.details);
        let code = code::begin(unit, purpose, &secrets, email, CODE_LIFE, details)?;
        let email = send_code(unit, &self.details, &code)?;
        let sent = CodeSent { session: session.expose().to_owned(), email };
        Ok(Done::new(sent, resource(&self.details.email), "A registration was started"))
    }
}

enum Outcome {
    /// The account, and its session if the person is signed in, too.
    Verified(Verified, Option<Box<Admitted>>),
    Refused(CodeCheck),
}

struct Validate {
    session: SecretHash,
    code: Otp,
    /// Whether the limits allow another attempt.
    allowed: bool,
    /// The device identifiers of the caller, if the person is signed in, too.
    devices: Option<Vec<String>>,
}

impl Act for Validate {
    type Permit = (CodeCheck, AccountDetails);
    type Output = Outcome;
    const ACTION: &'static str = "registration.verify";

    /// Having the session is the permission. Uses up one of its attempts.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let presented = Presented::Code(&self.code, self.allowed);
        let tried = code::attempt(unit, CodePurpose::Registration, &self.session, &presented)?;
        tried.ok_or_else(code::invalid_session)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tried: Self::Permit,
    ) -> Result<Done<Outcome>> {
        let (verdict, details) = tried;
        if verdict != CodeCheck::Accepted {
            let resource = resource(&details.email);
            let refused = Outcome::Refused(verdict);
            return Ok(Done::new(refused, resource, "A registration code was rejected").refused());
        }
        code::finish(unit, &self.session)?;
        let (user, membership) = create(unit, &details)?;
        let (id, tenant, name) = (user.id, membership.tenant, user.fullname.clone());
        let verified = Verified { user: id, email: user.email.clone() };
        let mut actor = None;
        let mut admitted = None;
        if let Some(devices) = &self.devices {
            // Nothing more is needed: a new account has no second factor, and its new tenant
            // requires none.
            let method = SignInMethod::Email;
            let issued = session::admit(unit, &user, &membership, method, devices)?;
            actor = Some(Actor::User { id, tenant, name: name.clone() });
            admitted = Some(Box::new(Admitted { issued, user, membership }));
        }
        let resource = Resource { kind: "user", id: Some(id.to_string()), name: Some(name) };
        let outcome = Outcome::Verified(verified, admitted);
        let mut done = Done::new(outcome, resource, "An account was activated");
        (done.tenant, done.actor) = (Some(tenant), actor);
        Ok(done)
    }
}

/// Creates an account and its tenant.
pub fn create(
    unit: &mut UnitOfWork<'_, '_>,
    details: &AccountDetails,
) -> Result<(User, TenantMembership)> {
    let tenant = new_tenant(unit.ids.next(), details, unit.now);
    let role = match tenant.kind {
        TenantType::Individual => Role::Individual,
        _ => Role::OrganizationAdmin,
    };
    tenant::insert(unit.tx, &tenant).map_err(taken)?;
    let user = create_in(unit, tenant.id, role, details)?;
    if role == Role::Individual {
        // An individual is their own talent (contract section 5).
        let talent = own_record(unit, tenant.id, details);
        talent::insert(unit.tx, &talent, Some(user.id))?;
    }
    let Tenant { id, name, kind, .. } = tenant;
    Ok((user, TenantMembership { tenant: id, name, kind, role, active: true, open: true }))
}

/// Creates an account as a member of an existing tenant.
pub fn create_in(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    role: Role,
    details: &AccountDetails,
) -> Result<User> {
    let user = User {
        id: unit.ids.next(),
        last_tenant: tenant,
        email: details.email.as_str().to_owned(),
        email_key: details.email.key(),
        fullname: details.fullname.as_str().to_owned(),
        fullname_key: details.fullname.key(),
        password_hash: details.password_hash.clone(),
        bio: None,
        location: None,
        phone: None,
        created_at: unit.now,
    };
    user::insert(unit.tx, &user).map_err(taken)?;
    membership::add(unit, tenant, user.id, role)?;
    share::assign_pending(unit, user.id, &user.email_key)?;
    Ok(user)
}

fn own_record(unit: &UnitOfWork<'_, '_>, tenant: TenantId, details: &AccountDetails) -> Talent {
    Talent {
        id: unit.ids.next(),
        tenant,
        team: None,
        fullname: details.fullname.clone(),
        aliases: Aliases::default(),
        email: Some(details.email.clone()),
        phone: None,
        bio: None,
        social_media: SocialMedia::default(),
        status: TalentStatus::Active,
        verified: true,
        created_at: unit.now,
        updated_at: unit.now,
    }
}

fn new_tenant(id: TenantId, details: &AccountDetails, now: Timestamp) -> Tenant {
    let organization = details.organization.clone().unwrap_or_else(|| Organization {
        name: details.fullname.as_str().to_owned(),
        name_key: details.fullname.key(),
        kind: TenantType::Individual,
        description: None,
    });
    Tenant {
        id,
        name: organization.name,
        name_key: organization.name_key,
        kind: organization.kind,
        description: organization.description,
        status: OrganizationStatus::Active,
        plan: Plan::default(),
        created_at: now,
    }
}

pub(crate) fn send_code(
    unit: &mut UnitOfWork<'_, '_>,
    details: &AccountDetails,
    code: &Otp,
) -> Result<String> {
    let to = details.email.as_str();
    let minutes = (CODE_LIFE.as_secs() / 60).to_string();
    let values = [plain("code", code.expose()), plain("minutes", &minutes)];
    let mail = compose::for_visitor(unit, MailKind::Registration, to, None, &values)?;
    unit.app.mailer.enqueue(unit.tx, "registration", &mail)?;
    Ok(to.to_owned())
}

fn resource(email: &Email) -> Resource {
    Resource { kind: "registration", id: None, name: Some(email.as_str().to_owned()) }
}

pub(crate) fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == EMAIL_IS_TAKEN => email_taken(),
        grantor_storage::Error::Unique(name) if name == NAME_IS_TAKEN => name_taken(),
        other => other.into(),
    }
}

fn email_taken() -> Error {
    let message = "An account with this email address already exists";
    Error::new(ErrorKind::EmailExists, message).at("email")
}

pub(crate) fn name_taken() -> Error {
    Error::new(ErrorKind::Exists, "An organization with this name already exists")
        .at("organization.name")
}
