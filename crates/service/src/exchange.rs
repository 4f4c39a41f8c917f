//! API clients' tokens: the pair exchanged for an access token, renewed, revoked and asked about.

mod inspect;
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

pub use self::inspect::{Introspection, KeyCheck, check_key, inspect};
use self::refresh::{Refresh, Renewable};
pub use self::revoke::revoke;
use crate::access::Standing;
use crate::act::{Act, Desk, Done};
use crate::keys::{Audience, Claims};
use crate::limit::Subject;
use crate::{App, Context};

/// By which document's rules a pair is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The external document's: with a refresh token.
    External,
    /// The console document's: without.
    Legacy,
}

impl Flow {
    const fn limit(self) -> LimitName {
        match self {
            Self::External => LimitName::ExternalToken,
            Self::Legacy => LimitName::LegacyToken,
        }
    }
}

/// What an exchange gives.
pub struct Exchanged {
    /// Opens the external API for an hour.
    pub access_token: String,
    /// Gets the next access token, where the flow has one.
    pub refresh_token: Option<String>,
    /// What it opens.
    pub scopes: Scopes,
}

/// Exchanges a pair. Whether the key or the secret was wrong is not said; that the client is not
/// active is told to who holds its secret.
///
/// Right secrets count for the client, wrong ones for the address they came from, so that no
/// stranger locks its owner out; and all that an address is refused counts together, whatever keys it
/// makes up (contract section 3).
pub async fn exchange(
    app: &App,
    context: &Context,
    flow: Flow,
    api_key: &str,
    api_secret: &str,
) -> Result<Exchanged> {
    let stranger = Stranger::of(context, flow, api_key);
    stranger.peek(app).await?;
    let presented = Presented::read(api_key, api_secret);
    let found = {
        let key = presented.key.clone();
        let found = app.store.glance(move |tx| client::find_credentials(tx, &key)).await;
        found.map_err(Error::from)?
    };
    let now = app.clock.now();
    let known = found.filter(|it| presented.opens(it, now)).map(|it| it.client);
    match known {
        Some(id) => {
            let subject = Subject::id(id.as_uuid());
            context.standing.put(app.limiter.hit(flow.limit(), &subject).await?);
        }
        None => stranger.hit(app, context).await?,
    }
    let act = Exchanging { flow, known, presented };
    match app.act(context, act).await? {
        Outcome::Issued(issued) => {
            app.access.saw(issued.client, now);
            issued.sign(app)
        }
        Outcome::Wrong => Err(wrong()),
        Outcome::Inactive => {
            Err(Error::new(ErrorKind::CredentialInactive, "This API client is not active"))
        }
        Outcome::Suspended => Err(Error::new(ErrorKind::Forbidden, "This account is suspended")),
    }
}

/// Where wrong credentials come from: counted with the key they name, and with all others that were
/// refused there.
struct Stranger([Option<(LimitName, Subject)>; 2]);

impl Stranger {
    fn of(context: &Context, flow: Flow, api_key: &str) -> Self {
        let address = context.origin.address;
        Self([
            address.map(|it| (flow.limit(), Subject::text_from(api_key, it))),
            address.map(|it| (LimitName::TokenRefused, Subject::address(it))),
        ])
    }

    /// Refuses whoever was refused too often, before anything is looked at.
    async fn peek(&self, app: &App) -> Result<()> {
        for (limit, subject) in self.0.iter().flatten() {
            app.limiter.peek(*limit, subject).await?;
        }
        Ok(())
    }

    async fn hit(&self, app: &App, context: &Context) -> Result<()> {
        for (limit, subject) in self.0.iter().flatten() {
            context.standing.put(app.limiter.hit(*limit, subject).await?);
        }
        Ok(())
    }
}

/// Gets another access token. The refresh token stays as it is.
///
/// A good one counts for its client by the general limit of its plan; any other counts for the address
/// it came from, so that nobody uses up what is another's (contract section 3).
pub async fn refresh(app: &App, context: &Context, refresh_token: &str) -> Result<String> {
    let token = Secret::parse(&[SecretKind::ExternalRefresh], refresh_token);
    let (hash, now) = (token.map(|it| it.hash()), app.clock.now());
    let read = app.store.read(move |tx| Renewable::find(tx, hash.as_ref(), now));
    let counted = match read.await? {
        Renewable::Good(known) => {
            Some((known.plan.limit(), Subject::id(known.client.id.as_uuid())))
        }
        _ => context.origin.address.map(|it| (LimitName::Refresh, Subject::address(it))),
    };
    if let Some((limit, subject)) = counted {
        context.standing.put(app.limiter.hit(limit, &subject).await?);
    }
    let issued = app.act(context, Refresh { hash }).await??;
    app.access.saw(issued.client, now);
    Ok(issued.sign(app)?.access_token)
}

