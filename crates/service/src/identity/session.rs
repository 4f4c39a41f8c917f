//! Sessions: signing in, renewing and signing out. All sessions and tokens that descend from one
//! sign-in are a family.

pub mod guard;
mod issued;
mod new_device;
mod password;
mod progress;
mod switch;
mod username;

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, TenantId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::session::{REFRESH_LIFE, RefreshOutcome, present};
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session::{self, Session};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, admin, expired_token, membership as memberships};

use crate::act::{Act, Done, UnitOfWork};
use crate::operations::limit::Subject;
use crate::organizations::membership::{TenantMembership, suspended};
use crate::{App, Context};
use grantor_keys::Audience;

pub use self::issued::Tokens;
use self::issued::begin_by;
pub(crate) use self::issued::{Issued, begin_admin};
pub use self::password::{enter, sign_in, sign_in_with};
pub use self::progress::Entered;
pub(crate) use self::progress::{Admitted, Progress};
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

/// Starts a session for a person who showed all that is needed, and remembers the device. If the
/// device is new, the person is told.
pub(crate) fn admit(
    unit: &mut UnitOfWork<'_, '_>,
    user: &User,
    membership: &TenantMembership,
    method: SignInMethod,
    devices: &[String],
) -> Result<Issued> {
    new_device::notify(unit, user, devices)?;
    let issued = begin_by(unit, user.id, membership.tenant, method)?;
    guard::remember(unit, user.id, devices)?;
    Ok(issued)
}

/// Separates refusals, which are logged, from internal errors, which roll back the transaction.
pub(crate) fn separate_refusal<T>(outcome: Result<T>) -> Result<Result<T>> {
    match outcome {
        Err(error) if !error.is_refusal() => Err(error),
        outcome => Ok(outcome),
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
