//! The context of a call: the actor, the origin and the idempotency key.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::audit::{Origin, Scheme};
use grantor_domain::batch::BatchStep;
use grantor_domain::idempotency::Claim;
use grantor_domain::limit::LimitState;
use grantor_domain::secret::SecretHash;
use grantor_messages::Language;
pub use grantor_storage::Waiter;

pub use crate::undo::UndoOffer;

/// Passed to every change.
#[derive(Clone, Debug)]
pub struct Context {
    /// The actor.
    pub actor: Actor,
    /// Where the call came from.
    pub origin: Origin,
    /// The claim on the request's idempotency key, if it has one.
    pub idempotency: Option<Claim>,
    /// The rate limit status to report in the response headers.
    pub rate_limit: RateLimitReport,
    /// Whether the caller still waits; a change isn't started after the caller disconnects.
    pub waiter: Waiter,
    /// Whether the request was logged and authenticated.
    pub flags: RequestFlags,
    /// The hash of the caller's device cookie, if there is one.
    pub device: Option<SecretHash>,
    /// Whether the call must not change anything: staff who view an organization only look.
    pub read_only: bool,
    /// The session that can take its acts back, and the undo that the last act left.
    pub undo: UndoOffer,
    /// The step of a batch that the call is, if it is one.
    pub batch: Option<BatchStep>,
    /// The language of the page that the call comes from; `None` for calls of programs.
    pub language: Option<Language>,
}

/// The rate limit status of a request, shared with the API that reports it in headers.
#[derive(Clone, Debug, Default)]
pub struct RateLimitReport(Arc<Mutex<Option<LimitState>>>);

impl RateLimitReport {
    /// Records a status. If several limits apply, the one with the fewest requests left is kept.
    pub fn record(&self, standing: Option<LimitState>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(new) = standing
            && kept.is_none_or(|old| new.remaining < old.remaining)
        {
            *kept = Some(new);
        }
    }

    /// Returns the recorded status.
    #[must_use]
    pub fn get(&self) -> Option<LimitState> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Flags of a request, shared with the API, which logs failed authentications that no act logged.
#[derive(Clone, Debug, Default)]
pub struct RequestFlags(Arc<[AtomicBool; 2]>);

impl RequestFlags {
    /// Marks the request as logged by an act.
    pub fn set_logged(&self) {
        self.0[0].store(true, Ordering::Relaxed);
    }

    /// Marks the caller as unauthenticated.
    pub fn set_unauthenticated(&self) {
        self.0[1].store(true, Ordering::Relaxed);
    }

    /// Whether an act logged the request.
    #[must_use]
    pub fn is_logged(&self) -> bool {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Whether the caller was unauthenticated.
    #[must_use]
    pub fn is_unauthenticated(&self) -> bool {
        self.0[1].load(Ordering::Relaxed)
    }
}

impl Context {
    /// The context of commands that the operator runs.
    #[must_use]
    pub fn operator(started: Duration) -> Self {
        Self::internal(Actor::Operator, started)
    }

    /// The context of scheduled work.
    #[must_use]
    pub fn system(started: Duration) -> Self {
        Self::internal(Actor::System, started)
    }

    /// Whether what the call does can be taken back: by the session, or as a part of its batch.
    pub(crate) fn is_undoable(&self) -> bool {
        self.undo.is_bound() || self.batch.as_ref().is_some_and(|it| it.undoable.is_some())
    }

    fn internal(actor: Actor, started: Duration) -> Self {
        let origin = Origin {
            scheme: Scheme::System,
            address: None,
            user_agent: None,
            request_id: None,
            started,
            trace: None,
        };
        let (rate_limit, waiter, flags, undo) = Default::default();
        let (idempotency, device, read_only, batch, language) = (None, None, false, None, None);
        Self {
            actor,
            origin,
            idempotency,
            rate_limit,
            waiter,
            flags,
            device,
            read_only,
            undo,
            batch,
            language,
        }
    }
}
