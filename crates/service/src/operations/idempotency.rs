//! Idempotency keys: a repeated request gets the response of the first one (contract section 3).
//! Responses are stored sealed.

use std::fmt;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use aws_lc_rs::digest;
use grantor_domain::idempotency::{CLAIM_LEASE, Claim, IdempotencyKey, RETENTION};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::idempotency::{self, ClaimOutcome, ClaimTimes};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::App;
use grantor_keys::Purpose;

/// A stored response.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredResponse {
    /// The status.
    pub status: u16,
    /// The headers that belong to the response itself.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl fmt::Debug for StoredResponse {
    /// Without headers and body, which may contain a secret that is shown only once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// What to do with a request that has a key.
#[derive(Clone, Debug)]
pub enum BeginOutcome {
    /// Carry out the request under this claim, then [`finish`] it.
    First(Claim),
    /// Send this stored response.
    Replay(StoredResponse),
}

/// A request with an idempotency key.
#[derive(Clone)]
pub struct KeyedRequest {
    /// The caller that the key belongs to.
    pub caller: String,
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The key.
    pub key: IdempotencyKey,
    /// SHA-256 of the query and body: see [`Self::hash`].
    pub body_hash: [u8; 32],
}

impl fmt::Debug for KeyedRequest {
    /// Without the hash, because the body may be little more than a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("KeyedRequest");
        shown.field("caller", &self.caller).field("method", &self.method);
        shown.field("path", &self.path).field("key", &self.key).finish_non_exhaustive()
    }
}

impl KeyedRequest {
    /// The hash that identical requests share, over the query, if any, and the body. The query is
    /// included because it may name the record that the request is about.
    #[must_use]
    pub fn hash(query: Option<&str>, body: &[u8]) -> [u8; 32] {
        let mut sent = digest::Context::new(&digest::SHA256);
        if let Some(query) = query.filter(|it| !it.is_empty()) {
            // No JSON or form body starts with a question mark.
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

/// The `Retry-After` while the first request is in progress.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Claims the key, or returns the stored response. If the first request is still in progress on
/// this node, waits for its response up to `wait`; if it is on another node, which may be dead,
/// refuses at once.
pub async fn begin(app: &App, request: KeyedRequest, wait: Duration) -> Result<BeginOutcome> {
    let mut bound = pin!(timeout(wait, pending::<()>()));
    loop {
        let mut answered = pin!(app.answered.notified());
        // Enabled before the check, so that no response in between is missed.
        answered.as_mut().enable();
        match try_claim(app, request.clone()).await? {
            Tried::Begun(outcome) => return Ok(outcome),
            Tried::Released => {}
            Tried::RunsElsewhere => return Err(in_progress()),
            Tried::RunsHere => tokio::select! {
                biased;
                _ = &mut bound => return Err(in_progress()),
                () = answered => {}
            },
        }
    }
}

fn in_progress() -> Error {
    Error::new(
        ErrorKind::InProgress { retry_after: RETRY_AFTER },
        "A request with this Idempotency-Key is still in progress",
    )
}

/// The state of a key that a request wants.
enum Tried {
    Begun(BeginOutcome),
    /// The first request ended meanwhile.
    Released,
    RunsHere,
    RunsElsewhere,
}

async fn try_claim(app: &App, request: KeyedRequest) -> Result<Tried> {
    let claim = Claim {
        caller: request.caller,
        method: request.method,
        path: request.path,
        key: request.key,
        run: app.ids.next(),
    };
    let (held, hash, times) = (claim.clone(), request.body_hash, claim_times(app));
    let found: Result<ClaimOutcome> =
        app.store.write(move |tx| Ok(idempotency::claim(tx, &held, &hash, times)?)).await;
    match found? {
        ClaimOutcome::Claimed => Ok(Tried::Begun(BeginOutcome::First(claim))),
        ClaimOutcome::Answered(sealed) => {
            open(app, &claim, &sealed).map(|it| Tried::Begun(BeginOutcome::Replay(it)))
        }
        ClaimOutcome::Running { here: true } => Ok(Tried::RunsHere),
        ClaimOutcome::Running { here: false } => Ok(Tried::RunsElsewhere),
        ClaimOutcome::Released => Ok(Tried::Released),
        ClaimOutcome::Applied { changed } => Err(response_lost(changed.as_deref())),
        ClaimOutcome::Mismatch => Err(Error::new(
            ErrorKind::IdempotencyMismatch,
            "This Idempotency-Key was already used with a different body or query",
        )),
    }
}

/// Says what the first request changed, so that the caller can look it up.
fn response_lost(changed: Option<&str>) -> Error {
    let lost = "The first request with this Idempotency-Key succeeded, but its response was lost";
    match changed {
        Some(changed) => Error::conflict(format!("{lost}; it changed {changed}")),
        None => Error::conflict(lost),
    }
}

fn claim_times(app: &App) -> ClaimTimes {
    let now = app.clock.now();
    ClaimTimes { now, until: now.plus(CLAIM_LEASE), forget_before: now.minus(RETENTION) }
}

/// Runs the work of a claimed key, and renews the claim meanwhile.
pub async fn run_claimed<T>(
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
                    tracing::warn!(%error, "cannot renew the claim on an idempotency key");
                }
            }
        }
    }
}

async fn renew(app: &App, claim: Claim) -> Result<()> {
    let until = app.clock.now().plus(CLAIM_LEASE);
    let renewed = app.store.write(move |tx| idempotency::renew(tx, &claim, until)).await;
    Ok(renewed?)
}

/// Stores the response, or releases the key if the request failed for a temporary reason.
pub async fn finish(app: &App, claim: Claim, answer: Option<StoredResponse>) -> Result<()> {
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

fn open(app: &App, claim: &Claim, sealed: &[u8]) -> Result<StoredResponse> {
    app.keys
        .open_sealed(Purpose::Answer, &context(claim), sealed)
        .and_then(|plain| serde_json::from_slice(&plain).ok())
        .ok_or_else(|| Error::internal("cannot open a stored response"))
}

fn context(claim: &Claim) -> String {
    sealed_for([claim.caller.as_str(), &claim.method, &claim.path, claim.key.as_str()])
}

/// Binds a sealed response to its row, so that no row can be replaced by another.
pub(crate) fn sealed_for(key: [&str; 4]) -> String {
    key.join("\n")
}
