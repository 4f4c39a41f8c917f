//! Rate limits: the configured limits applied to the counters of this node or of all nodes.

use std::sync::Arc;

use grantor_domain::limit::{LimitName, LimitState, Limits, Outcome, Window};
use grantor_domain::{Error, ErrorKind};
use grantor_storage::counter::{CounterKey, Counters};
use uuid::Uuid;

pub use grantor_storage::counter::Subject;

/// The rate limiter. Clones share their counters.
#[derive(Clone, Debug)]
pub struct Limiter {
    limits: Arc<Limits>,
    counters: Arc<Counters>,
}

impl Limiter {
    /// Creates a limiter.
    #[must_use]
    pub fn new(limits: Limits, counters: impl Into<Counters>) -> Self {
        Self { limits: Arc::new(limits), counters: Arc::new(counters.into()) }
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one request, or refuses it. `None` if the limit is off.
    pub async fn hit(
        &self,
        name: LimitName,
        subject: &Subject,
    ) -> Result<Option<LimitState>, Error> {
        let Some((key, windows)) = self.counter(name, subject) else { return Ok(None) };
        into_result(self.counters.hit(&key, windows).await)
    }

    /// Like [`Self::hit`], with the given windows, such as those of a plan.
    pub async fn hit_within(
        &self,
        name: LimitName,
        subject: &Subject,
        windows: &[Window],
    ) -> Result<Option<LimitState>, Error> {
        if self.limits.windows(name).is_none() {
            return Ok(None);
        }
        let key = CounterKey { limit: name, subject: *subject };
        into_result(self.counters.hit(&key, windows).await)
    }

    /// Refuses what a hit would refuse, without counting: for limits that count only some outcomes,
    /// such as a wrong secret, and are checked before the outcome is known.
    pub async fn peek(
        &self,
        name: LimitName,
        subject: &Subject,
    ) -> Result<Option<LimitState>, Error> {
        let Some((key, windows)) = self.counter(name, subject) else { return Ok(None) };
        into_result(self.counters.peek(&key, windows).await)
    }

    /// Uncounts one request: for limits on unused items, such as magic links.
    pub async fn refund(&self, name: LimitName, subject: &Subject) {
        if let Some((key, windows)) = self.counter(name, subject) {
            self.counters.give_back(&key, windows).await;
        }
    }

    /// Like [`Self::refund`], for a request counted by [`Self::hit_within`].
    pub async fn refund_within(&self, name: LimitName, subject: &Subject, windows: &[Window]) {
        if self.limits.windows(name).is_some() {
            let key = CounterKey { limit: name, subject: *subject };
            self.counters.give_back(&key, windows).await;
        }
    }

    /// Says that this node counts requests, so that every node knows its share of the limits should
    /// the shared counters be away; see [`Counters::announce`].
    pub async fn announce(&self, node: Uuid, expected: u32) {
        self.counters.announce(node, expected).await;
    }

    /// Says that this node stops.
    pub async fn withdraw(&self, node: Uuid) {
        self.counters.withdraw(node).await;
    }

    fn counter(&self, name: LimitName, subject: &Subject) -> Option<(CounterKey, &[Window])> {
        let windows = self.limits.windows(name)?;
        Some((CounterKey { limit: name, subject: *subject }, windows))
    }
}

fn into_result(outcome: Outcome) -> Result<Option<LimitState>, Error> {
    match outcome {
        Outcome::Passed(state) => Ok(Some(state)),
        Outcome::Refused(state) => {
            let message = "Too many requests; try again later";
            Err(Error::new(ErrorKind::RateLimited(state), message))
        }
    }
}
