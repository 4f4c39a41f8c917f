//! Registering and signing in without a password, by a mailed link or one-time code. Responses and
//! their timing don't reveal whether an address has an account.

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::TenantId;
use grantor_domain::limit::LimitName;
use grantor_domain::otp::{CodeCheck, MAGIC_LINK_LIFE, Otp};
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::challenge;
use grantor_storage::user::{self, User};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::code::{self, ChallengeSecrets, CodeAttempt, CodePurpose, Presented};
use crate::identity::registration::{self, AccountDetails};
use crate::identity::session::{self, Issued, SignedIn, guard, separate_refusal};
use crate::mail::{Mailer, compose};
use crate::operations::limit::Subject;
use crate::organizations::membership::{self, TenantMembership};
use crate::{App, Context};

/// The proof that the caller received the mail.
pub enum Proof {
    /// The code from the mail.
    Code {
        /// The address it was sent to.
        email: Email,
        /// The code.
        code: Otp,
    },
    /// The token from the mailed link, as presented.
    Token(String),
}

/// Mails a link that signs in, and creates the account if there is none yet. The link leads on to
/// the page `next` of the console.
pub async fn register(
    app: &App,
    context: &Context,
    email: Email,
    fullname: FullName,
    next: Option<&str>,
) -> Result<()> {
    send(app, context, PendingLink { email, fullname: Some(fullname) }, next).await
}

/// Mails a link that signs in and leads on to the page `next` of the console, or a note that there
/// is no account.
pub async fn request(app: &App, context: &Context, email: Email, next: Option<&str>) -> Result<()> {
    send(app, context, PendingLink { email, fullname: None }, next).await
}

async fn send(
    app: &App,
    context: &Context,
    pending: PendingLink,
    next: Option<&str>,
) -> Result<()> {
    let subject = Subject::text(&pending.email.key());
    context.rate_limit.record(app.limiter.hit(LimitName::MagicLink, &subject).await?);
    let next = next.map(|it| byte_serialize(it.as_bytes()).collect());
    app.act(context, Send { pending, next }).await
}

/// Signs in by the proof, in the given tenant or in the one last used. The error doesn't say what
/// was wrong.
pub async fn verify(
    app: &App,
    context: &Context,
    proof: Proof,
    tenant: Option<TenantId>,
) -> Result<SignedIn> {
    let devices = guard::devices(context);
    let (credential, attempt) = match proof {
        Proof::Code { email, code } => {
            let attempt = CodeAttempt::begin(app, context, Some(&email)).await;
            let allowed = attempt.allowed;
            (Credential::Code { email: email.key(), code, allowed }, Some(attempt))
        }
        Proof::Token(text) => {
            let token = Secret::parse(&[SecretKind::MagicLink], &text).ok_or_else(wrong)?;
            (Credential::Link(token.hash()), None)
        }
    };
    let act = Verify { credential, tenant, devices };
    let (issued, user, membership) = app.act(context, act).await??;
    if let Some(attempt) = attempt {
        attempt.refund(app).await;
    }
    // The limit counts only unused links.
    app.limiter.refund(LimitName::MagicLink, &Subject::text(&user.email_key)).await;
    Ok(SignedIn { tokens: issued.sign(app)?, user, membership })
}

fn wrong() -> Error {
    Error::new(ErrorKind::InvalidCredentials, "The code or link is invalid")
}

/// The data of a magic link, stored encrypted until it is used.
#[derive(Clone, Serialize, Deserialize)]
struct PendingLink {
    email: Email,
    /// Set when the link also registers an account.
    fullname: Option<FullName>,
}

fn resource(email: &str) -> Resource {
    Resource { kind: "magic_link", id: None, name: Some(email.to_owned()) }
}

struct Send {
    pending: PendingLink,
    /// The page after signing in, encoded for a query.
    next: Option<String>,
}

impl Send {
    /// The URL of a page of the console, with the page after it.
    fn link(&self, unit: &UnitOfWork<'_, '_>, page: &str) -> String {
        let link = format!("{}{page}", unit.app.public_url);
        let separator = if page.contains('?') { '&' } else { '?' };
        match &self.next {
            Some(next) => format!("{link}{separator}next={next}"),
            None => link,
        }
    }
}

impl Act for Send {
    type Permit = (Option<User>, PendingLink);
    type Output = ();
    const ACTION: &'static str = "magic_link.create";

