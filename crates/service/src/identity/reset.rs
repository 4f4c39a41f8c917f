//! Password reset by mailed code or link. Responses and their timing don't reveal whether an
//! address has an account.

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::otp::{CODE_LIFE, CodeCheck, Otp};
use grantor_domain::password::Password;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{ceremony, challenge, session, staff, user};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::code::{
    self, ChallengeSecrets, CodeAttempt, CodePurpose, CodeSent, Presented,
};
use crate::mail::phrase::plain;
use crate::mail::{Mailer, compose};
use crate::operations::limit::Subject;
use crate::organizations::suspension::require_staff;
use crate::{App, Context};

/// Mails a code to the account with this address, or a note that there is no account. The mailed link
/// leads on to a page of the console if it is given.
pub async fn forgot(
    app: &App,
    context: &Context,
    email: Email,
    next: Option<&str>,
) -> Result<CodeSent> {
    let subject = Subject::text(&email.key());
    context.rate_limit.record(app.limiter.hit(LimitName::PasswordReset, &subject).await?);
    let next = next.map(|it| byte_serialize(it.as_bytes()).collect());
    app.act(context, Forgot(PendingReset { email, next })).await
}

/// Mails a code and a link to a member of a tenant, for staff. The person is told nothing else, and
/// staff don't get the code.
pub async fn send_to_member(
    app: &App,
    context: &Context,
    tenant: TenantId,
    user: UserId,
) -> Result<()> {
    let found = app.store.read(move |tx| Ok::<_, Error>(staff::person(tx, tenant, user)?));
    let person = found.await?.ok_or_else(|| Error::not_found("Person"))?;
    let email = Email::parse(&person.email);
    let email = email.map_err(|it| Error::internal(format!("invalid address: {it}")))?;
    let subject = Subject::text(&email.key());
    context.rate_limit.record(app.limiter.hit(LimitName::PasswordReset, &subject).await?);
    app.act(context, SendToMember { tenant, pending: PendingReset { email, next: None } }).await
}

/// The proof that the caller received the mail.
pub enum Proof<'a> {
    /// The code from the mail, and the session it belongs to.
    Code {
        /// The session.
        session: &'a str,
        /// The code.
        code: &'a str,
    },
    /// The token from the mailed link.
    Link(&'a str),
}

/// Checks the proof, sets the new password and ends all sessions of the account.
pub async fn reset(
    app: &App,
    context: &Context,
    proof: Proof<'_>,
    new_password: &str,
) -> Result<()> {
    let (hash, code) = match proof {
        Proof::Code { session, code } => {
            let code = Otp::parse(code).map_err(|reason| Error::field("otp", reason))?;
            let session = Secret::parse(&[SecretKind::OtpSession], session);
            (session.ok_or_else(code::invalid_session)?.hash(), Some(code))
        }
        Proof::Link(token) => (find_session(app, token).await?, None),
    };
    let pending = pending(app, hash).await?;
    let password = Password::choose(new_password, &[pending.email.as_str()], app.password_policy)
        .map_err(|error| Error::field("newPassword", error.to_string()))?;
    let password_hash = app.hasher.hash(password, context.origin.address).await?;
    let by_code = code.is_some();
    let mut attempt = None;
    if by_code {
        attempt = Some(CodeAttempt::begin(app, context, Some(&pending.email)).await);
    }
    let allowed = attempt.as_ref().is_some_and(|it| it.allowed);
    let verdict = app.act(context, Reset { session: hash, code, allowed, password_hash }).await?;
    if let (Some(attempt), CodeCheck::Accepted | CodeCheck::Expired) = (attempt, verdict) {
        attempt.refund(app).await;
    }
    match verdict {
        CodeCheck::Accepted => Ok(()),
        CodeCheck::Expired if !by_code => Err(link_expired()),
        refused => Err(code::refusal(refused)),
    }
}

