//! Registration: what was entered waits as a challenge until the mailed code proves the address.
//! An unverified account reserves nothing; the first to prove an address or a name has it.

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::limit::Standing;
use grantor_domain::organization::{NewOrganization, OrganizationStatus, Plan};
use grantor_domain::otp::{CODE_LIFE, CodeCheck, MAX_WRONG, Otp, Resend};
use grantor_domain::password::Password;
use grantor_domain::person::FullName;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::challenge::{self, Challenge};
use grantor_storage::tenant::{self, NAME_IS_TAKEN, Tenant};
use grantor_storage::user::{self, EMAIL_IS_TAKEN, User};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Desk, Done};
use crate::keys::Purpose;
use crate::letter::CodeLetter;
use crate::{App, Context};

const PURPOSE: &str = "registration";

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

/// A code is on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSent {
    /// Names the session the code belongs to.
    pub session: String,
    /// Where it went.
    pub email: String,
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
    let password_hash = app.hasher.hash(account.password).await?;
    let entered = Entered {
        fullname: account.fullname,
        email: account.email,
        password_hash,
        organization: account.organization.map(Organization::from),
    };
    let sent = app.act(context, Register(entered)).await?;
    app.mailer.wake();
    Ok(sent)
}

/// Checks the code and makes the account. The fifth wrong code ends the session.
pub async fn validate(app: &App, context: &Context, session: &str, code: &str) -> Result<Verified> {
    let code = Otp::parse(code).map_err(|reason| Error::field("otp", reason))?;
    let session = Secret::parse(&[SecretKind::OtpSession], session).ok_or_else(ended)?;
    match app.act(context, Validate { session: session.hash(), code }).await? {
        Outcome::Verified(verified) => Ok(verified),
        Outcome::Refused(CodeCheck::Expired) => {
            Err(Error::new(ErrorKind::OtpExpired, "The code has expired; ask for another"))
        }
        Outcome::Refused(CodeCheck::Wrong { .. }) => {
            Err(Error::new(ErrorKind::InvalidOtp, "The code is not the one that was sent"))
        }
        Outcome::Refused(CodeCheck::Dead | CodeCheck::Accepted) => Err(ended()),
    }
}

/// Mails another code for the same session; the old one dies.
pub async fn resend(app: &App, context: &Context, session: &str) -> Result<CodeSent> {
    let parsed = Secret::parse(&[SecretKind::OtpSession], session).ok_or_else(ended)?;
    let email = app.act(context, SendAgain { session: parsed.hash() }).await?;
    app.mailer.wake();
    Ok(CodeSent { session: session.to_owned(), email })
}

fn ended() -> Error {
    let message = "This session has ended or never was; register again";
    Error::new(ErrorKind::InvalidSession, message)
}

/// What waits, sealed, until the address is proved.
#[derive(Clone, Serialize, Deserialize)]
struct Entered {
    fullname: FullName,
    email: Email,
    password_hash: String,
    organization: Option<Organization>,
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

struct Register(Entered);

impl Act for Register {
    type Grant = ();
    type Output = CodeSent;
    const ACTION: &'static str = "registration.create";

    /// Everybody may register; what is taken by a proved account is told at once.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        if user::find_by_email(desk.tx, &self.0.email.key())?.is_some() {
            return Err(email_taken());
        }
        match &self.0.organization {
            Some(it) if tenant::organization_exists(desk.tx, &it.name_key)? => Err(name_taken()),
            _ => Ok(()),
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<CodeSent>> {
        let session = Secret::generate(SecretKind::OtpSession, &*desk.app.entropy);
        let hash = session.hash();
        let plain = serde_json::to_vec(&self.0).map_err(|it| Error::internal(it.to_string()))?;
        let code = Otp::generate(&*desk.app.entropy);
        let challenge = Challenge {
            sealed: desk.app.keys.seal(Purpose::Field, &seal_context(&hash), &plain),
            code_mac: code_mac(desk.app, &hash, &code),
            wrong: 0,
            resends: 0,
            sent_at: desk.now,
            expires_at: desk.now.plus(CODE_LIFE),
        };
        challenge::replace(desk.tx, &hash, PURPOSE, &self.0.email.key(), &challenge)?;
        send_code(desk, &self.0, &code)?;
        let email = self.0.email.as_str().to_owned();
        let sent = CodeSent { session: session.expose().to_owned(), email };
        Ok(Done::new(sent, resource(&self.0.email), "A registration was begun"))
    }
}

enum Outcome {
    Verified(Verified),
    Refused(CodeCheck),
}

struct Validate {
    session: SecretHash,
    code: Otp,
}

impl Act for Validate {
    type Grant = Challenge;
    type Output = Outcome;
    const ACTION: &'static str = "registration.verify";

