//! Mailed one-time codes. The data of a registration, password reset or magic link is stored
//! encrypted as a challenge until its code is entered.

use std::fmt;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::limit::{LimitName, LimitState};
use grantor_domain::otp::{CODE_LIFE, CodeCheck, MAX_WRONG, Otp, RESET_LINK_LIFE, Resend};
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::challenge::{self, Challenge};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::registration;
use crate::identity::reset;
use crate::operations::limit::Subject;
use crate::{App, Context};
use grantor_keys::Purpose;

/// A code that was mailed.
#[derive(Clone, PartialEq, Eq)]
pub struct CodeSent {
    /// The session that the code belongs to.
    pub session: String,
    /// The address it was sent to.
    pub email: String,
}

impl fmt::Debug for CodeSent {
    /// Omits the session, which allows trying codes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeSent").field("email", &self.email).finish_non_exhaustive()
    }
}

/// The purpose of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodePurpose {
    Registration,
    Reset,
    MagicLink,
}

impl CodePurpose {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Registration => "registration",
            Self::Reset => "reset",
            Self::MagicLink => "magic_link",
        }
    }

    /// When the link in the mail expires.
    fn link_expires_at(self, challenge: &Challenge) -> Timestamp {
        match self {
            Self::Reset => challenge.sent_at.plus(RESET_LINK_LIFE),
            Self::Registration | Self::MagicLink => challenge.expires_at,
        }
    }
}

/// Mails a new code for the same session and invalidates the old one.
pub async fn resend(app: &App, context: &Context, session: &str) -> Result<CodeSent> {
    let parsed = Secret::parse(&[SecretKind::OtpSession], session).ok_or_else(invalid_session)?;
    let email = app.act(context, ResendCode { session: parsed.hash() }).await?;
    Ok(CodeSent { session: session.to_owned(), email })
}

/// An attempt to enter a code. It counts as wrong until the code proves correct, so that concurrent
/// attempts can't exceed the limits (contract section 27).
pub(crate) struct CodeAttempt {
    counted: Vec<(LimitName, Subject)>,
    /// Whether the limits allow it. Over the limits a code is rejected like a wrong one.
    pub(crate) allowed: bool,
}

impl CodeAttempt {
    /// Counts an attempt of this caller, and of the account with this email address if given.
    pub(crate) async fn begin(app: &App, context: &Context, account: Option<&Email>) -> Self {
        let address = context.origin.address.map(Subject::address);
        let account = account.map(|it| Subject::text(&it.key()));
        let mut attempt = Self { counted: vec![], allowed: true };
        for (limit, subject) in [(LimitName::Codes, address), (LimitName::AccountCodes, account)] {
            let Some(subject) = subject.filter(|_| attempt.allowed) else { continue };
            attempt.allowed = app.limiter.hit(limit, &subject).await.is_ok();
            if attempt.allowed {
                attempt.counted.push((limit, subject));
            }
        }
        attempt
    }

    /// Refunds the attempt: the code was correct, or expired and therefore not compared.
    pub(crate) async fn refund(self, app: &App) {
        for (limit, subject) in self.counted {
            app.limiter.refund(limit, &subject).await;
        }
    }
}

/// The proof that the caller presents.
pub(crate) enum Presented<'a> {
    /// A code, and whether the limits allow this attempt.
    Code(&'a Otp, bool),
    /// The token from the mailed link. It can't be guessed, so wrong codes don't block it.
    Link,
}

/// The secrets of a challenge: its session, and the link token if that is a different one.
pub(crate) struct ChallengeSecrets<'a> {
    pub(crate) session: &'a Secret,
    pub(crate) link: Option<&'a Secret>,
}

/// Creates a challenge, replacing an earlier one of the same address and purpose. Returns the code
/// to mail.
pub(crate) fn begin<T: Serialize>(
    unit: &mut UnitOfWork<'_, '_>,
    purpose: CodePurpose,
    secrets: &ChallengeSecrets<'_>,
    email: &Email,
    life: Duration,
    data: &T,
) -> Result<Otp> {
    let hash = secrets.session.hash();
    let plain = serde_json::to_vec(data).map_err(|it| Error::internal(it.to_string()))?;
    let code = Otp::generate(&*unit.app.entropy);
    let challenge = Challenge {
        purpose: purpose.name().to_owned(),
        sealed: unit.app.keys.seal(Purpose::Field, &seal_context(&hash), &plain),
        code_mac: code_mac(unit.app, &hash, &code),
        wrong: 0,
        resends: 0,
        sent_at: unit.now,
        expires_at: unit.now.plus(life),
        link: secrets.link.map(Secret::hash),
    };
    challenge::replace(unit.tx, &hash, &email.key(), &challenge)?;
    Ok(code)
}

