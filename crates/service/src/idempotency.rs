//! The same request again gets the first answer (contract section 3). The surface hands over what
//! it would send; here it is sealed and kept.

use std::fmt;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use aws_lc_rs::digest;
use grantor_domain::idempotency::{CLAIMED, Claim, IdempotencyKey, KEPT};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::idempotency::{self, Found, Moments};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::App;
use crate::keys::Purpose;

/// An answer as it is kept.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// The status.
    pub status: u16,
    /// Headers that belong to the answer itself.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl fmt::Debug for KeptAnswer {
    /// Without headers and body: they may hold a secret that is shown once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptAnswer").field("status", &self.status).finish_non_exhaustive()
    }
}

/// What to do with a request that came with a key.
#[derive(Clone, Debug)]
pub enum Begun {
    /// Carry it out under this claim, then [`finish`] it.
    First(Claim),
    /// Send this.
    Again(KeptAnswer),
}

/// A request that came with a key.
#[derive(Clone)]
pub struct KeyedRequest {
    /// Whose key it is.
    pub caller: String,
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The key.
    pub key: IdempotencyKey,
    /// SHA-256 of what was sent: see [`Self::hash`].
    pub body_hash: [u8; 32],
}

impl fmt::Debug for KeyedRequest {
    /// Without the hash: what was sent may be little more than a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("KeyedRequest");
        shown.field("caller", &self.caller).field("method", &self.method);
        shown.field("path", &self.path).field("key", &self.key).finish_non_exhaustive()
    }
}

impl KeyedRequest {
    /// The hash two requests must share to be the same: over the query, where there is one, and the
    /// body. A query may name the record, so that an answer to one says nothing of another.
    #[must_use]
    pub fn hash(query: Option<&str>, body: &[u8]) -> [u8; 32] {
        let mut sent = digest::Context::new(&digest::SHA256);
        if let Some(query) = query.filter(|it| !it.is_empty()) {
            // Neither JSON nor a form begins so.
            for part in ["?", query, "\n"] {
                sent.update(part.as_bytes());
            }
        }
        sent.update(body);
        let mut hash = [0; 32];
        hash.copy_from_slice(sent.finish().as_ref());
        hash
    }
}

/// When to ask again while the first request is under way.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// How often the first request is looked after when it runs on another node.
const LOOK: Duration = Duration::from_millis(250);

/// Claims the key, or finds the first answer. While that is under way it is waited for, at most so
/// long: the same request at the same time gets the same answer, whoever was first.
pub async fn begin(app: &App, request: KeyedRequest, wait: Duration) -> Result<Begun> {
    let mut bound = pin!(timeout(wait, pending::<()>()));
    loop {
        let mut answered = pin!(app.answered.notified());
        // From here on no answer is missed.
        answered.as_mut().enable();
        if let Some(begun) = look(app, request.clone()).await? {
            return Ok(begun);
        }
        tokio::select! {
            biased;
            _ = &mut bound => return Err(Error::new(
                ErrorKind::UnderWay { retry_after: ASK_AGAIN },
                "A request with this Idempotency-Key is still under way",
            )),
            _ = timeout(LOOK, answered) => {}
        }
    }
}

/// Nothing while the first request is under way.
async fn look(app: &App, request: KeyedRequest) -> Result<Option<Begun>> {
    let claim = Claim {
        caller: request.caller,
        method: request.method,
        path: request.path,
        key: request.key,
        run: app.ids.next(),
    };
    let (held, hash, moments) = (claim.clone(), request.body_hash, moments(app));
    let found: Result<Found> =
        app.store.write(move |tx| Ok(idempotency::claim(tx, &held, &hash, moments)?)).await;
    match found? {
        Found::Claimed => Ok(Some(Begun::First(claim))),
        Found::Answered(sealed) => open(app, &claim, &sealed).map(|it| Some(Begun::Again(it))),
        Found::Running => Ok(None),
        Found::Applied => Err(Error::conflict(
            "The first request with this Idempotency-Key was carried out, but its answer was lost",
        )),
        Found::Mismatch => Err(Error::new(
            ErrorKind::IdempotencyMismatch,
            "This Idempotency-Key was used with another body or query",
        )),
    }
}

/// A node that has its database for itself knows that whatever was claimed before its start was
/// left by its last life.
fn moments(app: &App) -> Moments {
    let now = app.clock.now();
    let dead_before = if app.store.is_shared() {
        Timestamp::from_micros(i64::MIN)
    } else {
        app.started.plus(CLAIMED)
    };
    Moments { now, until: now.plus(CLAIMED), forget_before: now.minus(KEPT), dead_before }
}

/// Carries out the work of a claim, and renews it for as long as that takes.
pub async fn hold<T>(
    app: &App,
    claim: &Claim,
    every: Duration,
    work: impl Future<Output = T>,
) -> T {
    let mut work = pin!(work);
    loop {
        if let Ok(done) = timeout(every, work.as_mut()).await {
            return done;
        }
        tokio::select! {
            biased;
            done = work.as_mut() => return done,
            renewed = renew(app, claim.clone()) => {
                if let Err(error) = renewed {
                    tracing::warn!(%error, "the claim of an idempotency key was not renewed");
                }
            }
        }
    }
}

async fn renew(app: &App, claim: Claim) -> Result<()> {
    let until = app.clock.now().plus(CLAIMED);
    let renewed = app.store.write(move |tx| idempotency::renew(tx, &claim, until)).await;
    Ok(renewed?)
}

/// Keeps the answer, or, where the request failed for a reason that may pass, gives the key back.
pub async fn finish(app: &App, claim: Claim, answer: Option<KeptAnswer>) -> Result<()> {
    let sealed = answer
        .map(|answer| serde_json::to_vec(&answer))
        .transpose()
        .map_err(|error| Error::internal(error.to_string()))?
        .map(|plain| app.keys.seal(Purpose::Answer, &context(&claim), &plain));
    let finished: Result<()> = app
        .store
        .write(move |tx| {
            match &sealed {
                Some(sealed) => idempotency::answer(tx, &claim, sealed)?,
                None => idempotency::release(tx, &claim)?,
            }
            Ok(())
        })
        .await;
    app.answered.notify_waiters();
    finished
}

fn open(app: &App, claim: &Claim, sealed: &[u8]) -> Result<KeptAnswer> {
    app.keys
        .open_sealed(Purpose::Answer, &context(claim), sealed)
        .and_then(|plain| serde_json::from_slice(&plain).ok())
        .ok_or_else(|| Error::internal("a kept answer does not open"))
}

fn context(claim: &Claim) -> String {
    sealed_for([claim.caller.as_str(), &claim.method, &claim.path, claim.key.as_str()])
}

/// Binds a sealed answer to its place, so that no row can stand in for another.
pub(crate) fn sealed_for(key: [&str; 4]) -> String {
    key.join("\n")
}