/// Returns the address that a link was mailed to. `None` if the link is not valid, which the form
/// says when it is sent.
pub async fn addressee(app: &App, token: &str) -> Result<Option<Email>> {
    let found = async { pending(app, find_session(app, token).await?).await };
    match found.await {
        Ok(pending) => Ok(Some(pending.email)),
        Err(error) if error.is_refusal() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the data of a reset that waits.
async fn pending(app: &App, session: SecretHash) -> Result<PendingReset> {
    let found = app.store.read(move |tx| challenge::find(tx, &session)).await;
    let found = found.map_err(Error::from)?.filter(|it| it.purpose == CodePurpose::Reset.name());
    code::open(app, &session, &found.ok_or_else(code::invalid_session)?)
}

/// Returns the session of a link token.
async fn find_session(app: &App, token: &str) -> Result<SecretHash> {
    let token = Secret::parse(&[SecretKind::ResetLink], token).ok_or_else(code::invalid_session)?;
    let hash = token.hash();
    let found = app.store.read(move |tx| challenge::find_by_link(tx, &hash)).await;
    found.map_err(Error::from)?.ok_or_else(code::invalid_session)
}

fn link_expired() -> Error {
    Error::new(ErrorKind::OtpExpired, "The link has expired; request a new one")
}

/// The data of a password reset, stored encrypted until the code is entered.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PendingReset {
    email: Email,
    /// The page after signing in, encoded for a query.
    #[serde(default)]
    next: Option<String>,
}

pub(crate) fn send_code(
    unit: &mut UnitOfWork<'_, '_>,
    pending: &PendingReset,
    code: &Otp,
    link: &Secret,
) -> Result<String> {
    let to = pending.email.as_str();
    let account = user::find_by_email(unit.tx, &pending.email.key())?;
    let name = account.as_ref().map(|user| user.fullname.as_str());
    let minutes = (CODE_LIFE.as_secs() / 60).to_string();
    // Both mails are composed and one is sent, so that the timing is the same.
    let next = pending.next.as_ref().map(|it| format!("&next={it}")).unwrap_or_default();
    let link = format!("{}/app/reset?token={}{next}", unit.app.public_url, link.expose());
    let values = [plain("code", code.expose()), plain("link", &link), plain("minutes", &minutes)];
    let code_mail = compose::for_visitor(unit, MailKind::PasswordReset, to, name, &values)?;
    let sign_up = format!("{}/app/sign-up", unit.app.public_url);
    let no_account = compose::no_account(unit, to, "mail-purpose-reset", &sign_up)?;
    let (mail, unsent) =
        if account.is_some() { (code_mail, no_account) } else { (no_account, code_mail) };
    Mailer::simulate_enqueue(&unsent);
    unit.app.mailer.enqueue(unit.tx, "reset", &mail)?;
    Ok(to.to_owned())
}

fn resource(email: &Email) -> Resource {
    Resource { kind: "password", id: None, name: Some(email.as_str().to_owned()) }
}

struct Forgot(PendingReset);

impl Act for Forgot {
    type Permit = ();
    type Output = CodeSent;
    const ACTION: &'static str = "password.forgot";

    /// Anyone may request a reset.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<CodeSent>> {
        let sent = send(unit, &self.0)?;
        Ok(Done::new(sent, resource(&self.0.email), "A password reset was requested"))
    }
}

/// Begins a reset and mails its code and link.
fn send(unit: &mut UnitOfWork<'_, '_>, pending: &PendingReset) -> Result<CodeSent> {
    let session = Secret::generate(SecretKind::OtpSession, &*unit.app.entropy);
    let link = Secret::generate(SecretKind::ResetLink, &*unit.app.entropy);
    let secrets = ChallengeSecrets { session: &session, link: Some(&link) };
    let (purpose, email) = (CodePurpose::Reset, &pending.email);
    let code = code::begin(unit, purpose, &secrets, email, CODE_LIFE, pending)?;
    let email = send_code(unit, pending, &code, &link)?;
    Ok(CodeSent { session: session.expose().to_owned(), email })
}

struct SendToMember {
    tenant: TenantId,
    pending: PendingReset,
}

impl Act for SendToMember {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "password.send_reset";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        require_staff(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        send(unit, &self.pending)?;
        let message = "A password reset was sent by staff";
        let mut done = Done::new((), resource(&self.pending.email), message);
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}

struct Reset {
    session: SecretHash,
    /// `None` if the link was used.
    code: Option<Otp>,
    /// Whether the limits allow another attempt.
    allowed: bool,
    password_hash: String,
}

impl Act for Reset {
    type Permit = (CodeCheck, PendingReset);
    type Output = CodeCheck;
    const ACTION: &'static str = "password.reset";

    /// Having the session or the link is the permission. A code uses up one of the attempts.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let presented =
            self.code.as_ref().map_or(Presented::Link, |code| Presented::Code(code, self.allowed));
        let tried = code::attempt(unit, CodePurpose::Reset, &self.session, &presented)?;
        tried.ok_or_else(code::invalid_session)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tried: Self::Permit,
    ) -> Result<Done<CodeCheck>> {
        let (verdict, pending) = tried;
        let found = user::find_by_email(unit.tx, &pending.email.key())?;
        let found = found.map(|it| user::claim(unit.tx, it.id)).transpose()?.flatten();
        let (CodeCheck::Accepted, Some(mut user)) = (verdict, found) else {
            // The code of an address without an account is never mailed, so it was guessed.
            let verdict = match verdict {
                CodeCheck::Accepted => CodeCheck::Wrong { left: 0 },
                other => other,
            };
            let message = "A password reset code was rejected";
            return Ok(Done::new(verdict, resource(&pending.email), message).refused());
        };
        code::finish(unit, &self.session)?;
        user.password_hash = Some(self.password_hash.clone());
        user::update(unit.tx, &user, unit.now)?;
        session::revoke_all(unit.tx, user.id.as_uuid(), unit.now)?;
        // Second factors stay: whoever reads the mail must not get past them.
        ceremony::delete_of(unit.tx, user.id)?;
        let mail = compose::password_changed(unit.tx, &user.email, &user.fullname)?;
        unit.app.mailer.enqueue(unit.tx, "password_changed", &mail)?;
        let message = "A password was reset and all sessions were ended";
        let mut done = Done::new(verdict, resource(&pending.email), message);
        done.tenant = Some(user.last_tenant);
        Ok(done)
    }
}