/// Tries a code or a link token. A code uses up one of the session's attempts. Returns `None` if
/// the session is unknown or has no attempts left.
pub(crate) fn attempt<T: DeserializeOwned>(
    unit: &mut UnitOfWork<'_, '_>,
    purpose: CodePurpose,
    session: &SecretHash,
    presented: &Presented<'_>,
) -> Result<Option<(CodeCheck, T)>> {
    let max_wrong = match presented {
        Presented::Code(..) => MAX_WRONG,
        Presented::Link => u32::MAX,
    };
    let taken = challenge::take_attempt(unit.tx, session, purpose.name(), max_wrong)?;
    let Some(taken) = taken else { return Ok(None) };
    let data = open(unit.app, session, &taken)?;
    let verdict = match presented {
        Presented::Code(code, allowed) => {
            let tried_before = taken.wrong.saturating_sub(1);
            let bound = code_data(session, code);
            let matches =
                || unit.app.keys.verify_mac(Purpose::Otp, &bound, &taken.code_mac) && *allowed;
            CodeCheck::decide(unit.now, taken.expires_at, tried_before, matches)
        }
        Presented::Link => CodeCheck::decide(unit.now, purpose.link_expires_at(&taken), 0, || true),
    };
    Ok(Some((verdict, data)))
}

/// Whether a code would be accepted now. It uses up nothing, so the answer must not reach a caller
/// other than by [`attempt`].
pub(crate) fn is_right(app: &App, session: &SecretHash, challenge: &Challenge, code: &Otp) -> bool {
    let bound = code_data(session, code);
    let matches = || app.keys.verify_mac(Purpose::Otp, &bound, &challenge.code_mac);
    let verdict =
        CodeCheck::decide(app.clock.now(), challenge.expires_at, challenge.wrong, matches);
    verdict == CodeCheck::Accepted
}

/// Deletes the session after its code was accepted.
pub(crate) fn finish(unit: &mut UnitOfWork<'_, '_>, session: &SecretHash) -> Result<()> {
    if challenge::delete(unit.tx, session)? { Ok(()) } else { Err(invalid_session()) }
}

/// Returns the error for a rejected code.
pub(crate) fn refusal(verdict: CodeCheck) -> Error {
    match verdict {
        CodeCheck::Expired => {
            Error::new(ErrorKind::OtpExpired, "The code has expired; request a new one").at("otp")
        }
        CodeCheck::Wrong { .. } => {
            Error::new(ErrorKind::InvalidOtp, "The code is incorrect").at("otp")
        }
        CodeCheck::Dead | CodeCheck::Accepted => invalid_session(),
    }
}

pub(crate) fn invalid_session() -> Error {
    let message = "This session is invalid or has expired; start again";
    Error::new(ErrorKind::InvalidSession, message)
}

/// Decrypts the data of a challenge.
pub(crate) fn open<T: DeserializeOwned>(
    app: &App,
    session: &SecretHash,
    challenge: &Challenge,
) -> Result<T> {
    app.keys
        .open_sealed(Purpose::Field, &seal_context(session), &challenge.sealed)
        .and_then(|plain| serde_json::from_slice(&plain).ok())
        .ok_or_else(|| Error::internal("a code challenge cannot be decrypted"))
}

struct ResendCode {
    session: SecretHash,
}

impl Act for ResendCode {
    type Permit = Challenge;
    type Output = String;
    const ACTION: &'static str = "code.resend";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Challenge> {
        let found = challenge::find(unit.tx, &self.session)?;
        let live = found.filter(|it| it.wrong < MAX_WRONG && unit.now < it.expires_at);
        let challenge = live.ok_or_else(invalid_session)?;
        let wait = match Resend::decide(unit.now, challenge.sent_at, challenge.resends) {
            Resend::Allowed => return Ok(challenge),
            Resend::TooSoon(wait) => wait,
            Resend::TooMany => challenge.expires_at.since(unit.now),
        };
        let standing =
            LimitState { limit: 1, remaining: 0, resets_at: unit.now.plus(wait), resets_in: wait };
        let kind = ErrorKind::RateLimited(standing);
        Err(Error::new(kind, "A new code can't be sent yet; try again later"))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        challenge: Challenge,
    ) -> Result<Done<String>> {
        let code = Otp::generate(&*unit.app.entropy);
        let link = Secret::generate(SecretKind::ResetLink, &*unit.app.entropy);
        let resets = challenge.purpose == CodePurpose::Reset.name();
        let renewed = Challenge {
            code_mac: code_mac(unit.app, &self.session, &code),
            sent_at: unit.now,
            expires_at: unit.now.plus(CODE_LIFE),
            link: resets.then(|| link.hash()),
            ..challenge.clone()
        };
        if !challenge::renew(unit.tx, &self.session, &renewed)? {
            return Err(invalid_session());
        }
        let email = if resets {
            reset::send_code(unit, &open(unit.app, &self.session, &challenge)?, &code, &link)?
        } else {
            registration::send_code(unit, &open(unit.app, &self.session, &challenge)?, &code)?
        };
        let resource = Resource { kind: "code", id: None, name: Some(email.clone()) };
        Ok(Done::new(email, resource, "A new code was sent"))
    }
}

fn seal_context(session: &SecretHash) -> String {
    sealed_for(&grantor_domain::hex::encode(session.as_bytes()))
}

/// Returns the encryption context that binds a challenge's data to its session (hash in hex).
pub(crate) fn sealed_for(session: &str) -> String {
    format!("challenge:{session}")
}

/// There are only a million codes. Binding the MAC to the session keeps equal codes from having
/// equal MACs.
fn code_data(session: &SecretHash, code: &Otp) -> Vec<u8> {
    [session.as_bytes().as_slice(), code.expose().as_bytes()].concat()
}

fn code_mac(app: &App, session: &SecretHash, code: &Otp) -> Vec<u8> {
    app.keys.mac(Purpose::Otp, &code_data(session, code)).to_vec()
}