    /// Holding the session is the permission; it costs one of its tries.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Challenge> {
        challenge::take_try(desk.tx, &self.session, PURPOSE, MAX_WRONG)?.ok_or_else(ended)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, taken: Challenge) -> Result<Done<Outcome>> {
        let entered = open(desk.app, &self.session, &taken)?;
        let tried_before = taken.wrong.saturating_sub(1);
        let matches = || {
            let data = code_data(&self.session, &self.code);
            desk.app.keys.verify_mac(Purpose::Otp, &data, &taken.code_mac)
        };
        let verdict = CodeCheck::decide(desk.now, taken.expires_at, tried_before, matches);
        if verdict != CodeCheck::Accepted {
            let done = Done::new(
                Outcome::Refused(verdict),
                resource(&entered.email),
                "A registration code was refused",
            );
            return Ok(done.refused());
        }
        if !challenge::delete(desk.tx, &self.session)? {
            return Err(ended());
        }
        let user = create(desk, &entered)?;
        let (id, tenant, email) = (user.id, user.tenant, user.email);
        let resource =
            Resource { kind: "user", id: Some(id.to_string()), name: Some(user.fullname) };
        let verified = Outcome::Verified(Verified { user: id, email });
        let mut done = Done::new(verified, resource, "An account was activated");
        done.tenant = Some(tenant);
        Ok(done)
    }
}

fn create(desk: &mut Desk<'_, '_>, entered: &Entered) -> Result<User> {
    let tenant = new_tenant(desk.ids.next(), entered, desk.now);
    let role = match tenant.kind {
        TenantType::Individual => Role::Individual,
        _ => Role::OrganizationAdmin,
    };
    tenant::insert(desk.tx, &tenant).map_err(taken)?;
    let user = User {
        id: desk.ids.next(),
        tenant: tenant.id,
        email: entered.email.as_str().to_owned(),
        email_key: entered.email.key(),
        fullname: entered.fullname.as_str().to_owned(),
        fullname_key: entered.fullname.key(),
        password_hash: Some(entered.password_hash.clone()),
        role,
        active: true,
        bio: None,
        location: None,
        phone: None,
        created_at: desk.now,
    };
    user::insert(desk.tx, &user).map_err(taken)?;
    Ok(user)
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

struct SendAgain {
    session: SecretHash,
}

impl Act for SendAgain {
    type Grant = Challenge;
    type Output = String;
    const ACTION: &'static str = "registration.resend";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Challenge> {
        let found = challenge::find(desk.tx, &self.session, PURPOSE)?;
        let live = found.filter(|it| it.wrong < MAX_WRONG && desk.now < it.expires_at);
        let challenge = live.ok_or_else(ended)?;
        let wait = match Resend::decide(desk.now, challenge.sent_at, challenge.resends) {
            Resend::Allowed => return Ok(challenge),
            Resend::TooSoon(wait) => wait,
            Resend::TooMany => challenge.expires_at.since(desk.now),
        };
        let standing =
            Standing { limit: 1, remaining: 0, resets_at: desk.now.plus(wait), resets_in: wait };
        let kind = ErrorKind::RateLimited(standing);
        Err(Error::new(kind, "Another code cannot be sent yet"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, challenge: Challenge) -> Result<Done<String>> {
        let entered = open(desk.app, &self.session, &challenge)?;
        let code = Otp::generate(&*desk.app.entropy);
        let mac = code_mac(desk.app, &self.session, &code);
        let expires_at = desk.now.plus(CODE_LIFE);
        let resends = challenge.resends;
        if !challenge::renew(desk.tx, &self.session, &mac, desk.now, expires_at, resends)? {
            return Err(ended());
        }
        send_code(desk, &entered, &code)?;
        let email = entered.email.as_str().to_owned();
        Ok(Done::new(email, resource(&entered.email), "A registration code was sent again"))
    }
}

fn send_code(desk: &mut Desk<'_, '_>, entered: &Entered, code: &Otp) -> Result<()> {
    let letter = CodeLetter {
        to: entered.email.as_str(),
        name: entered.fullname.as_str(),
        code: code.expose(),
        purpose: "to finish your registration",
        minutes: CODE_LIFE.as_secs() / 60,
    };
    desk.app.mailer.enqueue(desk.tx, PURPOSE, &letter.write()).map(drop)
}

fn open(app: &App, session: &SecretHash, challenge: &Challenge) -> Result<Entered> {
    app.keys
        .open_sealed(Purpose::Field, &seal_context(session), &challenge.sealed)
        .and_then(|plain| serde_json::from_slice(&plain).ok())
        .ok_or_else(|| Error::internal("a registration does not open"))
}

fn seal_context(session: &SecretHash) -> String {
    format!("challenge:{}", grantor_domain::hex::encode(session.as_bytes()))
}

/// The code alone has a million forms: bound to its session, a MAC of one says nothing of another.
fn code_data(session: &SecretHash, code: &Otp) -> Vec<u8> {
    [session.as_bytes().as_slice(), code.expose().as_bytes()].concat()
}

fn code_mac(app: &App, session: &SecretHash, code: &Otp) -> Vec<u8> {
    app.keys.mac(Purpose::Otp, &code_data(session, code)).to_vec()
}

fn resource(email: &Email) -> Resource {
    Resource { kind: "registration", id: None, name: Some(email.as_str().to_owned()) }
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == EMAIL_IS_TAKEN => email_taken(),
        grantor_storage::Error::Unique(name) if name == NAME_IS_TAKEN => name_taken(),
        other => other.into(),
    }
}

fn email_taken() -> Error {
    Error::new(ErrorKind::EmailExists, "An account with this address exists already")
}

fn name_taken() -> Error {
    Error::new(ErrorKind::Exists, "An organization of this name exists already")
}
