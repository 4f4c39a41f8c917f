//! Tokens of API clients: issuing, refreshing, revoking and inspecting them.

mod authenticate;
mod inspect;
mod introspect;
mod refresh;
mod revoke;

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::client::old_secret_works;
use grantor_domain::id::{ClientId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::scope::Scopes;
use grantor_domain::secret::{ApiKey, Mode, Secret, SecretHash, SecretKind};
use grantor_domain::session::{ACCESS_LIFE, REFRESH_LIFE};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::client::{self, Client, Credentials};
use grantor_storage::exchange::{self, Exchange};
use uuid::Uuid;

pub use self::authenticate::{AuthenticatedClient, authenticate};
pub use self::inspect::{Introspection, KeyCheck, check_key, inspect};
pub use self::introspect::{TokenDetails, introspect};
use self::refresh::{Refresh, RefreshState};
pub use self::revoke::{revoke, revoke_own};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::ClientAccess;
use crate::operations::limit::Subject;
use crate::organizations::membership::suspended;
use crate::{App, Context};
use grantor_keys::{Audience, Claims};

/// The token endpoint that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The external API: with a refresh token.
    External,
    /// The console API: without one.
    Legacy,
    /// OAuth 2.0: without one, and with no more than the requested scopes.
    OAuth(Option<Scopes>),
}

impl Flow {
    const fn limit(self) -> LimitName {
        match self {
            Self::External | Self::OAuth(_) => LimitName::ExternalToken,
            Self::Legacy => LimitName::LegacyToken,
        }
    }

    /// The scopes of a token for a client that has these, or `None` if it has none of the requested
    /// ones.
    fn scopes(self, held: Scopes) -> Option<Scopes> {
        let Self::OAuth(Some(requested)) = self else { return Some(held) };
        let both: Scopes = requested.iter().filter(|it| held.contains(*it)).collect();
        (!both.is_empty()).then_some(both)
    }
}

/// Newly issued tokens.
pub struct IssuedTokens {
    /// An access token for the external API.
    pub access_token: String,
    /// A refresh token, if the flow has one.
    pub refresh_token: Option<String>,
    /// The scopes of the access token.
    pub scopes: Scopes,
}

/// Issues tokens for an API key and its secret. The error doesn't say which of the two was wrong;
/// only a caller with the right secret learns that the client is inactive.
///
/// Correct secrets count against the client's limit, wrong ones against the limits of the caller's
/// address, so that nobody can lock a client out (contract section 3).
pub async fn create(
    app: &App,
    context: &Context,
    flow: Flow,
    api_key: &str,
    api_secret: &str,
) -> Result<IssuedTokens> {
    let failures = FailureLimits::new(context, flow, api_key);
    failures.check(app).await?;
    let presented = Presented::read(api_key, api_secret);
    let found = {
        let key = presented.key.clone();
        let found = app.store.lookup(move |tx| client::find_credentials(tx, &key)).await;
        found.map_err(Error::from)?
    };
    let now = app.clock.now();
    let known = found.filter(|it| presented.matches(it, now)).map(|it| it.client);
    match known {
        Some(id) => {
            let subject = Subject::id(id.as_uuid());
            context.rate_limit.record(app.limiter.hit(flow.limit(), &subject).await?);
        }
        None => failures.count(app, context).await?,
    }
    let act = Create { flow, known, presented };
    match app.act(context, act).await? {
        Outcome::Issued(issued) => {
            app.access.record_use(issued.client, now);
            issued.sign(app)
        }
        Outcome::Wrong => Err(wrong()),
        Outcome::Inactive => Err(inactive()),
        Outcome::Suspended => Err(suspended()),
        Outcome::OutOfScope => {
            let message = "The API client has none of the requested scopes";
            Err(Error::new(ErrorKind::InsufficientPermissions, message))
        }
    }
}

/// The limits for wrong credentials from one address: per API key, and for all keys together.
struct FailureLimits([Option<(LimitName, Subject)>; 2]);

