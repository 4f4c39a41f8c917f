//! What a token or a key is worth, for whoever holds it.

use grantor_domain::id::{ClientId, ExchangeId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::scope::Scopes;
use grantor_domain::secret::ApiKey;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{Tx, client, exchange};
use uuid::Uuid;

use crate::access::Standing;
use crate::keys::{Audience, Claims};
use crate::limit::Subject;
use crate::{App, Context, access};

/// What is known of an access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Introspection {
    /// It opens the external API.
    Active {
        /// What it opens.
        scopes: Scopes,
        /// Whom its client acts as.
        user: UserId,
        /// When it was issued.
        issued_at: Timestamp,
        /// When it ends.
        expires_at: Timestamp,
    },
    /// It opens nothing.
    Inactive {
        /// When it ended or would have; now, when nothing is known of it.
        expires_at: Timestamp,
        /// Whether it was ended before its time.
        revoked: bool,
    },
}

/// Tells what an access token of the external API is worth. What is none is worth nothing, and no
/// more is said of it.
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

/// What is known of a token that opens nothing.
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
    // It is sound and has not expired: something it rests on was ended, or rests.
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

/// What is known of an API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCheck {
    /// The client's record.
    pub client: ClientId,
    /// What its tokens carry.
    pub scopes: Scopes,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
}

/// The client of a public key, if it may be used. Checks of one key count together, those of unknown
/// keys for the address they come from.
pub async fn check_key(app: &App, context: &Context, api_key: &str) -> Result<Option<KeyCheck>> {
    let (key, now) = (ApiKey::parse(api_key), app.clock.now());
    let found = app.store.read(move |tx| match &key {
        Some(key) => look_up(tx, key, now),
        None => Ok(None),
    });
    let found = found.await?;
    let stranger = context.origin.address.map(Subject::address);
    let subject = found.as_ref().map(|it| Subject::id(it.0.client.as_uuid())).or(stranger);
    if let Some(subject) = subject {
        context.standing.put(app.limiter.hit(LimitName::KeyCheck, &subject).await?);
    }
    Ok(found.and_then(|(check, good)| good.then_some(check)))
}

/// What is known of a key, and whether it may be used.
fn look_up(tx: &mut Tx<'_>, key: &ApiKey, now: Timestamp) -> Result<Option<(KeyCheck, bool)>> {
    let Some(client) = client::find_by_key(tx, key.as_str())? else { return Ok(None) };
    let good = matches!(Standing::of(tx, &client, now)?, Standing::Good(..));
    let check =
        KeyCheck { client: client.id, scopes: client.scopes, expires_at: client.expires_at };
    Ok(Some((check, good)))
}
