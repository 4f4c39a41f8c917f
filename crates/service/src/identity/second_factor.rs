//! Second factors: authenticator apps, passkeys and recovery codes, and what a sign-in needs.

mod attempt;
pub mod authenticator_app;
mod owner;
mod recovery_code;
pub mod requirement;
pub mod reset;
pub mod waiting;

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::passkey::Passkey;
use grantor_domain::second_factor::{Factors, Need, PresentedCode};
use grantor_domain::secret::SecretHash;
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::user::User;
use grantor_storage::{Tx, authenticator_app as apps, passkey, second_factor};

use self::attempt::SecondFactorAttempt;
pub use self::owner::Owner;
pub(crate) use self::recovery_code::issue_first;
pub use self::recovery_code::renew as renew_recovery_codes;
use crate::act::UnitOfWork;
use crate::identity::access::Caller;
use crate::mail::compose;
use crate::mail::phrase::{Phrase, plain};
use crate::organizations::membership::TenantMembership;
use crate::{App, Context};

/// A person's second factors, as the person sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// How many there are.
    pub factors: Factors,
    /// Since when there is an authenticator app.
    pub app_since: Option<Timestamp>,
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// Whether the person's current organization requires a second factor.
    pub required: bool,
}

/// Returns the caller's second factors.
pub async fn show(app: &App, caller: &Caller) -> Result<Overview> {
    let (user, tenant) = (caller.user, caller.tenant);
    app.store
        .read(move |tx| {
            let passkeys = passkey::list(tx, user)?;
            Ok(Overview {
                factors: second_factor::factors(tx, user)?,
                app_since: apps::find(tx, user)?.map(|it| it.created_at),
                passkeys: passkeys.into_iter().map(|it| it.passkey).collect(),
                required: second_factor::is_required(tx, tenant)?,
            })
        })
        .await
}

/// How a caller shows a second factor.
pub(crate) enum Way {
    /// With the request itself, if at all.
    Request(Option<PresentedCode>),
    /// On the next page, in the browser that has this ceremony.
    Page(SecretHash),
}

impl Way {
    /// Counts an attempt if a code was sent with a right first factor, whose user is given.
    pub(crate) async fn prepare(
        self,
        app: &App,
        context: &Context,
        user: Option<UserId>,
    ) -> Result<(SecondFactor, Option<SecondFactorAttempt>)> {
        match (self, user) {
            (Self::Page(ceremony), _) => Ok((SecondFactor::Later(ceremony), None)),
            (Self::Request(Some(code)), Some(user)) => {
                let counted = SecondFactorAttempt::begin(app, context, user, &code).await?;
                Ok((SecondFactor::Code(code, counted.allowed), Some(counted)))
            }
            (Self::Request(_), _) => Ok((SecondFactor::Absent, None)),
        }
    }
}

/// The second factor of a sign-in.
pub(crate) enum SecondFactor {
    /// None was sent.
    Absent,
    /// A code, and whether the limits allow this attempt.
    Code(PresentedCode, bool),
    /// To be shown on the next page, in the browser that has this ceremony.
    Later(SecretHash),
}

/// What becomes of a sign-in whose first factor was right.
pub(crate) enum Settled {
    /// Nothing more is needed.
    Satisfied,
    /// The ceremony waits for this.
    Waiting(Need),
    /// A second factor is missing or wrong.
    Refused(Error),
}

/// Decides whether a sign-in needs a second factor, and checks the one that was sent.
pub(crate) fn settle(
    unit: &mut UnitOfWork<'_, '_>,
    user: &User,
    membership: &TenantMembership,
    method: SignInMethod,
    second: &SecondFactor,
) -> Result<Settled> {
    let need = need(unit.tx, user.id, membership.tenant, method)?;
    match (need, second) {
        (Need::Nothing, _) => Ok(Settled::Satisfied),
        (need, SecondFactor::Later(ceremony)) => {
            waiting::begin(unit, ceremony, user.id, membership.tenant, method, need)?;
            Ok(Settled::Waiting(need))
        }
        (Need::SetUp, _) => Ok(Settled::Refused(must_set_up(&membership.name))),
        (Need::Proof, SecondFactor::Absent) => Ok(Settled::Refused(required())),
        (Need::Proof, SecondFactor::Code(code, allowed)) => {
            let right = *allowed && check(unit, user, code)?;
            Ok(if right { Settled::Satisfied } else { Settled::Refused(wrong()) })
        }
    }
}

/// Returns what a sign-in needs after its first factor was right.
pub(crate) fn need(
    tx: &mut Tx<'_>,
    user: UserId,
    tenant: TenantId,
    method: SignInMethod,
) -> Result<Need> {
    let required = second_factor::is_required(tx, tenant)?;
    Ok(Need::of(method, second_factor::factors(tx, user)?, required))
}

/// Checks a code and uses it up. The caller has locked the user.
pub(crate) fn check(
    unit: &mut UnitOfWork<'_, '_>,
    user: &User,
    code: &PresentedCode,
) -> Result<bool> {
    match code {
        PresentedCode::App(code) => authenticator_app::check(unit, user.id, code),
        PresentedCode::Recovery(code) => recovery_code::check(unit, user, code),
    }
}

/// Checks, after a removal, that a person whose organization requires a second factor still has one.
/// Without any, recovery codes stand in for nothing.
pub(crate) fn after_removal(
    unit: &mut UnitOfWork<'_, '_>,
    user: UserId,
    tenant: TenantId,
) -> Result<()> {
    if second_factor::factors(unit.tx, user)?.any() {
        return Ok(());
    }
    if second_factor::is_required(unit.tx, tenant)? {
        let message = "Your organization requires a second factor; set up another one first";
        return Err(Error::conflict(message));
    }
    Ok(grantor_storage::recovery_code::delete_all(unit.tx, user)?)
}

/// The error for a sign-in that needs a second factor.
pub(crate) fn required() -> Error {
    let message = "This account has a second factor; enter a code from your authenticator app or \
                   a recovery code";
    Error::new(ErrorKind::SecondFactorRequired, message)
}

/// The error for a sign-in to an organization that requires a second factor, by a person who has
/// none.
pub(crate) fn must_set_up(organization: &str) -> Error {
    let message =
        format!("{organization} requires a second factor; sign in to the console to set one up");
    Error::new(ErrorKind::SecondFactorRequired, message)
}

/// The error for a wrong code.
pub(crate) fn wrong() -> Error {
    Error::new(ErrorKind::InvalidOtp, "The code is incorrect").at("code")
}

/// Mails a person that their second factors changed.
pub(crate) fn tell(unit: &mut UnitOfWork<'_, '_>, user: &User, change: Phrase<'_>) -> Result<()> {
    let link = format!("{}/app/profile/security", unit.app.public_url);
    let values = [plain("email", &user.email), ("change", change), plain("link", &link)];
    let (kind, name) = (MailKind::SecondFactorChanged, Some(user.fullname.as_str()));
    let mail = compose::from_template(unit.tx, kind, &user.email, name, &values)?;
    unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    Ok(())
}
