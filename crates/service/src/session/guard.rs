//! What stands between one account and whoever guesses its password from many addresses. Failures
//! are counted by what was typed as the username, whether an account has it or not; once there are
//! too many, only devices that the account's owner signed in from before are let through.

use std::sync::{Mutex, PoisonError};

use grantor_domain::audit::Resource;
use grantor_domain::id::UserId;
use grantor_domain::limit::LimitName;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{device, user};

use super::Username;
use crate::act::{Act, Desk, Done};
use crate::letter;
use crate::limit::Subject;
use crate::{App, Context};

/// Owners to be warned that are remembered at once; beyond that nobody is added until they are.
const MOST_WARNINGS: usize = 1_000;

/// One try to sign in, counted as a failure until it succeeds: of many at once, no more are looked
/// at than the limit says.
pub(super) struct Try {
    subject: Option<Subject>,
    refusal: Option<Error>,
    /// Whether it took the last that there was room for.
    last: bool,
}

impl Try {
    /// Counts a try.
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

    /// Whether there were too many before it.
    pub(super) fn is_beyond(&self) -> bool {
        self.refusal.is_some()
    }

    /// Refuses a try beyond the limit, unless it comes from a device of the owner.
    pub(super) fn admit(&mut self, known_device: bool) -> Result<()> {
        match self.refusal.take() {
            Some(refusal) if !known_device => Err(refusal),
            // It was not counted, so there is nothing to give back.
            Some(_) => {
                self.subject = None;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Takes back what was no failure. After the last failure there is room for, the owners are
    /// mailed: a moment later, so that the answer takes as long where there are none.
    pub(super) async fn end<T>(
        self,
        app: &App,
        outcome: &Result<T>,
        owners: impl Iterator<Item = UserId>,
    ) {
        let kind = outcome.as_ref().err().map(Error::kind);
        match (kind, &self.subject) {
            (Some(ErrorKind::InvalidCredentials), _) if self.last => app.warnings.note(owners),
            (Some(ErrorKind::InvalidCredentials), _) | (_, None) => {}
            (_, Some(subject)) => app.limiter.give_back(LimitName::LoginFailures, subject).await,
        }
    }
}

fn slowed_down(error: Error) -> Error {
    let message = "There were too many failed sign-ins with this username: try again later, or \
                   have a link mailed to you";
    match error.kind() {
        ErrorKind::RateLimited(standing) => Error::new(ErrorKind::RateLimited(*standing), message),
        _ => error,
    }
}

/// What a device is known by: the cookie of a browser, and address and agent together.
pub(crate) fn devices(context: &Context) -> Vec<String> {
    let browser = context.device.map(|it| grantor_domain::hex::encode(it.as_bytes()));
    let agent = context.origin.user_agent.as_deref().unwrap_or_default();
    let place = context.origin.address.map(|it| Subject::text_from(agent, it).to_string());
    browser.map(|it| format!("browser/{it}")).into_iter().chain(place).collect()
}

/// Remembers where a person signed in from.
pub(crate) fn remember(desk: &mut Desk<'_, '_>, user: UserId, devices: &[String]) -> Result<()> {
    for known in devices {
        device::remember(desk.tx, user, known, desk.now)?;
    }
    Ok(device::forget_oldest(desk.tx, user)?)
}

/// Owners who are to hear that somebody tries to sign in as them.
#[derive(Debug, Default)]
pub struct Warnings(Mutex<Vec<UserId>>);

impl Warnings {
    fn note(&self, owners: impl Iterator<Item = UserId>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_WARNINGS.saturating_sub(noted.len());
        noted.extend(owners.take(room));
    }

    fn take(&self) -> Vec<UserId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Mails the owners of accounts whose password was tried too often, each once a day; gives how many.
pub async fn warn_owners(app: &App) -> Result<u64> {
    let mut mailed = 0;
    for user in app.warnings.take() {
        let subject = Subject::id(user.as_uuid());
        if app.limiter.hit(LimitName::LoginWarning, &subject).await.is_err() {
            continue;
        }
        let context = Context::system(app.clock.monotonic());
        if let Err(error) = app.act(&context, Warn(user)).await {
            app.limiter.give_back(LimitName::LoginWarning, &subject).await;
            app.warnings.note(std::iter::once(user));
            return Err(error);
        }
        mailed += 1;
    }
    Ok(mailed)
}

struct Warn(UserId);

impl Act for Warn {
    type Grant = Option<user::User>;
    type Output = ();
    const ACTION: &'static str = "session.warn";

    /// Only the house itself warns.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        Ok(user::find(desk.tx, self.0)?)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, owner: Self::Grant) -> Result<Done<()>> {
        let (id, mut name) = (Some(self.0.to_string()), None);
        if let Some(owner) = owner {
            let link = format!("{}/app/forgot", desk.app.public_url);
            let values = [("email", &*owner.email), ("link", &*link)];
            let (to, greeted) = (&owner.email, Some(owner.fullname.as_str()));
            let mail = letter::write(desk.tx, MailKind::SignInWarning, to, greeted, &values)?;
            desk.app.mailer.enqueue(desk.tx, MailKind::SignInWarning.name(), &mail)?;
            name = Some(owner.fullname);
        }
        let resource = Resource { kind: "user", id, name };
        let message = "The owner of an account was told of many failed sign-ins";
        Ok(Done::new((), resource, message).refused())
    }
}
