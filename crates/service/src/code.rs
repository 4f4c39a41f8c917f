//! Mailed codes: what was asked for waits, sealed, until its code comes back. Registration, reset
//! of a password and magic links share these rules.

use std::fmt;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::limit::{LimitName, Standing};
use grantor_domain::otp::{CODE_LIFE, CodeCheck, MAX_WRONG, Otp, RESET_LINK_LIFE, Resend};
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::challenge::{self, Challenge};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::act::{Act, Desk, Done};
use crate::keys::Purpose;
use crate::limit::Subject;
use crate::{App, Context, registration, reset};

/// A code is on its way.
#[derive(Clone, PartialEq, Eq)]
pub struct CodeSent {
    /// Names the session the code belongs to.
    pub session: String,
    /// Where it went.
    pub email: String,
}

impl fmt::Debug for CodeSent {
    /// Without the session: whoever has it may try codes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeSent").field("email", &self.email).finish_non_exhaustive()
    }
}

/// What a code will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeFor {
    Registration,
    Reset,
    MagicLink,
}

impl CodeFor {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Registration => "registration",
            Self::Reset => "reset",
            Self::MagicLink => "magic_link",
        }
    }

    /// Until when the long token of the mail can be used.
    fn link_ends(self, challenge: &Challenge) -> Timestamp {
        match self {
            Self::Reset => challenge.sent_at.plus(RESET_LINK_LIFE),
            Self::Registration | Self::MagicLink => challenge.expires_at,
        }
    }
}

/// Mails another code for the same session; the old one dies.
pub async fn resend(app: &App, context: &Context, session: &str) -> Result<CodeSent> {
    let parsed = Secret::parse(&[SecretKind::OtpSession], session).ok_or_else(ended)?;
    let email = app.act(context, SendAgain { session: parsed.hash() }).await?;
    Ok(CodeSent { session: session.to_owned(), email })
}

/// A code to be looked at, counted as a wrong one until it proves right: of many at once no more
/// count than the limits say (contract section 27).
pub(crate) struct Guess {
    counted: Vec<(LimitName, Subject)>,
    /// Whether there is room for it. Beyond the limits a code is refused as a wrong one is.
    pub(crate) open: bool,
}

impl Guess {
    /// Counts a code of this caller, and for the account with this address where there may be one.
    pub(crate) async fn begin(app: &App, context: &Context, account: Option<&Email>) -> Self {
        let address = context.origin.address.map(Subject::address);
        let account = account.map(|it| Subject::text(&it.key()));
        let mut guess = Self { counted: vec![], open: true };
        for (limit, subject) in [(LimitName::Codes, address), (LimitName::AccountCodes, account)] {
            let Some(subject) = subject.filter(|_| guess.open) else { continue };
            guess.open = app.limiter.hit(limit, &subject).await.is_ok();
            if guess.open {
                guess.counted.push((limit, subject));
            }
        }
        guess
    }

    /// It was no wrong code, or was not looked at because it came too late.
    pub(crate) async fn take_back(self, app: &App) {
        for (limit, subject) in self.counted {
            app.limiter.give_back(limit, &subject).await;
        }
    }
}

/// What somebody presents.
pub(crate) enum Presented<'a> {
    /// A code, and whether there is room for it.
    Code(&'a Otp, bool),
    /// The long token of the mail, which nobody can guess: wrong codes do not close it.
    Link,
}

/// What a session is known by: its own name, and the long token of its mail where that is another.
pub(crate) struct Known<'a> {
    pub(crate) session: &'a Secret,
    pub(crate) link: Option<&'a Secret>,
}

/// Begins to wait for a code, instead of any that the same address was mailed for the same thing
/// before; gives the code to be mailed.
pub(crate) fn begin<T: Serialize>(
    desk: &mut Desk<'_, '_>,
    purpose: CodeFor,
    known: &Known<'_>,
    email: &Email,
    life: Duration,
    asked: &T,
) -> Result<Otp> {
    let hash = known.session.hash();
    let plain = serde_json::to_vec(asked).map_err(|it| Error::internal(it.to_string()))?;
    let code = Otp::generate(&*desk.app.entropy);
    let challenge = Challenge {
        purpose: purpose.name().to_owned(),
        sealed: desk.app.keys.seal(Purpose::Field, &seal_context(&hash), &plain),
        code_mac: code_mac(desk.app, &hash, &code),
        wrong: 0,
        resends: 0,
        sent_at: desk.now,
        expires_at: desk.now.plus(life),
        link: known.link.map(Secret::hash),
    };
    challenge::replace(desk.tx, &hash, &email.key(), &challenge)?;
    Ok(code)
}