    /// Anyone may request a link. A second link after a registration still registers.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let mut pending = self.pending.clone();
        let account = user::find_by_email(unit.tx, &pending.email.key())?;
        let registering = find_pending(unit, &pending.email)?.and_then(|it| it.fullname);
        pending.fullname = pending.fullname.or(registering);
        Ok((account, pending))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, permit: Self::Permit) -> Result<Done<()>> {
        let (account, pending) = permit;
        let to = pending.email.as_str();
        let token = Secret::generate(SecretKind::MagicLink, &*unit.app.entropy);
        let purpose = CodePurpose::MagicLink;
        let secrets = ChallengeSecrets { session: &token, link: None };
        let code = code::begin(unit, purpose, &secrets, &pending.email, MAGIC_LINK_LIFE, &pending)?;
        let link = self.link(unit, &format!("/app/magic?token={}", token.expose()));
        // Both mails are composed and one is sent, so that the timing is the same.
        let minutes = (MAGIC_LINK_LIFE.as_secs() / 60).to_string();
        let values = [("link", &*link), ("code", code.expose()), ("minutes", &*minutes)];
        let name = account.as_ref().map(|it| it.fullname.as_str());
        let link_mail = compose::from_template(unit.tx, MailKind::MagicLink, to, name, &values)?;
        let sign_up = self.link(unit, "/app/sign-up");
        let no_account = compose::no_account(unit.tx, to, "to sign in", &sign_up)?;
        let sends_link = account.is_some() || pending.fullname.is_some();
        let (mail, unsent) =
            if sends_link { (link_mail, no_account) } else { (no_account, link_mail) };
        Mailer::simulate_enqueue(&unsent);
        unit.app.mailer.enqueue(unit.tx, purpose.name(), &mail)?;
        Ok(Done::new((), resource(to), "A magic link was requested"))
    }
}

/// Returns the data of the address's previous link, if it is still stored.
fn find_pending(unit: &mut UnitOfWork<'_, '_>, email: &Email) -> Result<Option<PendingLink>> {
    let session = challenge::find_by_email(unit.tx, &email.key(), CodePurpose::MagicLink.name())?;
    let Some(session) = session else { return Ok(None) };
    let found = challenge::find(unit.tx, &session)?;
    found.map(|it| code::open(unit.app, &session, &it)).transpose()
}

/// The presented proof.
enum Credential {
    /// The address and the code, and whether the limits allow this attempt.
    Code { email: String, code: Otp, allowed: bool },
    /// The hash of the link token, which identifies the challenge.
    Link(SecretHash),
}

struct Verify {
    credential: Credential,
    /// The tenant to act in.
    tenant: Option<TenantId>,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for Verify {
    type Permit = Option<(SecretHash, CodeCheck, PendingLink)>;
    type Output = Result<(Issued, User, TenantMembership)>;
    const ACTION: &'static str = "magic_link.verify";

    /// Having received the mail is the permission. A code uses up one of the attempts.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let purpose = CodePurpose::MagicLink;
        let (session, presented) = match &self.credential {
            Credential::Code { email, code, allowed } => {
                let found = challenge::find_by_email(unit.tx, email, purpose.name())?;
                (found, Presented::Code(code, *allowed))
            }
            Credential::Link(session) => (Some(*session), Presented::Link),
        };
        let Some(session) = session else { return Ok(None) };
        let tried = code::attempt(unit, purpose, &session, &presented)?;
        Ok(tried.map(|(verdict, pending)| (session, verdict, pending)))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let Some((session, verdict, pending)) = permit else {
            let email =
                if let Credential::Code { email, .. } = &self.credential { email } else { "" };
            return Ok(refused(email));
        };
        let key = pending.email.key();
        let account = user::find_by_email(unit.tx, &key)?;
        if verdict != CodeCheck::Accepted || (account.is_none() && pending.fullname.is_none()) {
            return Ok(refused(pending.email.as_str()));
        }
        let is_new = account.is_none();
        let known = match &account {
            Some(user) => separate_refusal(membership::choose(unit.tx, user, self.tenant))?,
            None => Ok(None),
        };
        let known = match known {
            Ok(membership) => account.zip(membership),
            Err(refusal) => {
                let message = "A magic link for an inactive account was rejected";
                let resource = resource(pending.email.as_str());
                let mut done = Done::new(Err(refusal), resource, message).refused();
                done.tenant = account.map(|it| it.last_tenant);
                return Ok(done);
            }
        };
        // A new account isn't a member of any existing tenant.
        let (user, membership) = match (known, pending.fullname) {
            (Some(known), _) => known,
            (None, Some(name)) if is_new && self.tenant.is_none() => {
                let details = AccountDetails::passwordless(name, pending.email.clone());
                registration::create(unit, &details)?
            }
            _ => return Ok(refused(pending.email.as_str())),
        };
        code::finish(unit, &session)?;
        let issued = session::begin_in(unit, user.id, membership.tenant)?;
        guard::remember(unit, user.id, &self.devices)?;
        let (tenant, resource) = (membership.tenant, issued.resource(&user.fullname));
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        let message = "A user signed in with a magic link";
        Ok(Done::new(Ok((issued, user, membership)), resource, message).with_actor(actor))
    }
}

fn refused<T>(email: &str) -> Done<Result<T>> {
    Done::new(Err(wrong()), resource(email), "A magic link or its code was rejected").refused()
}
