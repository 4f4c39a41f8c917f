//! Signing up and in without a password: a mailed link, or the code beside it, is the proof.
//! Nobody learns here whether an address has an account: every step does the same work and says
//! the same for any address.

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

use crate::act::{Act, Desk, Done};
use crate::code::{self, CodeFor, Guess, Known, Presented};
use crate::letter;
use crate::limit::Subject;
use crate::mail::Mailer;
use crate::membership::{self, Place};
use crate::registration::{self, Entered};
use crate::session::{self, Issued, SignedIn, guard, refusable};
use crate::{App, Context};

/// How a person proves that a mail was theirs.
pub enum Proof {
    /// The code in it.
    Code {
        /// The address it went to.
        email: Email,
        /// The code.
        code: Otp,
    },
    /// The token in its link, as presented.
    Token(String),
}

/// Mails a link that signs in, and up where there is no account yet.
pub async fn register(
    app: &App,
    context: &Context,
    email: Email,
    fullname: FullName,
) -> Result<()> {
    send(app, context, Asked { email, fullname: Some(fullname) }).await
}

/// Mails a link that signs in, or a word that there is no account.
pub async fn request(app: &App, context: &Context, email: Email) -> Result<()> {
    send(app, context, Asked { email, fullname: None }).await
}

async fn send(app: &App, context: &Context, asked: Asked) -> Result<()> {
    let subject = Subject::text(&asked.email.key());
    context.standing.put(app.limiter.hit(LimitName::MagicLink, &subject).await?);
    app.act(context, Send(asked)).await
}

/// Signs in whoever proves the mail theirs, to act in the tenant asked for, else in the one last
/// acted in. What was wrong is not said.
pub async fn verify(
    app: &App,
    context: &Context,
    proof: Proof,
    asked: Option<TenantId>,
) -> Result<SignedIn> {
    let devices = guard::devices(context);
    let (by, guess) = match proof {
        Proof::Code { email, code } => {
            let guess = Guess::begin(app, context, Some(&email)).await;
            (By::Code { email: email.key(), code, open: guess.open }, Some(guess))
        }
        Proof::Token(text) => {
            let token = Secret::parse(&[SecretKind::MagicLink], &text).ok_or_else(wrong)?;
            (By::Link(token.hash()), None)
        }
    };
    let (issued, user, place) = app.act(context, Verify { by, asked, devices }).await??;
    if let Some(guess) = guess {
        guess.take_back(app).await;
    }
    // A used one no longer counts towards the limit of unused ones.
    app.limiter.give_back(LimitName::MagicLink, &Subject::text(&user.email_key)).await;
    Ok(SignedIn { tokens: issued.sign(app)?, user, place })
}

fn wrong() -> Error {
    Error::new(ErrorKind::InvalidCredentials, "The code or the link is not valid")
}

/// What waits, sealed, until the proof comes.
#[derive(Clone, Serialize, Deserialize)]
struct Asked {
    email: Email,
    /// Given by who signs up.
    fullname: Option<FullName>,
}

fn resource(email: &str) -> Resource {
    Resource { kind: "magic_link", id: None, name: Some(email.to_owned()) }
}

struct Send(Asked);

impl Act for Send {
    type Grant = (Option<User>, Asked);
    type Output = ();
    const ACTION: &'static str = "magic_link.create";

    /// Everybody may ask. Who signed up and asks for another mail still signs up by it.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let mut asked = self.0.clone();
        let account = user::find_by_email(desk.tx, &asked.email.key())?;
        let signing_up = waiting(desk, &asked.email)?.and_then(|it| it.fullname);
        asked.fullname = asked.fullname.or(signing_up);
        Ok((account, asked))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<()>> {
        let (account, asked) = grant;
        let to = asked.email.as_str();
        let token = Secret::generate(SecretKind::MagicLink, &*desk.app.entropy);
        let purpose = CodeFor::MagicLink;
        let known = Known { session: &token, link: None };
        let code = code::begin(desk, purpose, &known, &asked.email, MAGIC_LINK_LIFE, &asked)?;
        let origin = &desk.app.public_url;
        let link = format!("{origin}/app/magic?token={}", token.expose());
        // Both are written and one is sent, so that it takes as long.
        let minutes = (MAGIC_LINK_LIFE.as_secs() / 60).to_string();
        let values = [("link", &*link), ("code", code.expose()), ("minutes", &*minutes)];
        let name = account.as_ref().map(|it| it.fullname.as_str());
        let letter = letter::write(desk.tx, MailKind::MagicLink, to, name, &values)?;
        let other = letter::no_account(desk.tx, to, "to sign in", origin)?;
        let known = account.is_some() || asked.fullname.is_some();
        let (mail, unsent) = if known { (letter, other) } else { (other, letter) };
        Mailer::weigh(&unsent);
        desk.app.mailer.enqueue(desk.tx, purpose.name(), &mail)?;
        Ok(Done::new((), resource(to), "A magic link was asked for"))
    }
}