/// Tries a code or the long token. A code costs one of the session's tries; nothing when the session
/// has none left or never was.
pub(crate) fn attempt<T: DeserializeOwned>(
    desk: &mut Desk<'_, '_>,
    purpose: CodeFor,
    session: &SecretHash,
    presented: &Presented<'_>,
) -> Result<Option<(CodeCheck, T)>> {
    let most = match presented {
        Presented::Code(..) => MAX_WRONG,
        Presented::Link => u32::MAX,
    };
    let taken = challenge::take_try(desk.tx, session, purpose.name(), most)?;
    let Some(taken) = taken else { return Ok(None) };
    let asked = open(desk.app, session, &taken)?;
    let verdict = match presented {
        Presented::Code(code, open) => {
            let tried_before = taken.wrong.saturating_sub(1);
            let data = code_data(session, code);
            let matches =
                || desk.app.keys.verify_mac(Purpose::Otp, &data, &taken.code_mac) && *open;
            CodeCheck::decide(desk.now, taken.expires_at, tried_before, matches)
        }
        Presented::Link => CodeCheck::decide(desk.now, purpose.link_ends(&taken), 0, || true),
    };
    Ok(Some((verdict, asked)))
}

/// Uses the session up.
pub(crate) fn finish(desk: &mut Desk<'_, '_>, session: &SecretHash) -> Result<()> {
    if challenge::delete(desk.tx, session)? { Ok(()) } else { Err(ended()) }
}

/// What whoever entered a code hears when it does not count.
pub(crate) fn refusal(verdict: CodeCheck) -> Error {
    match verdict {
        CodeCheck::Expired => {
            Error::new(ErrorKind::OtpExpired, "The code has expired; ask for another").at("otp")
        }
        CodeCheck::Wrong { .. } => {
            Error::new(ErrorKind::InvalidOtp, "The code is not the one that was sent").at("otp")
        }
        CodeCheck::Dead | CodeCheck::Accepted => ended(),
    }
}

pub(crate) fn ended() -> Error {
    Error::new(ErrorKind::InvalidSession, "This session has ended or never was; begin again")
}

/// What was asked for when the session began.
pub(crate) fn open<T: DeserializeOwned>(
    app: &App,
    session: &SecretHash,
    challenge: &Challenge,
) -> Result<T> {
    app.keys
        .open_sealed(Purpose::Field, &seal_context(session), &challenge.sealed)
        .and_then(|plain| serde_json::from_slice(&plain).ok())
        .ok_or_else(|| Error::internal("what waits for a code does not open"))
}

struct SendAgain {
    session: SecretHash,
}

impl Act for SendAgain {
    type Grant = Challenge;
    type Output = String;
    const ACTION: &'static str = "code.resend";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Challenge> {
        let found = challenge::find(desk.tx, &self.session)?;
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
        let code = Otp::generate(&*desk.app.entropy);
        let link = Secret::generate(SecretKind::ResetLink, &*desk.app.entropy);
        let resets = challenge.purpose == CodeFor::Reset.name();
        let renewed = Challenge {
            code_mac: code_mac(desk.app, &self.session, &code),
            sent_at: desk.now,
            expires_at: desk.now.plus(CODE_LIFE),
            link: resets.then(|| link.hash()),
            ..challenge.clone()
        };
        if !challenge::renew(desk.tx, &self.session, &renewed)? {
            return Err(ended());
        }
        let email = if resets {
            reset::send_code(desk, &open(desk.app, &self.session, &challenge)?, &code, &link)?
        } else {
            registration::send_code(desk, &open(desk.app, &self.session, &challenge)?, &code)?
        };
        let resource = Resource { kind: "code", id: None, name: Some(email.clone()) };
        Ok(Done::new(email, resource, "A code was sent again"))
    }
}

fn seal_context(session: &SecretHash) -> String {
    sealed_for(&grantor_domain::hex::encode(session.as_bytes()))
}

/// Binds what was entered to its session, whose hash this is in hex.
pub(crate) fn sealed_for(session: &str) -> String {
    format!("challenge:{session}")
}

/// The code alone has a million forms: bound to its session, a MAC of one says nothing of another.
fn code_data(session: &SecretHash, code: &Otp) -> Vec<u8> {
    [session.as_bytes().as_slice(), code.expose().as_bytes()].concat()
}

fn code_mac(app: &App, session: &SecretHash, code: &Otp) -> Vec<u8> {
    app.keys.mac(Purpose::Otp, &code_data(session, code)).to_vec()
}
