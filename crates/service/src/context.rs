//! Who asks, from where, and under which idempotency key.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::audit::{Origin, Scheme};
use grantor_domain::idempotency::Claim;
use grantor_domain::limit::Standing;
use grantor_domain::secret::SecretHash;
pub use grantor_storage::Waiter;

/// Comes with every call of the service.
#[derive(Clone, Debug)]
pub struct Context {
    /// Who asks.
    pub actor: Actor,
    /// From where.
    pub origin: Origin,
    /// The key this request came with, if it did.
    pub idempotency: Option<Claim>,
    /// Where a limit counted below the surface leaves its figures for the answer's headers.
    pub standing: StandingNote,
    /// Who waits for what changes: once they left, nothing does.
    pub waiter: Waiter,
    /// What became of the caller's way in, for the log.
    pub entry: EntryNote,
    /// The secret that the caller's browser is known by, if it has one.
    pub device: Option<SecretHash>,
}

/// The figures of the limit that counted a request, shared with the surface that will show them.
#[derive(Clone, Debug, Default)]
pub struct StandingNote(Arc<Mutex<Option<Standing>>>);

impl StandingNote {
    /// Notes the figures; of several limits those with the fewest left are shown.
    pub fn put(&self, standing: Option<Standing>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(new) = standing
            && noted.is_none_or(|old| new.remaining < old.remaining)
        {
            *noted = Some(new);
        }
    }

    /// What was noted.
    #[must_use]
    pub fn get(&self) -> Option<Standing> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What became of a caller's way in, shared with the surface that writes down what no act did.
#[derive(Clone, Debug, Default)]
pub struct EntryNote(Arc<[AtomicBool; 2]>);

impl EntryNote {
    /// An act wrote its outcome down.
    pub fn write(&self) {
        self.0[0].store(true, Ordering::Relaxed);
    }

    /// The caller was refused as a stranger.
    pub fn refuse(&self) {
        self.0[1].store(true, Ordering::Relaxed);
    }

    /// Whether an act wrote its outcome down.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Whether the caller was refused as a stranger.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.0[1].load(Ordering::Relaxed)
    }
}

impl Context {
    /// For what is run by hand on the machine.
    #[must_use]
    pub fn operator(started: Duration) -> Self {
        Self::internal(Actor::Operator, started)
    }

    /// For what the timetable runs.
    #[must_use]
    pub fn system(started: Duration) -> Self {
        Self::internal(Actor::System, started)
    }

    fn internal(actor: Actor, started: Duration) -> Self {
        let origin = Origin {
            scheme: Scheme::System,
            address: None,
            user_agent: None,
            request_id: None,
            started,
        };
        let (standing, waiter) = Default::default();
        let entry = EntryNote::default();
        Self { actor, origin, idempotency: None, standing, waiter, entry, device: None }
    }
}