impl FailureLimits {
    fn new(context: &Context, flow: Flow, api_key: &str) -> Self {
        let address = context.origin.address;
        Self([
            address.map(|it| (flow.limit(), Subject::text_from(api_key, it))),
            address.map(|it| (LimitName::TokenRefused, Subject::address(it))),
        ])
    }

    /// Refuses an address that is over a limit, before the credentials are checked.
    async fn check(&self, app: &App) -> Result<()> {
        for (limit, subject) in self.0.iter().flatten() {
            app.limiter.peek(*limit, subject).await?;
        }
        Ok(())
    }

    async fn count(&self, app: &App, context: &Context) -> Result<()> {
        for (limit, subject) in self.0.iter().flatten() {
            context.rate_limit.record(app.limiter.hit(*limit, subject).await?);
        }
        Ok(())
    }
}

/// Issues a new access token. The refresh token stays the same.
///
/// A valid refresh token counts against the limit of its client's plan; any other counts against
/// the limit of the caller's address (contract section 3).
pub async fn refresh(app: &App, context: &Context, refresh_token: &str) -> Result<String> {
    let token = Secret::parse(&[SecretKind::ExternalRefresh], refresh_token);
    let (hash, now) = (token.map(|it| it.hash()), app.clock.now());
    let read = app.store.read(move |tx| RefreshState::load(tx, hash.as_ref(), now));
    let counted = match read.await? {
        RefreshState::Valid(valid) => {
            Some((valid.plan.limit(), Subject::id(valid.client.id.as_uuid())))
        }
        _ => context.origin.address.map(|it| (LimitName::Refresh, Subject::address(it))),
    };
    if let Some((limit, subject)) = counted {
        context.rate_limit.record(app.limiter.hit(limit, &subject).await?);
    }
    let issued = app.act(context, Refresh { hash }).await??;
    app.access.record_use(issued.client, now);
    Ok(issued.sign(app)?.access_token)
}

fn wrong() -> Error {
    Error::new(ErrorKind::InvalidCredentials, "The API key or secret is incorrect")
}

fn inactive() -> Error {
    Error::new(ErrorKind::CredentialInactive, "This API client is inactive")
}

/// The presented API key and secret. Malformed ones are looked up and compared like any others, so
/// that the timing is the same.
struct Presented {
    key: String,
    secret: Option<SecretHash>,
}

impl Presented {
    fn read(key: &str, secret: &str) -> Self {
        let kinds = [SecretKind::ApiSecret(Mode::Live), SecretKind::ApiSecret(Mode::Test)];
        Self {
            key: ApiKey::parse(key).map(|it| it.as_str().to_owned()).unwrap_or_default(),
            secret: Secret::parse(&kinds, secret).map(|it| it.hash()),
        }
    }

    /// The name for the log: a well-formed API key. Anything else could be a misplaced secret.
    fn name(&self) -> Option<String> {
        (!self.key.is_empty()).then(|| self.key.clone())
    }

    /// When the presented secret expires, if it is the replaced one.
    fn expires_at(&self, client: &Credentials, now: Timestamp) -> Option<Timestamp> {
        let (old, until) = client.old_secret;
        (self.secret == Some(old)
            && self.secret != Some(client.secret_hash)
            && old_secret_works(until, now))
        .then_some(until)
    }

    fn matches(&self, client: &Credentials, now: Timestamp) -> bool {
        let Some(secret) = self.secret else { return false };
        let (old, until) = client.old_secret;
        client.secret_hash == secret || old == secret && old_secret_works(until, now)
    }
}

/// An access token that isn't signed yet: signing is too slow for a unit of work.
struct Issued {
    client: ClientId,
    user: UserId,
    scopes: Scopes,
    exchange: Exchange,
    refresh: Option<Secret>,
}

