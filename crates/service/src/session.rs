//! Sign-ins: a session is the family of all tokens that follow from one.

pub mod guard;
mod issued;
mod switch;
mod who;

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{AdminId, TenantId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::session::{Decision, REFRESH_LIFE, present};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session::{self, Session};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, admin, expired_token, membership as memberships};

use crate::act::{Act, Desk, Done};
use crate::keys::Audience;
use crate::limit::Subject;
use crate::membership::{self, Place, suspended};
use crate::{App, Context};

use self::guard::Try;
pub use self::issued::Tokens;
pub(crate) use self::issued::{Issued, begin_admin, begin_in};
pub use self::switch::switch;
use self::who::Username;

/// A person who signed in.
pub struct SignedIn {
    /// What opens the API and keeps the session.
    pub tokens: Tokens,
    /// Who signed in.
    pub user: User,
    /// Where they act.
    pub place: Place,
}

/// Signs a person in by address or full name and password, to act in the tenant asked for, else in
/// the one last acted in. What was wrong is not said, and takes as long as what was right.
pub async fn sign_in(
    app: &App,
    context: &Context,
    username: &str,
    password: &str,
    asked: Option<TenantId>,
) -> Result<SignedIn> {
    let named = Username::parse(username);
    let found = who::find(app, &named).await?;
    let mut attempt = Try::begin(app, &named).await;
    let devices = guard::devices(context);
    if attempt.is_beyond() {
        let known = who::have_devices(app, &named, &found, devices.clone()).await?;
        attempt.admit(known)?;
    }
    let outcome = async {
        let owner = who::with_password(app, context, &named, &found, password).await?;
        // Of several who may be meant, none is told of the others' sign-ins.
        let tenant = if let [only] = &found[..] { Some(only.last_tenant) } else { None };
        let username = username.to_owned();
        let act = SignIn { found: owner, asked, tenant, username, devices };
        app.act(context, act).await?
    };
    let outcome = outcome.await;
    attempt.end(app, &outcome, found.iter().map(|it| it.id)).await;
    let (issued, user, place) = outcome?;
    Ok(SignedIn { tokens: issued.sign(app)?, user, place })
}

/// Renews a sign-in. A token used before and presented again ends the whole family.
pub async fn renew(app: &App, context: &Context, refresh_token: &str) -> Result<Tokens> {
    let Some(token) = Secret::parse(&[SecretKind::ConsoleRefresh], refresh_token) else {
        count_stranger(app, context).await?;
        return Err(refused());
    };
    let hash = token.hash();
    let known: Option<session::RefreshToken> =
        app.store.read(move |tx| session::find_token(tx, &hash)).await.map_err(Error::from)?;
    match &known {
        Some(known) => {
            let subject = Subject::id(known.session.subject);
            context.standing.put(app.limiter.hit(LimitName::Refresh, &subject).await?);
        }
        None => count_stranger(app, context).await?,
    }
    match app.act(context, Renew { hash }).await? {
        Renewal::Issued(issued) => issued.sign(app),
        Renewal::Refused(decision) => Err(decision.refusal().unwrap_or_else(refused)),
        Renewal::TurnedAway(refusal) => Err(refusal),
    }
}

/// Ends the sign-in a refresh token belongs to. Saying so again, or of an unknown one, is fine.
pub async fn sign_out(app: &App, context: &Context, refresh_token: &str) -> Result<()> {
    let Some(token) = Secret::parse(&[SecretKind::ConsoleRefresh], refresh_token) else {
        return Ok(());
    };
    app.act(context, SignOut { hash: token.hash() }).await
}

async fn count_stranger(app: &App, context: &Context) -> Result<()> {
    if let Some(address) = context.origin.address {
        let subject = Subject::address(address);
        context.standing.put(app.limiter.hit(LimitName::Refresh, &subject).await?);
    }
    Ok(())
}

fn refused() -> Error {
    Error::new(ErrorKind::Unauthorized, "The refresh token is not valid")
}

/// Lets a refusal be written down, and a fault of the house undo everything.
pub(crate) fn refusable<T>(outcome: Result<T>) -> Result<Result<T>> {
    match outcome {
        Err(error) if !error.is_refusal() => Err(error),
        outcome => Ok(outcome),
    }
}

struct SignIn {
    /// Whose password was right when it was checked.
    found: Option<User>,
    /// Where to act.
    asked: Option<TenantId>,
    /// Whose account was named: they shall see who tries to come in.
    tenant: Option<TenantId>,
    username: String,
    /// Where they sign in from.
    devices: Vec<String>,
}

impl Act for SignIn {
    type Grant = Option<User>;
    type Output = Result<(Issued, User, Place)>;
    const ACTION: &'static str = "session.create";

