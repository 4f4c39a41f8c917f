//! Sessions: signing in, renewing and signing out. All sessions and tokens that descend from one
//! sign-in are a family.

pub mod guard;
mod issued;
mod switch;
mod username;

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{AdminId, TenantId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::session::{REFRESH_LIFE, RefreshOutcome, present};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session::{self, Session};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, admin, expired_token, membership as memberships};

use crate::act::{Act, Done, UnitOfWork};
use crate::operations::limit::Subject;
use crate::organizations::membership::{self, TenantMembership, suspended};
use crate::{App, Context};
use grantor_keys::Audience;

use self::guard::SignInAttempt;
pub use self::issued::Tokens;
pub(crate) use self::issued::{Issued, begin_admin, begin_in};
pub use self::switch::switch;
use self::username::Username;

/// A user who signed in.
pub struct SignedIn {
    /// The session's tokens.
    pub tokens: Tokens,
    /// The user.
    pub user: User,
    /// The tenant they act in.
    pub membership: TenantMembership,
}

/// Signs in with an email address or full name and a password, in the given tenant or in the one
/// last used. The error doesn't say what was wrong, and failures take as long as successes.
pub async fn sign_in(
    app: &App,
    context: &Context,
    username: &str,
    password: &str,
    tenant: Option<TenantId>,
) -> Result<SignedIn> {
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
        // If several users share the name, a failure is logged for none of their tenants.
        let log_tenant = if let [only] = &found[..] { Some(only.last_tenant) } else { None };
        let username = username.to_owned();
        let act = SignIn { found: owner, tenant, log_tenant, username, devices };
        app.act(context, act).await?
    };
    let outcome = outcome.await;
    attempt.end(app, &outcome, found.iter().map(|it| it.id)).await;
    let (issued, user, membership) = outcome?;
    Ok(SignedIn { tokens: issued.sign(app)?, user, membership })
}

/// Renews a session. Presenting a refresh token a second time ends the whole family.
pub async fn renew(app: &App, context: &Context, refresh_token: &str) -> Result<Tokens> {
    let Some(token) = Secret::parse(&[SecretKind::ConsoleRefresh], refresh_token) else {
        count_unknown(app, context).await?;
        return Err(refused());
    };
    let hash = token.hash();
    let known: Option<session::RefreshToken> =
        app.store.read(move |tx| session::find_token(tx, &hash)).await.map_err(Error::from)?;
    match &known {
        Some(known) => {
            let subject = Subject::id(known.session.subject);
            context.rate_limit.record(app.limiter.hit(LimitName::Refresh, &subject).await?);
        }
        None => count_unknown(app, context).await?,
    }
    match app.act(context, Renew { hash }).await? {
        Renewal::Issued(issued) => issued.sign(app),
        Renewal::Refused(decision) => Err(decision.refusal().unwrap_or_else(refused)),
        Renewal::Inactive(refusal) => Err(refusal),
    }
}

/// Ends the session family of a refresh token. An unknown token is ignored.
pub async fn sign_out(app: &App, context: &Context, refresh_token: &str) -> Result<()> {
    let Some(token) = Secret::parse(&[SecretKind::ConsoleRefresh], refresh_token) else {
        return Ok(());
    };
    app.act(context, SignOut { hash: token.hash() }).await
}

async fn count_unknown(app: &App, context: &Context) -> Result<()> {
    if let Some(address) = context.origin.address {
        let subject = Subject::address(address);
        context.rate_limit.record(app.limiter.hit(LimitName::Refresh, &subject).await?);
    }
    Ok(())
}

fn refused() -> Error {
    Error::new(ErrorKind::Unauthorized, "The refresh token is not valid")
}

/// Separates refusals, which are logged, from internal errors, which roll back the transaction.
pub(crate) fn separate_refusal<T>(outcome: Result<T>) -> Result<Result<T>> {
    match outcome {
        Err(error) if !error.is_refusal() => Err(error),
        outcome => Ok(outcome),
    }
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
}

impl Act for SignIn {
    type Permit = Option<User>;
    type Output = Result<(Issued, User, TenantMembership)>;
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
        // Anything but an email address could be a misplaced password, so it isn't logged.
        let name = Email::parse(&self.username).ok().map(|it| it.as_str().to_owned());
        let resource = Resource { kind: "session", id: None, name };
        let chosen = match &permit {
            Some(user) => separate_refusal(membership::choose(unit.tx, user, self.tenant))?,
            None => Ok(None),
        };
        let (user, membership) = match chosen.map(|membership| permit.zip(membership)) {
            Ok(Some(chosen)) => chosen,
            // The error for another user's tenant is the same as for a wrong password.
            Ok(None) => {
                let message = "The username or password is incorrect";
                let wrong = Error::new(ErrorKind::InvalidCredentials, message);
                let mut done = Done::new(Err(wrong), resource, "A sign-in failed").refused();
                done.tenant = self.log_tenant;
                return Ok(done);
            }
            Err(refusal) => {
                let message = "A sign-in to an inactive account was rejected";
                let mut done = Done::new(Err(refusal), resource, message).refused();
                done.tenant = self.log_tenant;
                return Ok(done);
            }
        };
        let issued = begin_in(unit, user.id, membership.tenant)?;
        guard::remember(unit, user.id, &self.devices)?;
        let (tenant, resource) = (membership.tenant, issued.resource(&user.fullname));
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        Ok(Done::new(Ok((issued, user, membership)), resource, "A user signed in")
            .with_actor(actor))
    }
}