impl Issued {
    fn sign(self, app: &App) -> Result<IssuedTokens> {
        let now = app.clock.now().as_secs();
        let claims = Claims {
            iss: app.public_url.clone(),
            sub: self.user.to_string(),
            aud: Audience::External,
            scope: self.scopes.to_string(),
            jti: app.ids.next::<Uuid>().to_string(),
            sid: Some(self.exchange.id.as_uuid()),
            client_id: Some(self.client),
            iat: now,
            nbf: now,
            exp: now + ACCESS_LIFE.as_secs().cast_signed(),
        };
        Ok(IssuedTokens {
            access_token: app.keys.sign(&claims)?,
            refresh_token: self.refresh.map(|it| it.expose().to_owned()),
            scopes: self.scopes,
        })
    }
}

enum Outcome {
    Issued(Issued),
    Wrong,
    Inactive,
    Suspended,
    OutOfScope,
}

struct Create {
    flow: Flow,
    /// The client whose secret was presented.
    known: Option<ClientId>,
    presented: Presented,
}

impl Act for Create {
    type Permit = Option<Client>;
    type Output = Outcome;
    const ACTION: &'static str = "token.create";

    /// Having the secret is the permission. It is checked again, since it may have changed.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Option<Client>> {
        let found = self.known.map(|id| client::claim_anywhere(unit.tx, id)).transpose()?;
        Ok(found.flatten().filter(|it| self.presented.matches(&it.credentials(), unit.now)))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Option<Client>,
    ) -> Result<Done<Outcome>> {
        let Some(client) = permit else {
            let resource = Resource { kind: "client", id: None, name: self.presented.name() };
            let done = Done::new(Outcome::Wrong, resource, "An API key or secret was rejected");
            return Ok(done.refused());
        };
        let resource = resource(&client);
        let inactive = "A token request of an inactive API client was rejected";
        let beyond = "A token request for scopes that the API client lacks was rejected";
        let scopes = match ClientAccess::load(unit.tx, &client, unit.now)? {
            ClientAccess::Active(..) => {
                self.flow.scopes(client.scopes).ok_or((Outcome::OutOfScope, beyond))
            }
            ClientAccess::Inactive => Err((Outcome::Inactive, inactive)),
            ClientAccess::Suspended => Err((Outcome::Suspended, inactive)),
        };
        let mut done = match scopes {
            Ok(scopes) => {
                let expires_at = self.presented.expires_at(&client.credentials(), unit.now);
                let issued = issue(unit, &client, self.flow, scopes, expires_at)?;
                let message = "A token was issued to an API client";
                Done::new(Outcome::Issued(issued), resource, message).with_actor(actor(&client))
            }
            Err((outcome, message)) => Done::new(outcome, resource, message).refused(),
        };
        done.tenant = Some(client.tenant);
        Ok(done)
    }
}

/// Issues tokens. A refresh token issued for a replaced secret expires with it.
fn issue(
    unit: &mut UnitOfWork<'_, '_>,
    client: &Client,
    flow: Flow,
    scopes: Scopes,
    secret_expires_at: Option<Timestamp>,
) -> Result<Issued> {
    let refresh = match flow {
        Flow::External => Some(Secret::generate(SecretKind::ExternalRefresh, &*unit.app.entropy)),
        Flow::Legacy | Flow::OAuth(_) => None,
    };
    let life = if refresh.is_some() { REFRESH_LIFE } else { ACCESS_LIFE };
    let expires_at = unit.now.plus(life);
    let exchange = Exchange {
        id: unit.ids.next(),
        client: client.id,
        refresh_until: secret_expires_at.map_or(expires_at, |it| it.min(expires_at)),
        revoked_at: None,
    };
    let hash = refresh.as_ref().map(Secret::hash);
    exchange::insert(unit.tx, &exchange, hash.as_ref(), unit.now)?;
    Ok(Issued { client: client.id, user: client.user, scopes, exchange, refresh })
}

/// Returns the client as an actor.
fn actor(client: &Client) -> Actor {
    let Client { id, user, tenant, name, .. } = client;
    Actor::Client { id: *id, user: *user, tenant: *tenant, name: name.clone() }
}

fn resource(client: &Client) -> Resource {
    Resource { kind: "client", id: Some(client.id.to_string()), name: Some(client.name.clone()) }
}
