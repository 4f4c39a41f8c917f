//! Registering and signing in without a password, by a mailed link or one-time code. Responses and
//! their timing don't reveal whether an address has an account.

mod verify;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::limit::LimitName;
use grantor_domain::otp::{MAGIC_LINK_LIFE, Otp};
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::challenge;
use grantor_storage::user::{self, User};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

pub use self::verify::{enter, verify, verify_with};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::code::{self, ChallengeSecrets, CodePurpose};
use crate::mail::phrase::plain;
use crate::mail::{Mailer, compose};
use crate::operations::limit::Subject;
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
        let values =
            [plain("link", &link), plain("code", code.expose()), plain("minutes", &minutes)];
        let name = account.as_ref().map(|it| it.fullname.as_str());
        let link_mail = compose::for_visitor(unit, MailKind::MagicLink, to, name, &values)?;
        let sign_up = self.link(unit, "/app/sign-up");
        let no_account = compose::no_account(unit, to, "mail-purpose-sign-in", &sign_up)?;
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