enum Renewal {
    Issued(Issued),
    Refused(RefreshOutcome),
    /// The account is inactive or its tenant suspended.
    Inactive(Error),
}

struct Renew {
    hash: SecretHash,
}

impl Act for Renew {
    /// The token, or whether an expired one was deleted.
    type Permit = Result<session::RefreshToken, bool>;
    type Output = Renewal;
    const ACTION: &'static str = "session.renew";

    /// Having the token is the permission. `carry_out` decides whether it is still valid.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        match session::find_token(unit.tx, &self.hash)? {
            Some(known) => Ok(Ok(known)),
            None => Ok(Err(expired_token::exists(unit.tx, &self.hash)?)),
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Renewal>> {
        let known = match permit {
            Ok(known) => known,
            Err(expired) => {
                let resource = Resource { kind: "session", id: None, name: None };
                let (decision, message) = if expired {
                    (RefreshOutcome::Expired, "An expired refresh token was rejected")
                } else {
                    (RefreshOutcome::Unknown, "An unknown refresh token was rejected")
                };
                return Ok(Done::new(Renewal::Refused(decision), resource, message).refused());
            }
        };
        let id = known.session.id;
        let decision = present(Some(known.token), known.family(), unit.now);
        let resource = Resource { kind: "session", id: Some(id.to_string()), name: None };
        let active = separate_refusal(still_active(unit.tx, &known.session))?;
        match decision {
            // The token stays unused: the account may become active again.
            RefreshOutcome::Rotate | RefreshOutcome::GraceReissue if active.is_err() => {}
            // Of several concurrent uses of one token, only one rotates it.
            RefreshOutcome::Rotate => drop(session::use_token(unit.tx, &self.hash, unit.now)?),
            RefreshOutcome::GraceReissue => {}
            RefreshOutcome::RevokeFamily => {
                session::revoke_family(unit.tx, known.session.family, unit.now)?;
                let message = "A refresh token was reused; its sessions were ended";
                return Ok(Done::new(Renewal::Refused(decision), resource, message).refused());
            }
            RefreshOutcome::Expired | RefreshOutcome::Unknown => {
                let message = "A refresh token was rejected";
                return Ok(Done::new(Renewal::Refused(decision), resource, message).refused());
            }
        }
        let tenant = match active {
            Ok(tenant) => tenant,
            Err(refusal) => return Ok(refuse_inactive(&known.session, refusal, resource)),
        };
        if let Some(tenant) = tenant {
            user::set_last_tenant(unit.tx, known.session.subject.into(), tenant)?;
        }
        session::touch(unit.tx, id, unit.now, unit.now.plus(REFRESH_LIFE))?;
        let issued = Issued::of(unit, &known.session)?;
        let mut done = Done::new(Renewal::Issued(issued), resource, "A session was refreshed");
        (done.tenant, done.actor) = (tenant, owner(unit.tx, &known.session)?);
        Ok(done)
    }
}

fn refuse_inactive(session: &Session, refusal: Error, resource: Resource) -> Done<Renewal> {
    let message = "A session refresh for an inactive account was rejected";
    let mut done = Done::new(Renewal::Inactive(refusal), resource, message).refused();
    done.tenant = session.tenant;
    done
}

/// Returns the tenant of a session whose user may still act; `None` for staff.
fn still_active(tx: &mut Tx<'_>, session: &Session) -> Result<Option<TenantId>> {
    if session.audience == Audience::Admin.to_string() {
        let found = admin::find(tx, AdminId::from(session.subject))?;
        return found.filter(|it| it.active).map(|_| None).ok_or_else(refused);
    }
    let tenant = session.tenant.ok_or_else(refused)?;
    let found = memberships::find_active(tx, tenant, UserId::from(session.subject))?;
    let open = found.is_some_and(|(it, _)| it.status == OrganizationStatus::Active);
    if open { Ok(Some(tenant)) } else { Err(suspended()) }
}

/// Returns the owner of a session.
fn owner(tx: &mut Tx<'_>, session: &Session) -> Result<Option<Actor>> {
    let subject = session.subject;
    if session.audience == Audience::Admin.to_string() {
        let found = admin::find(tx, AdminId::from(subject))?;
        return Ok(found.map(|it| Actor::Admin { id: it.id, name: it.fullname }));
    }
    let Some((tenant, user)) = session.tenant.zip(user::find(tx, UserId::from(subject))?) else {
        return Ok(None);
    };
    Ok(Some(Actor::User { id: user.id, tenant, name: user.fullname }))
}

struct SignOut {
    hash: SecretHash,
}

impl Act for SignOut {
    type Permit = Option<session::RefreshToken>;
    type Output = ();
    const ACTION: &'static str = "session.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        Ok(session::find_token(unit.tx, &self.hash)?)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, known: Self::Permit) -> Result<Done<()>> {
        let mut actor = None;
        if let Some(known) = &known {
            session::revoke_family(unit.tx, known.session.family, unit.now)?;
            actor = owner(unit.tx, &known.session)?;
        }
        let id = known.map(|it| it.session.id);
        let resource = Resource { kind: "session", id: id.map(|it| it.to_string()), name: None };
        let mut done = Done::new((), resource, "A user signed out");
        done.actor = actor;
        Ok(done)
    }
}
