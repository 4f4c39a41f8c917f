//! Registration: what was entered waits as a challenge until the mailed code proves the address.
//! An unverified account reserves nothing; the first to prove an address or a name has it.

use std::net::IpAddr;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::organization::{NewOrganization, OrganizationStatus, Plan};
use grantor_domain::otp::{CODE_LIFE, CodeCheck, Otp};
use grantor_domain::password::{Password, PasswordPolicy};
use grantor_domain::person::FullName;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::talent::{Aliases, SocialMedia, Talent, TalentStatus};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::talent;
use grantor_storage::tenant::{self, NAME_IS_TAKEN, Tenant};
use grantor_storage::user::{self, EMAIL_IS_TAKEN, User};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Desk, Done};
use crate::code::{self, CodeFor, CodeSent, Guess, Known, Presented};
use crate::letter;
use crate::mail::bound;
use crate::membership::{self, Place};
use crate::permission::share;
use crate::{App, Context};

/// What a person entered.
pub struct NewAccount {
    /// The person's name.
    pub fullname: FullName,
    /// The address to be proved.
    pub email: Email,
    /// The password chosen.
    pub password: Password,
    /// The organization to be made; none for who manages themself.
    pub organization: Option<NewOrganization>,
}

impl NewAccount {
    /// Reads what was entered, after the organization; every field that does not fit is named.
    pub fn parse(
        fullname: Option<&str>,
        email: Option<&str>,
        password: Option<&str>,
        organization: Option<NewOrganization>,
        policy: PasswordPolicy,
        mut fields: Fields,
    ) -> Result<Self> {
        for (name, given) in [("fullname", fullname), ("email", email), ("password", password)] {
            if given.is_none_or(str::is_empty) {
                fields.add(name, "is required");
            }
        }
        let [fullname, email, password] =
            [fullname, email, password].map(Option::unwrap_or_default);
        let about = [fullname, email, organization.as_ref().map_or("", |it| it.name.as_str())];
        let password = fields.take("password", Password::choose(password, &about, policy));
        let fullname = fields.take("fullname", FullName::parse(fullname));
        let email = fields.take("email", Email::parse(email));
        fields.finish()?;
        match (fullname, email, password) {
            (Some(fullname), Some(email), Some(password)) => {
                Ok(Self { fullname, email, password, organization })
            }
            _ => Err(Error::validation("Some fields are not valid")),
        }
    }
}

/// The address was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The new account.
    pub user: UserId,
    /// Its address.
    pub email: String,
}

/// Takes what was entered and mails a code. Registering again replaces what waited before.
pub async fn register(app: &App, context: &Context, account: NewAccount) -> Result<CodeSent> {
    let entered = Entered::hashed(app, account, context.origin.address).await?;
    let room = bound::take_quietly(app, context, &entered.email).await?;
    let sent = app.act(context, Register { entered, mails: room.is_some() }).await;
    if let (Err(_), Some(room)) = (&sent, room) {
        room.give_back(app).await;
    }
    sent
}

/// Checks the code and makes the account. The fifth wrong code ends the session.
pub async fn validate(app: &App, context: &Context, session: &str, code: &str) -> Result<Verified> {
    let code = Otp::parse(code).map_err(|reason| Error::field("otp", reason))?;
    let session = Secret::parse(&[SecretKind::OtpSession], session).ok_or_else(code::ended)?;
    let guess = Guess::begin(app, context, None).await;
    let act = Validate { session: session.hash(), code, open: guess.open };
    match app.act(context, act).await? {
        Outcome::Verified(verified) => {
            guess.take_back(app).await;
            Ok(verified)
        }
        Outcome::Refused(verdict) => {
            if verdict == CodeCheck::Expired {
                guess.take_back(app).await;
            }
            Err(code::refusal(verdict))
        }
    }
}

/// What waits, sealed, until the address is proved.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Entered {
    pub(crate) fullname: FullName,
    pub(crate) email: Email,
    /// Nothing for who registers without one.
    pub(crate) password_hash: Option<String>,
    organization: Option<Organization>,
}

impl Entered {
    /// What a person entered, without the password itself.
    pub(crate) async fn hashed(
        app: &App,
        account: NewAccount,
        from: Option<IpAddr>,
    ) -> Result<Self> {
        let password_hash = app.hasher.hash(account.password, from).await?;
        Ok(Self {
            fullname: account.fullname,
            email: account.email,
            password_hash: Some(password_hash),
            organization: account.organization.map(Organization::from),
        })
    }

    /// Who registers with a name and an address alone.
    pub(crate) fn passwordless(fullname: FullName, email: Email) -> Self {
        Self::person(fullname, email, None)
    }

    /// Who manages themself.
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
    entered: Entered,
    /// Whether the address may be written to once more.
    mails: bool,
}

impl Act for Register {
    type Grant = ();
    type Output = CodeSent;
    const ACTION: &'static str = "registration.create";