/// What was asked with the mail before, as long as it is kept.
fn waiting(desk: &mut Desk<'_, '_>, email: &Email) -> Result<Option<Asked>> {
    let session = challenge::find_by_email(desk.tx, &email.key(), CodeFor::MagicLink.name())?;
    let Some(session) = session else { return Ok(None) };
    let found = challenge::find(desk.tx, &session)?;
    found.map(|it| code::open(desk.app, &session, &it)).transpose()
}

/// What was presented.
enum By {
    /// The address and the code, and whether there is room for another.
    Code { email: String, code: Otp, open: bool },
    /// The long token, which names the session itself.
    Link(SecretHash),
}

struct Verify {
    by: By,
    /// Where to act.
    asked: Option<TenantId>,
    /// Where they sign in from.
    devices: Vec<String>,
}

impl Act for Verify {
    type Grant = Option<(SecretHash, CodeCheck, Asked)>;
    type Output = Result<(Issued, User, Place)>;
    const ACTION: &'static str = "magic_link.verify";

    /// Holding the mail is the permission; a code costs one of its tries.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let purpose = CodeFor::MagicLink;
        let (waiting, presented) = match &self.by {
            By::Code { email, code, open } => {
                let found = challenge::find_by_email(desk.tx, email, purpose.name())?;
                (found, Presented::Code(code, *open))
            }
            By::Link(session) => (Some(*session), Presented::Link),
        };
        let Some(session) = waiting else { return Ok(None) };
        let tried = code::attempt(desk, purpose, &session, &presented)?;
        Ok(tried.map(|(verdict, asked)| (session, verdict, asked)))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Self::Output>> {
        let Some((session, verdict, asked)) = grant else {
            let named = if let By::Code { email, .. } = &self.by { email } else { "" };
            return Ok(refused(named));
        };
        let key = asked.email.key();
        let account = user::find_by_email(desk.tx, &key)?;
        if verdict != CodeCheck::Accepted || (account.is_none() && asked.fullname.is_none()) {
            return Ok(refused(asked.email.as_str()));
        }
        let is_new = account.is_none();
        let known = match &account {
            Some(user) => refusable(membership::choose(desk.tx, user, self.asked))?,
            None => Ok(None),
        };
        let known = match known {
            Ok(place) => account.zip(place),
            Err(refusal) => {
                let message = "A magic link to an account that is not active was refused";
                let resource = resource(asked.email.as_str());
                let mut done = Done::new(Err(refusal), resource, message).refused();
                done.tenant = account.map(|it| it.last_tenant);
                return Ok(done);
            }
        };
        // Who signs up is no member of any tenant that could be asked for.
        let (user, place) = match (known, asked.fullname) {
            (Some(known), _) => known,
            (None, Some(name)) if is_new && self.asked.is_none() => {
                let entered = Entered::passwordless(name, asked.email.clone());
                registration::create(desk, &entered)?
            }
            _ => return Ok(refused(asked.email.as_str())),
        };
        code::finish(desk, &session)?;
        let issued = session::begin_in(desk, user.id, place.tenant)?;
        guard::remember(desk, user.id, &self.devices)?;
        let (tenant, resource) = (place.tenant, issued.resource(&user.fullname));
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        Ok(Done::new(Ok((issued, user, place)), resource, "A person signed in by mail").by(actor))
    }
}

fn refused<T>(email: &str) -> Done<Result<T>> {
    Done::new(Err(wrong()), resource(email), "A magic link or its code was refused").refused()
}
