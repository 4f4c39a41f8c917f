//! Who comes in with an access token. A token is checked once, then remembered by its hash; what it
//! rests on is looked up again after a second, so that what any node ends is over within that time,
//! and at once on the node that ended it.

mod admin;
mod client;
mod console;
mod insider;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest;
use grantor_domain::id::ClientId;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{Changes, Matter, Tx};
use quick_cache::sync::Cache;

pub use self::admin::AdminCaller;
pub use self::client::ClientCaller;
pub(crate) use self::client::Standing;
pub use self::console::Caller;
pub use self::insider::Insider;
use crate::App;
use crate::keys::{Audience, Claims, InvalidToken};
use crate::membership::suspended;

/// How long what a token rests on is believed without looking.
const BELIEVED: Duration = Duration::from_millis(900);
/// Tokens of one API remembered at once; the least used are forgotten first.
const REMEMBERED: usize = 10_000;

/// What is remembered of tokens.
#[derive(Debug, Default)]
pub struct Access {
    console: Tokens<Caller>,
    external: Tokens<ClientCaller>,
    admin: Tokens<AdminCaller>,
    /// Raised whenever something that tokens rest on is changed here: nothing believed before is
    /// believed after.
    epoch: AtomicU64,
    /// When each API client was last seen, until that is written down.
    seen: Mutex<HashMap<ClientId, Timestamp>>,
}

impl Access {
    /// Something that tokens rest on was changed: every token is looked at again.
    pub fn follow(&self, changes: &Changes) {
        if changes.touch(Matter::Access) {
            self.epoch.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Notes that a client was here.
    pub(crate) fn saw(&self, client: ClientId, now: Timestamp) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(client, now);
    }

    /// Notes again who was here before, unless they came since.
    pub(crate) fn saw_before(&self, before: &HashMap<ClientId, Timestamp>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for (client, at) in before {
            seen.entry(*client).or_insert(*at);
        }
    }

    /// Who was here since this was asked last.
    pub(crate) fn take_seen(&self) -> HashMap<ClientId, Timestamp> {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The person a console token stands for, if it still does.
pub async fn console(app: &App, token: &str) -> Result<Arc<Caller>> {
    enter(app, &app.access.console, token).await.map(|it| it.bearer)
}

/// The member of staff an admin token stands for, if it still does.
pub async fn admin(app: &App, token: &str) -> Result<Arc<AdminCaller>> {
    enter(app, &app.access.admin, token).await.map(|it| it.bearer)
}

/// The API client an external token stands for, if it still does.
pub async fn external(app: &App, token: &str) -> Result<Arc<ClientCaller>> {
    external_with_claims(app, token).await.map(|(caller, _)| caller)
}

/// The same with what the token itself says.
pub(crate) async fn external_with_claims(
    app: &App,
    token: &str,
) -> Result<(Arc<ClientCaller>, Arc<Claims>)> {
    let Remembered { bearer, claims, .. } = enter(app, &app.access.external, token).await?;
    app.access.saw(bearer.client, app.clock.now());
    Ok((bearer, claims))
}

/// Whoever a token of one audience stands for.
trait Bearer: Clone + Send + Sync + 'static {
    const AUDIENCE: Audience;

    /// Looks up what the token rests on.
    fn look_up(tx: &mut Tx<'_>, claims: &Claims, now: Timestamp) -> Result<Self>;
}

#[derive(Debug)]
struct Tokens<B: Clone>(Cache<[u8; 32], Remembered<B>>);

impl<B: Clone> Default for Tokens<B> {
    fn default() -> Self {
        Self(Cache::new(REMEMBERED))
    }
}

#[derive(Clone, Debug)]
struct Remembered<B> {
    claims: Arc<Claims>,
    bearer: Arc<B>,
    looked_at: Duration,
    /// When its hour is over on the clock that nobody sets back.
    dies_at: Duration,
    epoch: u64,
}

async fn enter<B: Bearer>(app: &App, tokens: &Tokens<B>, token: &str) -> Result<Remembered<B>> {
    let mut key = [0; 32];
    key.copy_from_slice(digest::digest(&digest::SHA256, token.as_bytes()).as_ref());
    let (now, epoch) = (app.clock.monotonic(), app.access.epoch.load(Ordering::SeqCst));
    let known = tokens.0.get(&key);
    let wall = app.clock.now();
    let (claims, dies_at) = if let Some(known) = known {
        if now >= known.dies_at || wall.as_secs() >= known.claims.exp {
            return Err(refuse(InvalidToken::Expired));
        }
        if known.epoch == epoch && now.saturating_sub(known.looked_at) < BELIEVED {
            return Ok(known);
        }
        (known.claims, known.dies_at)
    } else {
        let claims = app.keys.verify(token, &app.public_url, B::AUDIENCE).map_err(refuse)?;
        let left = u64::try_from(claims.exp - wall.as_secs()).unwrap_or(0);
        (Arc::new(claims), now + Duration::from_secs(left))
    };
    let looked_for = Arc::clone(&claims);
    let found = app.store.glance(move |tx| B::look_up(tx, &looked_for, wall)).await;
    if found.is_err() {
        tokens.0.remove(&key);
    }
    let bearer = Arc::new(found?);
    let remembered = Remembered { claims, bearer, looked_at: now, dies_at, epoch };
    tokens.0.insert(key, remembered.clone());
    Ok(remembered)
}

/// The token no longer stands for anybody.
fn ended() -> Error {
    refuse(InvalidToken::Invalid)
}

fn refuse(reason: InvalidToken) -> Error {
    let kind = match reason {
        InvalidToken::Invalid => ErrorKind::Unauthorized,
        InvalidToken::Expired => ErrorKind::TokenExpired,
    };
    Error::new(kind, reason.to_string())
}
