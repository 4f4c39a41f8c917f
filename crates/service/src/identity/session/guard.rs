//! Protection of an account against password guessing from many addresses. Failures are counted per
//! entered username, whether or not an account has it. Over the limit, only devices that the owner
//! has signed in from before may continue.

use std::sync::{Mutex, PoisonError};

use grantor_domain::audit::Resource;
use grantor_domain::id::UserId;
use grantor_domain::limit::LimitName;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{device, user};

use super::Username;
use crate::act::{Act, Done, UnitOfWork};
use crate::mail::compose;
use crate::mail::phrase::plain;
use crate::operations::limit::Subject;
use crate::{App, Context};

/// The maximum number of queued warnings. Further ones are dropped.
const MAX_WARNINGS: usize = 1_000;

/// A sign-in attempt. It counts as a failure until it succeeds, so that concurrent attempts can't
/// exceed the limit.
pub(super) struct SignInAttempt {
    subject: Option<Subject>,
    refusal: Option<Error>,
    /// Whether it is the last attempt within the limit.
    last: bool,
}

impl SignInAttempt {
    /// Counts an attempt.
    pub(super) async fn begin(app: &App, username: &Username) -> Self {
        let subject = match username {
            Username::Email(email) => Some(Subject::text(&format!("email {}", email.key()))),
            Username::Name(name) => Some(Subject::text(&format!("name {}", name.key()))),
            Username::Neither => None,
        };
        let Some(counted) = &subject else { return Self { subject, refusal: None, last: false } };
        match app.limiter.hit(LimitName::LoginFailures, counted).await {
            Ok(standing) => {
                let last = standing.is_some_and(|it| it.remaining == 0);
                Self { subject, refusal: None, last }
            }
            Err(error) => Self { subject, refusal: Some(slowed_down(error)), last: false },
        }
    }

    /// Whether the limit is exceeded.
    pub(super) fn is_over_limit(&self) -> bool {
        self.refusal.is_some()
    }

    /// Refuses an attempt over the limit, unless it comes from a device of the owner.
    pub(super) fn admit(&mut self, known_device: bool) -> Result<()> {
        match self.refusal.take() {
            Some(refusal) if !known_device => Err(refusal),
            // It was not counted, so there is nothing to refund.
            Some(_) => {
                self.subject = None;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Refunds an attempt that was no failure. After the last failure within the limit the owners
    /// are warned by mail, in the background so that the timing doesn't reveal an account.
    pub(super) async fn end<T>(
        self,
        app: &App,
        outcome: &Result<T>,
        owners: impl Iterator<Item = UserId>,
    ) {
        let kind = outcome.as_ref().err().map(Error::kind);
        match (kind, &self.subject) {
            (Some(ErrorKind::InvalidCredentials), _) if self.last => app.warnings.add(owners),
            (Some(ErrorKind::InvalidCredentials), _) | (_, None) => {}
            (_, Some(subject)) => app.limiter.refund(LimitName::LoginFailures, subject).await,
        }
    }
}

fn slowed_down(error: Error) -> Error {
    let message = "Too many failed sign-ins with this username; try again later or sign in with \
                   a magic link";
    match error.kind() {
        ErrorKind::RateLimited(standing) => Error::new(ErrorKind::RateLimited(*standing), message),
        _ => error,
    }
}

/// Returns the identifiers of the caller's device: its cookie, and its address with user agent.
pub(crate) fn devices(context: &Context) -> Vec<String> {
    let browser = context.device.map(|it| grantor_domain::hex::encode(it.as_bytes()));
    let agent = context.origin.user_agent.as_deref().unwrap_or_default();
    let network = context.origin.address.map(|it| Subject::text_from(agent, it).to_string());
    browser.map(|it| format!("browser/{it}")).into_iter().chain(network).collect()
}

/// Remembers the devices that a user signed in from.
pub(crate) fn remember(
    unit: &mut UnitOfWork<'_, '_>,
    user: UserId,
    devices: &[String],
) -> Result<()> {
    for known in devices {
        device::remember(unit.tx, user, known, unit.now)?;
    }
    Ok(device::forget_oldest(unit.tx, user)?)
}

/// Queued warnings to users about failed sign-ins to their accounts.
#[derive(Debug, Default)]
pub struct Warnings(Mutex<Vec<UserId>>);

impl Warnings {
    fn add(&self, owners: impl Iterator<Item = UserId>) {
        let mut queued = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = MAX_WARNINGS.saturating_sub(queued.len());
        queued.extend(owners.take(free));
    }

    fn take(&self) -> Vec<UserId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Mails the queued warnings, at most one a day per user, and returns their number.
pub async fn warn_owners(app: &App) -> Result<u64> {
    let mut mailed = 0;
    for user in app.warnings.take() {
        let subject = Subject::id(user.as_uuid());
        if app.limiter.hit(LimitName::LoginWarning, &subject).await.is_err() {
            continue;
        }
        let context = Context::system(app.clock.monotonic());
        if let Err(error) = app.act(&context, Warn(user)).await {
            app.limiter.refund(LimitName::LoginWarning, &subject).await;
            app.warnings.add(std::iter::once(user));
            return Err(error);
        }
        mailed += 1;
    }
    Ok(mailed)
}

struct Warn(UserId);

impl Act for Warn {
    type Permit = Option<user::User>;
    type Output = ();
    const ACTION: &'static str = "session.warn";

    /// Only called by the server itself.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        Ok(user::find(unit.tx, self.0)?)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, owner: Self::Permit) -> Result<Done<()>> {
        let (kind, mut owner_name) = (MailKind::SignInWarning, None);
        if let Some(owner) = owner {
            let link = format!("{}/app/forgot", unit.app.public_url);
            let values = [plain("email", &owner.email), plain("link", &link)];
            let (to, name) = (&owner.email, Some(owner.fullname.as_str()));
            let mail = compose::from_template(unit.tx, kind, to, name, &values)?;
            unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
            owner_name = Some(owner.fullname);
        }
        let id = Some(self.0.to_string());
        let resource = Resource { kind: "user", id, name: owner_name };
        let message = "A user was warned about failed sign-ins to their account";
        Ok(Done::new((), resource, message).refused())
    }
}
