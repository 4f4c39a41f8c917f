//! Inspecting access tokens and API keys.

use grantor_domain::id::{ClientId, ExchangeId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::scope::Scopes;
use grantor_domain::secret::ApiKey;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{Tx, client, exchange};
use uuid::Uuid;

use crate::identity::access;
use crate::identity::access::ClientAccess;
use crate::operations::limit::Subject;
use crate::{App, Context};
use grantor_keys::{Audience, Claims};

/// The state of an access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Introspection {
    /// The token is valid.
    Active {
        /// Its scopes.
        scopes: Scopes,
        /// The user its client acts as.
        user: UserId,
        /// When it was issued.
        issued_at: Timestamp,
        /// When it expires.
        expires_at: Timestamp,
    },
    /// The token is not valid.
    Inactive {
        /// When it expires or expired; the current time for an unknown token.
        expires_at: Timestamp,
        /// Whether it was revoked.
        revoked: bool,
    },
}

/// Returns the state of an access token of the external API. Any other token is inactive.
pub async fn inspect(app: &App, token: &str) -> Result<Introspection> {
    match access::external_with_claims(app, token).await {
        Ok((caller, claims)) => Ok(Introspection::Active {
            scopes: caller.scopes,
            user: caller.user,
            issued_at: Timestamp::from_secs(claims.iat),
            expires_at: Timestamp::from_secs(claims.exp),
        }),
        Err(refusal) if refusal.is_refusal() => inspect_refused(app, token, &refusal).await,
        Err(error) => Err(error),
    }
}

/// Returns the state of a token that is not valid.
async fn inspect_refused(app: &App, token: &str, refusal: &Error) -> Result<Introspection> {
    let now = app.clock.now();
    let read = app.keys.inspect(token, &app.public_url, Audience::External);
    let Ok(claims) = read else {
        return Ok(Introspection::Inactive { expires_at: now, revoked: false });
    };
    let expires_at = Timestamp::from_secs(claims.exp);
    if expires_at <= now {
        let revoked = was_revoked(app, claims).await?;
        return Ok(Introspection::Inactive { expires_at, revoked });
    }
    // The token has not expired, so its session or client was revoked, or the tenant is suspended.
    let revoked = *refusal.kind() != ErrorKind::Forbidden;
    Ok(Introspection::Inactive { expires_at, revoked })
}

async fn was_revoked(app: &App, claims: Claims) -> Result<bool> {
    let (Ok(token), Some(sid)) = (claims.jti.parse::<Uuid>(), claims.sid) else {
        return Ok(false);
    };
    let found = app.store.read(move |tx| {
        let ended = exchange::find(tx, ExchangeId::from(sid))?
            .is_some_and(|it| it.revoked_at.is_some_and(|at| at.as_secs() < claims.exp));
        Ok(ended || exchange::is_revoked(tx, token)?)
    });
    found.await.map_err(|error: grantor_storage::Error| error.into())
}

/// A valid API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCheck {
    /// The client's id.
    pub client: ClientId,
    /// The scopes of its tokens.
    pub scopes: Scopes,
    /// When the client expires.
    pub expires_at: Option<Timestamp>,
}

/// Returns the client of an API key, if it may be used. Calls count against the limit of the key,
/// or of the caller's address if the key is unknown.
pub async fn check_key(app: &App, context: &Context, api_key: &str) -> Result<Option<KeyCheck>> {
    let (key, now) = (ApiKey::parse(api_key), app.clock.now());
    let found = app.store.read(move |tx| match &key {
        Some(key) => look_up(tx, key, now),
        None => Ok(None),
    });
    let found = found.await?;
    let address = context.origin.address.map(Subject::address);
    let subject = found.as_ref().map(|it| Subject::id(it.0.client.as_uuid())).or(address);
    if let Some(subject) = subject {
        context.rate_limit.record(app.limiter.hit(LimitName::KeyCheck, &subject).await?);
    }
    Ok(found.and_then(|(check, usable)| usable.then_some(check)))
}

/// Returns the client of a key, and whether it may be used.
fn look_up(tx: &mut Tx<'_>, key: &ApiKey, now: Timestamp) -> Result<Option<(KeyCheck, bool)>> {
    let Some(client) = client::find_by_key(tx, key.as_str())? else { return Ok(None) };
    let usable = matches!(ClientAccess::load(tx, &client, now)?, ClientAccess::Active(..));
    let check =
        KeyCheck { client: client.id, scopes: client.scopes, expires_at: client.expires_at };
    Ok(Some((check, usable)))
}
