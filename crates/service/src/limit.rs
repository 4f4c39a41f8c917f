//! Rate limits in force: the settings' figures over the counters of this node or of all.

use std::sync::Arc;

use grantor_domain::limit::{LimitName, Limits, Outcome, Standing, Window};
use grantor_domain::{Error, ErrorKind};
use grantor_storage::counter::{CounterKey, Counters};

pub use grantor_storage::counter::Subject;

/// The one door to rate limits. Clones share their counts.
#[derive(Clone, Debug)]
pub struct Limiter {
    limits: Arc<Limits>,
    counters: Arc<Counters>,
}

impl Limiter {
    /// Holds these limits with these counters.
    #[must_use]
    pub fn new(limits: Limits, counters: impl Into<Counters>) -> Self {
        Self { limits: Arc::new(limits), counters: Arc::new(counters.into()) }
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one request, or refuses it. Nothing when the limit is off.
    pub async fn hit(&self, name: LimitName, subject: &Subject) -> Result<Option<Standing>, Error> {
        let Some((key, windows)) = self.counter(name, subject) else { return Ok(None) };
        answer(self.counters.hit(&key, windows).await)
    }

    /// The same within windows of the caller's own, such as a plan's.
    pub async fn hit_within(
        &self,
        name: LimitName,
        subject: &Subject,
        windows: &[Window],
    ) -> Result<Option<Standing>, Error> {
        if self.limits.windows(name).is_none() {
            return Ok(None);
        }
        let key = CounterKey { limit: name, subject: *subject };
        answer(self.counters.hit(&key, windows).await)
    }

    /// Refuses what a hit would refuse, and counts nothing: for limits that count only some
    /// outcomes, such as a wrong secret, and must hold before the outcome is known.
    pub async fn peek(
        &self,
        name: LimitName,
        subject: &Subject,
    ) -> Result<Option<Standing>, Error> {
        let Some((key, windows)) = self.counter(name, subject) else { return Ok(None) };
        answer(self.counters.peek(&key, windows).await)
    }

    /// Takes one counted request back: for limits on what is unused, such as magic links.
    pub async fn give_back(&self, name: LimitName, subject: &Subject) {
        if let Some((key, windows)) = self.counter(name, subject) {
            self.counters.give_back(&key, windows).await;
        }
    }

    /// The same for what was counted within windows of the caller's own.
    pub async fn give_back_within(&self, name: LimitName, subject: &Subject, windows: &[Window]) {
        if self.limits.windows(name).is_some() {
            let key = CounterKey { limit: name, subject: *subject };
            self.counters.give_back(&key, windows).await;
        }
    }

    fn counter(&self, name: LimitName, subject: &Subject) -> Option<(CounterKey, &[Window])> {
        let windows = self.limits.windows(name)?;
        Some((CounterKey { limit: name, subject: *subject }, windows))
    }
}

fn answer(outcome: Outcome) -> Result<Option<Standing>, Error> {
    match outcome {
        Outcome::Passed(standing) => Ok(Some(standing)),
        Outcome::Refused(standing) => {
            let message = "Too many requests, try again later";
            Err(Error::new(ErrorKind::RateLimited(standing), message))
        }
    }
}
