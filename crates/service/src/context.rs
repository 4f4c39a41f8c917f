//! Who asks, from where, and under which idempotency key.

use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::audit::{Origin, Scheme};
use grantor_domain::idempotency::Claim;

/// Comes with every call of the service.
#[derive(Clone, Debug)]
pub struct Context {
    /// Who asks.
    pub actor: Actor,
    /// From where.
    pub origin: Origin,
    /// The key this request came with, if it did.
    pub idempotency: Option<Claim>,
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
        Self { actor, origin, idempotency: None }
    }
}