    /// Knowing the password is the permission; it may have been changed since it was checked, and
    /// must not be while a session begins with it.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Option<User>> {
        let Some(found) = &self.found else { return Ok(None) };
        let user = user::claim(desk.tx, found.id)?;
        Ok(user.filter(|it| it.password_hash == found.password_hash))
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        grant: Option<User>,
    ) -> Result<Done<Self::Output>> {
        // What is no address may be a password in the wrong place.
        let name = Email::parse(&self.username).ok().map(|it| it.as_str().to_owned());
        let resource = Resource { kind: "session", id: None, name };
        let chosen = match &grant {
            Some(user) => refusable(membership::choose(desk.tx, user, self.asked))?,
            None => Ok(None),
        };
        let (user, place) = match chosen.map(|place| grant.zip(place)) {
            Ok(Some(entered)) => entered,
            // A tenant that is not theirs is told from nothing else that was wrong.
            Ok(None) => {
                let message = "The username or the password is not right";
                let wrong = Error::new(ErrorKind::InvalidCredentials, message);
                let mut done = Done::new(Err(wrong), resource, "A sign-in was refused").refused();
                done.tenant = self.tenant;
                return Ok(done);
            }
            Err(refusal) => {
                let message = "A sign-in to an account that is not active was refused";
                let mut done = Done::new(Err(refusal), resource, message).refused();
                done.tenant = self.tenant;
                return Ok(done);
            }
        };
        let issued = begin_in(desk, user.id, place.tenant)?;
        guard::remember(desk, user.id, &self.devices)?;
        let (tenant, resource) = (place.tenant, issued.resource(&user.fullname));
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        Ok(Done::new(Ok((issued, user, place)), resource, "A person signed in").by(actor))
    }
}

enum Renewal {
    Issued(Issued),
    Refused(Decision),
    TurnedAway(Error),
}

struct Renew {
    hash: SecretHash,
}

impl Act for Renew {
    /// The token, or whether one was forgotten because it had expired.
    type Grant = Result<session::RefreshToken, bool>;
    type Output = Renewal;
    const ACTION: &'static str = "session.renew";

    /// Holding the token is the permission; what it is still good for is decided next.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        match session::find_token(desk.tx, &self.hash)? {
            Some(known) => Ok(Ok(known)),
            None => Ok(Err(expired_token::exists(desk.tx, &self.hash)?)),
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Renewal>> {
        let known = match grant {
            Ok(known) => known,
            Err(expired) => {
                let resource = Resource { kind: "session", id: None, name: None };
                let (decision, message) = if expired {
                    (Decision::Expired, "An expired refresh token")
                } else {
                    (Decision::Unknown, "An unknown refresh token")
                };
                return Ok(Done::new(Renewal::Refused(decision), resource, message).refused());
            }
        };
        let id = known.session.id;
        let decision = present(Some(known.token), known.family(), desk.now);
        let resource = Resource { kind: "session", id: Some(id.to_string()), name: None };
        let active = refusable(still_active(desk.tx, &known.session))?;
        match decision {
            // Whoever may come back later finds the token as it was.
            Decision::Rotate | Decision::GraceReissue if active.is_err() => {}
            // Of many who race with one token, one rotates it; for the others it was used just now.
            Decision::Rotate => drop(session::use_token(desk.tx, &self.hash, desk.now)?),
            Decision::GraceReissue => {}
            Decision::RevokeFamily => {
                session::revoke_family(desk.tx, known.session.family, desk.now)?;
                let done = Done::new(Renewal::Refused(decision), resource, "A used refresh token");
                return Ok(done.refused());
            }
            Decision::Expired | Decision::Unknown => {
                let done = Done::new(Renewal::Refused(decision), resource, "A dead refresh token");
                return Ok(done.refused());
            }
        }
        let tenant = match active {
            Ok(tenant) => tenant,
            Err(refusal) => return Ok(turn_away(&known.session, refusal, resource)),
        };
        if let Some(tenant) = tenant {
            user::set_last_tenant(desk.tx, known.session.subject.into(), tenant)?;
        }
        session::touch(desk.tx, id, desk.now, desk.now.plus(REFRESH_LIFE))?;
        let issued = Issued::of(desk, &known.session)?;
        let mut done = Done::new(Renewal::Issued(issued), resource, "A session was renewed");
        (done.tenant, done.actor) = (tenant, owner(desk.tx, &known.session)?);
        Ok(done)
    }
}

fn turn_away(session: &Session, refusal: Error, resource: Resource) -> Done<Renewal> {
    let message = "The renewal of an account that is not active was refused";
    let mut done = Done::new(Renewal::TurnedAway(refusal), resource, message).refused();
    done.tenant = session.tenant;
    done
}

/// The tenant a session acts in, if its owner still may; staff's acts in none.
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

/// Whose session it is.
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
    type Grant = Option<session::RefreshToken>;
    type Output = ();
    const ACTION: &'static str = "session.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        Ok(session::find_token(desk.tx, &self.hash)?)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, known: Self::Grant) -> Result<Done<()>> {
        let mut actor = None;
        if let Some(known) = &known {
            session::revoke_family(desk.tx, known.session.family, desk.now)?;
            actor = owner(desk.tx, &known.session)?;
        }
        let id = known.map(|it| it.session.id);
        let resource = Resource { kind: "session", id: id.map(|it| it.to_string()), name: None };
        let mut done = Done::new((), resource, "A person signed out");
        done.actor = actor;
        Ok(done)
    }
}
