//! A forgotten password: a mailed code lets its owner choose another. Nobody else learns whether
//! there is an account: every step does the same work and says the same for any address.

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::limit::LimitName;
use grantor_domain::otp::{CODE_LIFE, CodeCheck, Otp};
use grantor_domain::password::Password;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{challenge, session, user};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Desk, Done};
use crate::code::{self, CodeFor, CodeSent, Guess, Known, Presented};
use crate::letter;
use crate::limit::Subject;
use crate::mail::Mailer;
use crate::{App, Context};

/// Mails a code to the account with this address, or a word that there is none.
pub async fn forgot(app: &App, context: &Context, email: Email) -> Result<CodeSent> {
    let subject = Subject::text(&email.key());
    context.standing.put(app.limiter.hit(LimitName::PasswordReset, &subject).await?);
    app.act(context, Forgot(Asked { email })).await
}

/// How a person proves that a mail was theirs.
pub enum Proof<'a> {
    /// The code in it, and the session it was asked for in.
    Code {
        /// The session.
        session: &'a str,
        /// The code.
        code: &'a str,
    },
    /// The long token in its link.
    Link(&'a str),
}

/// Checks the proof, sets the password and ends every session of the account.
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
            (session.ok_or_else(code::ended)?.hash(), Some(code))
        }
        Proof::Link(token) => (linked(app, token).await?, None),
    };
    let found = app.store.read(move |tx| challenge::find(tx, &hash)).await.map_err(Error::from)?;
    let found = found.filter(|it| it.purpose == CodeFor::Reset.name()).ok_or_else(code::ended)?;
    let asked: Asked = code::open(app, &hash, &found)?;
    let password = Password::choose(new_password, &[asked.email.as_str()], app.password_policy)
        .map_err(|error| Error::field("newPassword", error.to_string()))?;
    let password_hash = app.hasher.hash(password, context.origin.address).await?;
    let by_code = code.is_some();
    let mut guess = None;
    if by_code {
        guess = Some(Guess::begin(app, context, Some(&asked.email)).await);
    }
    let open = guess.as_ref().is_some_and(|it| it.open);
    let verdict = app.act(context, Reset { session: hash, code, open, password_hash }).await?;
    if let (Some(guess), CodeCheck::Accepted | CodeCheck::Expired) = (guess, verdict) {
        guess.take_back(app).await;
    }
    match verdict {
        CodeCheck::Accepted => Ok(()),
        CodeCheck::Expired if !by_code => Err(link_expired()),
        refused => Err(code::refusal(refused)),
    }
}

/// The session whose mail carries this token.
async fn linked(app: &App, token: &str) -> Result<SecretHash> {
    let token = Secret::parse(&[SecretKind::ResetLink], token).ok_or_else(code::ended)?;
    let hash = token.hash();
    let found = app.store.read(move |tx| challenge::find_by_link(tx, &hash)).await;
    found.map_err(Error::from)?.ok_or_else(code::ended)
}

fn link_expired() -> Error {
    Error::new(ErrorKind::OtpExpired, "The link has expired; ask for another")
}

/// What waits, sealed, until the code comes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Asked {
    email: Email,
}

pub(crate) fn send_code(
    desk: &mut Desk<'_, '_>,
    asked: &Asked,
    code: &Otp,
    link: &Secret,
) -> Result<String> {
    let to = asked.email.as_str();
    let account = user::find_by_email(desk.tx, &asked.email.key())?;
    let name = account.as_ref().map(|user| user.fullname.as_str());
    let minutes = (CODE_LIFE.as_secs() / 60).to_string();
    // Both are written and one is sent, so that it takes as long.
    let link = format!("{}/app/reset?token={}", desk.app.public_url, link.expose());
    let values = [("code", code.expose()), ("link", &*link), ("minutes", &*minutes)];
    let letter = letter::write(desk.tx, MailKind::PasswordReset, to, name, &values)?;
    let other = letter::no_account(desk.tx, to, "for another password", &desk.app.public_url)?;
    let (mail, unsent) = if account.is_some() { (letter, other) } else { (other, letter) };
    Mailer::weigh(&unsent);
    desk.app.mailer.enqueue(desk.tx, "reset", &mail)?;
    Ok(to.to_owned())
}

fn resource(email: &Email) -> Resource {
    Resource { kind: "password", id: None, name: Some(email.as_str().to_owned()) }
}

struct Forgot(Asked);

impl Act for Forgot {
    type Grant = ();
    type Output = CodeSent;
    const ACTION: &'static str = "password.forgot";

    /// Everybody may ask.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<CodeSent>> {
        let session = Secret::generate(SecretKind::OtpSession, &*desk.app.entropy);
        let link = Secret::generate(SecretKind::ResetLink, &*desk.app.entropy);
        let asked = &self.0;
        let known = Known { session: &session, link: Some(&link) };
        let code = code::begin(desk, CodeFor::Reset, &known, &asked.email, CODE_LIFE, asked)?;
        let email = send_code(desk, asked, &code, &link)?;
        let sent = CodeSent { session: session.expose().to_owned(), email };
        Ok(Done::new(sent, resource(&asked.email), "A code for another password was asked for"))
    }
}

struct Reset {
    session: SecretHash,
    /// Nothing for who holds the long token.
    code: Option<Otp>,
    /// Whether there is room for another code.
    open: bool,
    password_hash: String,
}

impl Act for Reset {
    type Grant = (CodeCheck, Asked);
    type Output = CodeCheck;
    const ACTION: &'static str = "password.reset";

    /// Holding the session or the mail is the permission; a code costs one of the session's tries.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let presented =
            self.code.as_ref().map_or(Presented::Link, |code| Presented::Code(code, self.open));
        let tried = code::attempt(desk, CodeFor::Reset, &self.session, &presented)?;
        tried.ok_or_else(code::ended)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, tried: Self::Grant) -> Result<Done<CodeCheck>> {
        let (verdict, asked) = tried;
        let found = user::find_by_email(desk.tx, &asked.email.key())?;
        let found = found.map(|it| user::claim(desk.tx, it.id)).transpose()?.flatten();
        let (CodeCheck::Accepted, Some(mut user)) = (verdict, found) else {
            // Nobody was mailed the code of an address without an account: it was guessed.
            let verdict = match verdict {
                CodeCheck::Accepted => CodeCheck::Wrong { left: 0 },
                other => other,
            };
            let done = Done::new(verdict, resource(&asked.email), "A reset code was refused");
            return Ok(done.refused());
        };
        code::finish(desk, &self.session)?;
        user.password_hash = Some(self.password_hash.clone());
        user::update(desk.tx, &user, desk.now)?;
        session::revoke_all(desk.tx, user.id.as_uuid(), desk.now)?;
        let mail = letter::password_changed(desk.tx, &user.email, &user.fullname)?;
        desk.app.mailer.enqueue(desk.tx, "password_changed", &mail)?;
        let message = "A password was reset and every session ended";
        let mut done = Done::new(verdict, resource(&asked.email), message);
        done.tenant = Some(user.last_tenant);
        Ok(done)
    }
}