    /// Everybody may register; what is taken by a proved account is told at once.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        if user::find_by_email(desk.tx, &self.entered.email.key())?.is_some() {
            return Err(email_taken());
        }
        match &self.entered.organization {
            Some(it) if tenant::organization_exists(desk.tx, &it.name_key)? => Err(name_taken()),
            _ => Ok(()),
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<CodeSent>> {
        let session = Secret::generate(SecretKind::OtpSession, &*desk.app.entropy);
        if !self.mails {
            // Nothing waits for a code that nobody gets, and what waited before goes on.
            let email = self.entered.email.as_str().to_owned();
            let sent = CodeSent { session: session.expose().to_owned(), email };
            let message = "A registration was begun at an address that has had too much mail";
            return Ok(Done::new(sent, resource(&self.entered.email), message).refused());
        }
        let purpose = CodeFor::Registration;
        let known = Known { session: &session, link: None };
        let (email, entered) = (&self.entered.email, &self.entered);
        let code = code::begin(desk, purpose, &known, email, CODE_LIFE, entered)?;
        let email = send_code(desk, &self.entered, &code)?;
        let sent = CodeSent { session: session.expose().to_owned(), email };
        Ok(Done::new(sent, resource(&self.entered.email), "A registration was begun"))
    }
}

enum Outcome {
    Verified(Verified),
    Refused(CodeCheck),
}

struct Validate {
    session: SecretHash,
    code: Otp,
    /// Whether there is room for another code.
    open: bool,
}

impl Act for Validate {
    type Grant = (CodeCheck, Entered);
    type Output = Outcome;
    const ACTION: &'static str = "registration.verify";

    /// Holding the session is the permission; it costs one of its tries.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let presented = Presented::Code(&self.code, self.open);
        let tried = code::attempt(desk, CodeFor::Registration, &self.session, &presented)?;
        tried.ok_or_else(code::ended)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, tried: Self::Grant) -> Result<Done<Outcome>> {
        let (verdict, entered) = tried;
        if verdict != CodeCheck::Accepted {
            let resource = resource(&entered.email);
            let refused = Outcome::Refused(verdict);
            return Ok(Done::new(refused, resource, "A registration code was refused").refused());
        }
        code::finish(desk, &self.session)?;
        let (user, place) = create(desk, &entered)?;
        let (id, tenant, email) = (user.id, place.tenant, user.email);
        let resource =
            Resource { kind: "user", id: Some(id.to_string()), name: Some(user.fullname) };
        let verified = Outcome::Verified(Verified { user: id, email });
        let mut done = Done::new(verified, resource, "An account was activated");
        done.tenant = Some(tenant);
        Ok(done)
    }
}

/// Makes the account and its tenant.
pub(crate) fn create(desk: &mut Desk<'_, '_>, entered: &Entered) -> Result<(User, Place)> {
    let tenant = new_tenant(desk.ids.next(), entered, desk.now);
    let role = match tenant.kind {
        TenantType::Individual => Role::Individual,
        _ => Role::OrganizationAdmin,
    };
    tenant::insert(desk.tx, &tenant).map_err(taken)?;
    let user = create_in(desk, tenant.id, role, entered)?;
    if role == Role::Individual {
        // Who manages themself is their own talent (contract section 5).
        let talent = own_record(desk, tenant.id, entered);
        talent::insert(desk.tx, &talent, Some(user.id))?;
    }
    let Tenant { id, name, kind, .. } = tenant;
    Ok((user, Place { tenant: id, name, kind, role, active: true, open: true }))
}

/// Makes an account that is a member of a tenant which is there.
pub(crate) fn create_in(
    desk: &mut Desk<'_, '_>,
    tenant: TenantId,
    role: Role,
    entered: &Entered,
) -> Result<User> {
    let user = User {
        id: desk.ids.next(),
        last_tenant: tenant,
        email: entered.email.as_str().to_owned(),
        email_key: entered.email.key(),
        fullname: entered.fullname.as_str().to_owned(),
        fullname_key: entered.fullname.key(),
        password_hash: entered.password_hash.clone(),
        bio: None,
        location: None,
        phone: None,
        created_at: desk.now,
    };
    user::insert(desk.tx, &user).map_err(taken)?;
    membership::add(desk, tenant, user.id, role)?;
    share::take_up(desk, user.id, &user.email_key)?;
    Ok(user)
}

fn own_record(desk: &Desk<'_, '_>, tenant: TenantId, entered: &Entered) -> Talent {
    Talent {
        id: desk.ids.next(),
        tenant,
        team: None,
        fullname: entered.fullname.clone(),
        aliases: Aliases::default(),
        email: Some(entered.email.clone()),
        phone: None,
        bio: None,
        social_media: SocialMedia::default(),
        status: TalentStatus::Active,
        verified: true,
        created_at: desk.now,
        updated_at: desk.now,
    }
}

fn new_tenant(id: TenantId, entered: &Entered, now: Timestamp) -> Tenant {
    let organization = entered.organization.clone().unwrap_or_else(|| Organization {
        name: entered.fullname.as_str().to_owned(),
        name_key: entered.fullname.key(),
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

pub(crate) fn send_code(desk: &mut Desk<'_, '_>, entered: &Entered, code: &Otp) -> Result<String> {
    let to = entered.email.as_str();
    let minutes = (CODE_LIFE.as_secs() / 60).to_string();
    let values = [("code", code.expose()), ("minutes", &*minutes)];
    let mail = letter::write(desk.tx, MailKind::Registration, to, None, &values)?;
    desk.app.mailer.enqueue(desk.tx, "registration", &mail)?;
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
    Error::new(ErrorKind::EmailExists, "An account with this address exists already").at("email")
}

pub(crate) fn name_taken() -> Error {
    Error::new(ErrorKind::Exists, "An organization of this name exists already")
        .at("organization.name")
}
