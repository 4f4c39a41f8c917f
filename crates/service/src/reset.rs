//! A forgotten password: a mailed code lets its owner choose another. Nobody else learns whether
//! there is an account: every step does the same work and says the same for any address.

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::limit::LimitName;
use grantor_domain::otp::{CODE_LIFE, CodeCheck, Otp};
use grantor_domain::password::Password;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, Result};
use grantor_storage::{challenge, session, user};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Desk, Done};
use crate::code::{self, CodeFor, CodeSent};
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

/// Checks the code, sets the password and ends every session of the account.
pub async fn reset(
    app: &App,
    context: &Context,
    session: &str,
    code: &str,
    new_password: &str,
) -> Result<()> {
    let code = Otp::parse(code).map_err(|reason| Error::field("otp", reason))?;
    let session = Secret::parse(&[SecretKind::OtpSession], session).ok_or_else(code::ended)?;
    let hash = session.hash();
    let found = app.store.read(move |tx| challenge::find(tx, &hash)).await.map_err(Error::from)?;
    let found = found.filter(|it| it.purpose == CodeFor::Reset.name()).ok_or_else(code::ended)?;
    let asked: Asked = code::open(app, &hash, &found)?;
    let password = Password::choose(new_password, &[asked.email.as_str()])
        .map_err(|error| Error::field("newPassword", error.to_string()))?;
    let password_hash = app.hasher.hash(password).await?;
    let verdict = app.act(context, Reset { session: hash, code, password_hash }).await?;
    if verdict == CodeCheck::Accepted { Ok(()) } else { Err(code::refusal(verdict)) }
}

/// What waits, sealed, until the code comes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Asked {
    email: Email,
}

pub(crate) fn send_code(desk: &mut Desk<'_, '_>, asked: &Asked, code: &Otp) -> Result<String> {
    let to = asked.email.as_str();
    let account = user::find_by_email(desk.tx, &asked.email.key())?;
    let name = account.as_ref().map(|user| user.fullname.as_str());
    let minutes = (CODE_LIFE.as_secs() / 60).to_string();
    // Both are written and one is sent, so that it takes as long.
    let values = [("code", code.expose()), ("minutes", &*minutes)];
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
        let asked = &self.0;
        let code = code::begin(desk, CodeFor::Reset, &session, &asked.email, CODE_LIFE, asked)?;
        let email = send_code(desk, asked, &code)?;
        let sent = CodeSent { session: session.expose().to_owned(), email };
        Ok(Done::new(sent, resource(&asked.email), "A code for another password was asked for"))
    }
}

struct Reset {
    session: SecretHash,
    code: Otp,
    password_hash: String,
}

impl Act for Reset {
    type Grant = (CodeCheck, Asked);
    type Output = CodeCheck;
    const ACTION: &'static str = "password.reset";

    /// Holding the session is the permission; it costs one of its tries.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let tried = code::attempt(desk, CodeFor::Reset, &self.session, Some(&self.code))?;
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