fn wrong() -> Error {
    Error::new(ErrorKind::InvalidCredentials, "The API key or the secret is not right")
}

/// A pair as it was presented. A malformed half is looked up and compared like any other, so that
/// it takes as long.
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

    /// What the log calls it: the public key, and nothing that is none. It could be the secret, in
    /// the wrong place.
    fn name(&self) -> Option<String> {
        (!self.key.is_empty()).then(|| self.key.clone())
    }

    /// When the presented secret ends, if it is the one that was replaced.
    fn until(&self, client: &Credentials, now: Timestamp) -> Option<Timestamp> {
        let (old, until) = client.old_secret;
        (self.secret == Some(old)
            && self.secret != Some(client.secret_hash)
            && old_secret_works(until, now))
        .then_some(until)
    }

    fn opens(&self, client: &Credentials, now: Timestamp) -> bool {
        let Some(secret) = self.secret else { return false };
        let (old, until) = client.old_secret;
        client.secret_hash == secret || old == secret && old_secret_works(until, now)
    }
}

/// An access token still to be signed, which takes too long for a unit of work.
struct Issued {
    client: ClientId,
    user: UserId,
    scopes: Scopes,
    exchange: Exchange,
    refresh: Option<Secret>,
}

impl Issued {
    fn sign(self, app: &App) -> Result<Exchanged> {
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
        Ok(Exchanged {
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
}

struct Exchanging {
    flow: Flow,
    /// The client whose secret was right.
    known: Option<ClientId>,
    presented: Presented,
}

impl Act for Exchanging {
    type Grant = Option<Client>;
    type Output = Outcome;
    const ACTION: &'static str = "token.create";

    /// Holding the secret is the permission; it may have been changed since it was looked at.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Option<Client>> {
        let found = self.known.map(|id| client::claim_anywhere(desk.tx, id)).transpose()?;
        Ok(found.flatten().filter(|it| self.presented.opens(&it.credentials(), desk.now)))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Option<Client>) -> Result<Done<Outcome>> {
        let Some(client) = grant else {
            let resource = Resource { kind: "client", id: None, name: self.presented.name() };
            let done = Done::new(Outcome::Wrong, resource, "A pair of credentials was refused");
            return Ok(done.refused());
        };
        let resource = resource(&client);
        let refused = match Standing::of(desk.tx, &client, desk.now)? {
            Standing::Good(..) => None,
            Standing::Inactive => Some(Outcome::Inactive),
            Standing::Suspended => Some(Outcome::Suspended),
        };
        let mut done = if let Some(outcome) = refused {
            Done::new(outcome, resource, "An API client that is not active was refused").refused()
        } else {
            let ends = self.presented.until(&client.credentials(), desk.now);
            let issued = issue(desk, &client, self.flow, ends)?;
            let message = "An API client exchanged its credentials";
            Done::new(Outcome::Issued(issued), resource, message).by(actor(&client))
        };
        done.tenant = Some(client.tenant);
        Ok(done)
    }
}

/// Issues tokens. What is got with a secret that was replaced ends with it.
fn issue(
    desk: &mut Desk<'_, '_>,
    client: &Client,
    flow: Flow,
    secret_ends: Option<Timestamp>,
) -> Result<Issued> {
    let refresh = match flow {
        Flow::External => Some(Secret::generate(SecretKind::ExternalRefresh, &*desk.app.entropy)),
        Flow::Legacy => None,
    };
    let life = if refresh.is_some() { REFRESH_LIFE } else { ACCESS_LIFE };
    let exchange = Exchange {
        id: desk.ids.next(),
        client: client.id,
        refresh_until: secret_ends.map_or(desk.now.plus(life), |it| it.min(desk.now.plus(life))),
        revoked_at: None,
    };
    let hash = refresh.as_ref().map(Secret::hash);
    exchange::insert(desk.tx, &exchange, hash.as_ref(), desk.now)?;
    Ok(Issued { client: client.id, user: client.user, scopes: client.scopes, exchange, refresh })
}

/// The client as acts and the log know it.
fn actor(client: &Client) -> Actor {
    let Client { id, user, tenant, name, .. } = client;
    Actor::Client { id: *id, user: *user, tenant: *tenant, name: name.clone() }
}

fn resource(client: &Client) -> Resource {
    Resource { kind: "client", id: Some(client.id.to_string()), name: Some(client.name.clone()) }
}
