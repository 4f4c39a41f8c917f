//! Authentication by access token. A token's signature is verified once and the result is cached
//! by the token's hash. The session or client behind it is reloaded after a second, so a revocation
//! takes effect within a second on every node, and immediately on the node that made it.

mod admin;
mod client;
mod console;
mod tenant_caller;
mod view;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest;
use grantor_domain::id::ClientId;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{Changes, Topic, Tx};
use quick_cache::sync::Cache;

pub use self::admin::AdminCaller;
pub(crate) use self::client::ClientAccess;
pub use self::client::ClientCaller;
pub use self::console::Caller;
pub use self::tenant_caller::TenantCaller;
pub use self::view::ViewCaller;
use crate::App;
use crate::organizations::membership::suspended;
use grantor_keys::{Audience, Claims, InvalidToken};

/// How long a cached token is accepted without reloading its session or client.
const CACHE_TTL: Duration = Duration::from_millis(900);
/// The number of cached tokens per API.
const CACHE_CAPACITY: usize = 10_000;

/// The cached access tokens.
#[derive(Debug, Default)]
pub struct Access {
    console: TokenCache<Caller>,
    external: TokenCache<ClientCaller>,
    admin: TokenCache<AdminCaller>,
    view: TokenCache<ViewCaller>,
    /// Incremented when a session, client, user or tenant changes on this node. Entries cached
    /// under an earlier epoch are reloaded.
    epoch: AtomicU64,
    /// When each API client was last used, until that is stored.
    uses: Mutex<HashMap<ClientId, Timestamp>>,
}

impl Access {
    /// Invalidates all cached tokens if the commit changed anything that authentication depends on.
    pub fn after_commit(&self, changes: &Changes) {
        if changes.touches(Topic::Access) {
            self.epoch.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Records the use of a client.
    pub(crate) fn record_use(&self, client: ClientId, now: Timestamp) {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner).insert(client, now);
    }

    /// Puts back uses that could not be stored, unless a client was used again since.
    pub(crate) fn restore_uses(&self, unsaved: &HashMap<ClientId, Timestamp>) {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        for (client, at) in unsaved {
            uses.entry(*client).or_insert(*at);
        }
    }

    /// Takes the uses recorded since the last call.
    pub(crate) fn take_uses(&self) -> HashMap<ClientId, Timestamp> {
        std::mem::take(&mut self.uses.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the user of a valid console token.
pub async fn console(app: &App, token: &str) -> Result<Arc<Caller>> {
    authenticate(app, &app.access.console, token).await.map(|it| it.bearer)
}

/// Returns the member of staff of a valid admin token.
pub async fn admin(app: &App, token: &str) -> Result<Arc<AdminCaller>> {
    authenticate(app, &app.access.admin, token).await.map(|it| it.bearer)
}

/// Returns the member of staff of a valid view token, with the person whose console is viewed.
pub async fn view(app: &App, token: &str) -> Result<Arc<ViewCaller>> {
    authenticate(app, &app.access.view, token).await.map(|it| it.bearer)
}

/// Returns the API client of a valid external token.
pub async fn external(app: &App, token: &str) -> Result<Arc<ClientCaller>> {
    external_with_claims(app, token).await.map(|(caller, _)| caller)
}

/// Returns the API client of a valid external token, with the token's claims.
pub(crate) async fn external_with_claims(
    app: &App,
    token: &str,
) -> Result<(Arc<ClientCaller>, Arc<Claims>)> {
    let CachedToken { bearer, claims, .. } = authenticate(app, &app.access.external, token).await?;
    app.access.record_use(bearer.client, app.clock.now());
    Ok((bearer, claims))
}

/// The caller that a token of one audience identifies.
trait Bearer: Clone + Send + Sync + 'static {
    const AUDIENCE: Audience;

    /// Loads the caller, or refuses a token that was revoked.
    fn load(tx: &mut Tx<'_>, claims: &Claims, now: Timestamp) -> Result<Self>;
}

#[derive(Debug)]
struct TokenCache<B: Clone>(Cache<[u8; 32], CachedToken<B>>);

impl<B: Clone> Default for TokenCache<B> {
    fn default() -> Self {
        Self(Cache::new(CACHE_CAPACITY))
    }
}

#[derive(Clone, Debug)]
struct CachedToken<B> {
    claims: Arc<Claims>,
    bearer: Arc<B>,
    loaded_at: Duration,
    /// When the token expires, on the monotonic clock.
    deadline: Duration,
    epoch: u64,
}

async fn authenticate<B: Bearer>(
    app: &App,
    cache: &TokenCache<B>,
    token: &str,
) -> Result<CachedToken<B>> {
    let mut key = [0; 32];
    key.copy_from_slice(digest::digest(&digest::SHA256, token.as_bytes()).as_ref());
    let (now, epoch) = (app.clock.monotonic(), app.access.epoch.load(Ordering::SeqCst));
    let cached = cache.0.get(&key);
    let wall = app.clock.now();
    let (claims, deadline) = if let Some(cached) = cached {
        if now >= cached.deadline || wall.as_secs() >= cached.claims.exp {
            return Err(refuse(InvalidToken::Expired));
        }
        if cached.epoch == epoch && now.saturating_sub(cached.loaded_at) < CACHE_TTL {
            return Ok(cached);
        }
        (cached.claims, cached.deadline)
    } else {
        let claims = app.keys.verify(token, &app.public_url, B::AUDIENCE).map_err(refuse)?;
        let left = u64::try_from(claims.exp - wall.as_secs()).unwrap_or(0);
        (Arc::new(claims), now + Duration::from_secs(left))
    };
    let wanted = Arc::clone(&claims);
    let loaded = app.store.lookup(move |tx| B::load(tx, &wanted, wall)).await;
    if loaded.is_err() {
        cache.0.remove(&key);
    }
    let bearer = Arc::new(loaded?);
    let entry = CachedToken { claims, bearer, loaded_at: now, deadline, epoch };
    cache.0.insert(key, entry.clone());
    Ok(entry)
}

fn invalid() -> Error {
    refuse(InvalidToken::Invalid)
}

fn refuse(reason: InvalidToken) -> Error {
    let kind = match reason {
        InvalidToken::Invalid => ErrorKind::Unauthorized,
        InvalidToken::Expired => ErrorKind::TokenExpired,
    };
    Error::new(kind, reason.to_string())
}
