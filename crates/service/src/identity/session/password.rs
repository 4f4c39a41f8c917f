//! Signing in with a password.

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::TenantId;
use grantor_domain::second_factor::{Need, PresentedCode};
use grantor_domain::secret::Secret;
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::user::{self, User};

use super::guard::{self, SignInAttempt};
use super::progress::{Entered, Progress};
use super::username::{self, Username};
use super::{SignedIn, separate_refusal};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::second_factor::{self, SecondFactor, Settled, Way};
use crate::organizations::membership::{self, TenantMembership};
use crate::{App, Context};

/// Signs in with an email address or full name and a password, in the given tenant or in the one
/// last used. The error doesn't say what was wrong, and failures take as long as successes. An
/// account with a second factor needs [`sign_in_with`].
pub async fn sign_in(
    app: &App,
    context: &Context,
    username: &str,
    password: &str,
    tenant: Option<TenantId>,
) -> Result<SignedIn> {
    sign_in_with(app, context, username, password, tenant, None).await
}

/// Like [`sign_in`], with a code as second factor. Whether one is needed is only told once the
/// password was right.
pub async fn sign_in_with(
    app: &App,
    context: &Context,
    username: &str,
    password: &str,
    tenant: Option<TenantId>,
    code: Option<PresentedCode>,
) -> Result<SignedIn> {
    let entered = attempt(app, context, username, password, tenant, Way::Request(code)).await?;
    entered.signed_in()
}

/// Signs in on a page. A second factor is shown on the next one, in the browser that has this
/// ceremony.
pub async fn enter(
    app: &App,
    context: &Context,
    username: &str,
    password: &str,
    ceremony: &Secret,
) -> Result<Entered> {
    attempt(app, context, username, password, None, Way::Page(ceremony.hash())).await
}

async fn attempt(
    app: &App,
    context: &Context,
    username: &str,
    password: &str,
    tenant: Option<TenantId>,
    way: Way,
) -> Result<Entered> {
    let parsed = Username::parse(username);
    let found = username::find_users(app, &parsed).await?;
    let mut attempt = SignInAttempt::begin(app, &parsed).await;
    let devices = guard::devices(context);
    if attempt.is_over_limit() {
        let known = username::is_known_device(app, &parsed, &found, devices.clone()).await?;
        attempt.admit(known)?;
    }
    let outcome = async {
        let owner = username::find_by_password(app, context, &parsed, &found, password).await?;
        let (second, counted) = way.prepare(app, context, owner.as_ref().map(|it| it.id)).await?;
        // If several users share the name, a failure is logged for none of their tenants.
        let log_tenant = if let [only] = &found[..] { Some(only.last_tenant) } else { None };
        let username = username.to_owned();
        let act = SignIn { found: owner, tenant, log_tenant, username, devices, second };
        let outcome = app.act(context, act).await.flatten();
        if let Some(counted) = counted {
            counted.end(app, &outcome).await;
        }
        outcome
    };
    let outcome = outcome.await;
    attempt.end(app, &outcome, found.iter().map(|it| it.id)).await;
    outcome?.finish(app)
}

struct SignIn {
    /// The user whose password was correct when it was checked.
    found: Option<User>,
    /// The tenant to act in.
    tenant: Option<TenantId>,
    /// The tenant whose log shows a failure.
    log_tenant: Option<TenantId>,
    username: String,
    /// The device identifiers of the caller.
    devices: Vec<String>,
    /// The second factor, or where it is shown.
    second: SecondFactor,
}

impl Act for SignIn {
    type Permit = Option<User>;
    type Output = Result<Progress>;
    const ACTION: &'static str = "session.create";

    /// Knowing the password is the permission. The user is locked, and the hash compared again, in
    /// case the password changed since it was checked.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Option<User>> {
        let Some(found) = &self.found else { return Ok(None) };
        let user = user::claim(unit.tx, found.id)?;
        Ok(user.filter(|it| it.password_hash == found.password_hash))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Option<User>,
    ) -> Result<Done<Self::Output>> {
        let chosen = match &permit {
            Some(user) => separate_refusal(membership::choose(unit.tx, user, self.tenant))?,
            None => Ok(None),
        };
        match chosen.map(|membership| permit.zip(membership)) {
            Ok(Some((user, membership))) => self.proceed(unit, user, membership),
            // The error for another user's tenant is the same as for a wrong password.
            Ok(None) => {
                let message = "The username or password is incorrect";
                let wrong = Error::new(ErrorKind::InvalidCredentials, message);
                Ok(self.refuse(wrong, "A sign-in failed"))
            }
            Err(refusal) => {
                Ok(self.refuse(refusal, "A sign-in to an inactive account was rejected"))
            }
        }
    }
}

impl SignIn {
    /// Goes on with a user whose password is right.
    fn proceed(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        user: User,
        membership: TenantMembership,
    ) -> Result<Done<Result<Progress>>> {
        let method = SignInMethod::Password;
        match second_factor::settle(unit, &user, &membership, method, &self.second)? {
            Settled::Satisfied => {}
            Settled::Waiting(need) => return Ok(self.wait(need, &membership)),
            Settled::Refused(refusal) => {
                let mut done = self.refuse(refusal, "A sign-in without a second factor failed");
                done.tenant = Some(membership.tenant);
                return Ok(done);
            }
        }
        let issued = super::admit(unit, &user, &membership, method, &self.devices)?;
        let (tenant, resource) = (membership.tenant, issued.resource(&user.fullname));
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        let progress = Progress::admitted(issued, user, membership);
        Ok(Done::new(Ok(progress), resource, "A user signed in").with_actor(actor))
    }

    fn wait(&self, need: Need, membership: &TenantMembership) -> Done<Result<Progress>> {
        let message = "A sign-in waits for a second factor";
        let mut done = Done::new(Ok(Progress::Waiting(need)), self.resource(), message);
        done.tenant = Some(membership.tenant);
        done
    }

    fn refuse(&self, refusal: Error, message: &'static str) -> Done<Result<Progress>> {
        let mut done = Done::new(Err(refusal), self.resource(), message).refused();
        done.tenant = self.log_tenant;
        done
    }

    /// Anything but an email address could be a misplaced password, so it isn't logged.
    fn resource(&self) -> Resource {
        let name = Email::parse(&self.username).ok().map(|it| it.as_str().to_owned());
        Resource { kind: "session", id: None, name }
    }
}
