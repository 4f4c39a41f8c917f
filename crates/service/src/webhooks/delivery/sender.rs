//! The sender claims due deliveries, attempts them and writes the outcomes. Any number of senders
//! may work on one store; a delivery is claimed by one sender at a time.
//!
//! Each round writes the outcomes of finished attempts and claims more deliveries, in one unit of
//! work. Receivers are served concurrently, each up to its trust, and unproven receivers share a
//! part of the capacity, so that slow or failing ones cannot starve the rest. For fast receivers a
//! few more deliveries are claimed ahead, so that the next attempt does not wait for a round.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use grantor_domain::delivery::{Attempt, DeliveryStatus, Trust};
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::PATIENCE;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::{self, Claimed, Outcome};
use grantor_storage::webhook::Sealed;
use metrics::{counter, histogram};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::attempt::{AttemptResult, Receiver, open, send};
use super::round::{
    Capacity, Outgoing, PendingOutcome, ReceiverCapacity, ReceiverHealth, RoundResult, run_round,
};
use crate::webhooks::webhook::{Reason, WARNED_AFTER, disable, warn_failing};
use crate::{App, Context};

/// Deliveries claimed at a time, whether started or not.
const MAX_IN_FLIGHT: usize = 512;
/// Of these, for receivers whose last attempt did not succeed.
const MAX_UNPROVEN: usize = MAX_IN_FLIGHT / 4;
/// Outcomes written per round.
const MAX_OUTCOMES: usize = 512;
/// How often to look for due deliveries without being woken: other nodes' changes wake nobody here.
const POLL: Duration = Duration::from_millis(100);
/// Receivers remembered before idle ones are forgotten.
const MAX_IDLE_RECEIVERS: usize = 10_000;

/// Sends due deliveries.
#[derive(Debug)]
pub struct Sender {
    app: App,
    receivers: HashMap<WebhookId, ReceiverQueue>,
    reports: UnboundedReceiver<Report>,
    report: UnboundedSender<Report>,
    /// Outcomes that are not written yet.
    unwritten: Arc<Vec<PendingOutcome>>,
    /// When the next delivery becomes due.
    next_due: Option<Timestamp>,
}

/// The claimed deliveries to one receiver.
#[derive(Debug, Default)]
struct ReceiverQueue {
    trust: Trust,
    under_way: usize,
    /// Claimed but not started.
    ready: VecDeque<Outgoing>,
}

impl ReceiverQueue {
    fn held(&self) -> usize {
        self.under_way + self.ready.len()
    }

    /// Takes the next delivery, if another attempt may start.
    fn next(&mut self) -> Option<Outgoing> {
        if self.under_way >= self.trust.width() {
            return None;
        }
        let next = self.ready.pop_front();
        self.under_way += usize::from(next.is_some());
        next
    }
}

/// A finished attempt.
#[derive(Debug)]
struct Report {
    claimed: Claimed,
    attempt: Attempt,
    elapsed: Duration,
    retry_after: Option<Duration>,
}

impl Sender {
    /// Creates an idle sender.
    #[must_use]
    pub fn new(app: App) -> Self {
        let (report, reports) = unbounded_channel();
        let (receivers, unwritten) = (HashMap::new(), Arc::default());
        Self { app, receivers, reports, report, unwritten, next_due: None }
    }

    /// Writes the outcomes of finished attempts and starts more.
    pub async fn work(&mut self) -> Result<()> {
        self.round(true).await
    }

    /// How long to wait before the next round, unless woken earlier.
    #[must_use]
    pub fn pause(&self) -> Duration {
        let now = self.app.clock.now();
        self.next_due.map_or(POLL, |due| due.since(now).clamp(Duration::from_millis(1), POLL))
    }

    /// Waits until an attempt finishes; forever if none is running.
    pub async fn attempt_ended(&mut self) {
        if let Some(report) = self.reports.recv().await {
            self.record_attempt(report);
        }
    }

    /// Sends everything that is due and waits for all attempts.
    pub async fn settle(&mut self) -> Result<()> {
        loop {
            self.round(true).await?;
            if self.held() == 0 && self.unwritten.is_empty() {
                return Ok(());
            }
            if self.unwritten.is_empty() {
                self.attempt_ended().await;
            }
        }
    }

    /// Shuts down: starts no more attempts, releases unstarted deliveries, waits for running
    /// attempts and writes their outcomes.
    pub async fn finish(&mut self) -> Result<()> {
        let now = self.app.clock.now();
        let ready = self.receivers.values_mut().flat_map(|queue| std::mem::take(&mut queue.ready));
        let returned: Vec<_> = ready.map(|it| it.release(now)).collect();
        Arc::make_mut(&mut self.unwritten).extend(returned);
        while self.held() > 0 || !self.unwritten.is_empty() {
            if self.unwritten.is_empty() {
                self.attempt_ended().await;
            }
            self.round(false).await?;
        }
        Ok(())
    }

    fn held(&self) -> usize {
        self.receivers.values().map(ReceiverQueue::held).sum()
    }

    /// Writes outcomes and claims more.
    async fn round(&mut self, claims: bool) -> Result<()> {
        while self.unwritten.len() < MAX_OUTCOMES
            && let Ok(report) = self.reports.try_recv()
        {
            self.record_attempt(report);
        }
        let now = self.app.clock.now();
        let capacity = claims.then(|| Arc::new(self.capacity()));
        if self.unwritten.is_empty() && !self.is_due(capacity.as_deref(), now).await? {
            return Ok(());
        }
        let ended = Arc::clone(&self.unwritten);
        let result = self
            .app
            .store
            .write_background(move |tx| run_round(tx, &ended, capacity.as_deref(), now));
        let result = result.await?;
        // Cleared only now: if the store fails, the next round writes them.
        self.unwritten = Arc::default();
        self.start_claimed(result, now).await
    }

    /// Checks in a read whether anything can be claimed, because usually nothing can.
    async fn is_due(&mut self, capacity: Option<&Capacity>, now: Timestamp) -> Result<bool> {
        let Some(capacity) = capacity else { return Ok(false) };
        let waiting = self.app.store.read(delivery::waiting).await;
        let waiting = waiting.map_err(Error::from)?;
        self.next_due = waiting.iter().map(|it| it.1).find(|due| *due > now);
        Ok(waiting.iter().any(|(id, due)| *due <= now && capacity.of(*id) > 0))
    }

    /// The new state of a delivery after an attempt.
    fn outcome(&self, report: Report, now: Timestamp) -> Outcome {
        let Report { claimed, attempt, retry_after, .. } = report;
        let arrived = attempt.arrived();
        let failed = if arrived { claimed.failed } else { claimed.failed.saturating_add(1) };
        let [chance] = self.app.entropy.bytes();
        let wait = self.app.schedule.wait(failed, chance, retry_after);
        let (status, due_at) = match wait {
            _ if arrived => (DeliveryStatus::Delivered, now),
            Some(wait) if !attempt.is_gone() => (DeliveryStatus::Pending, now.plus(wait)),
            _ => (DeliveryStatus::Failed, now),
        };
        let Claimed { id, attempts, mut tries, .. } = claimed;
        tries.push(attempt);
        Outcome { id, attempts, status, failed, tries, due_at }
    }

    fn capacity(&self) -> Capacity {
        let unproven = self.receivers.values().filter(|it| !it.trust.is_proven());
        let receivers = self.receivers.iter().map(|(id, queue)| {
            let free = queue.trust.held().saturating_sub(queue.held());
            (*id, ReceiverCapacity { free, proven: queue.trust.is_proven() })
        });
        Capacity {
            free: MAX_IN_FLIGHT.saturating_sub(self.held()),
            unproven: MAX_UNPROVEN.saturating_sub(unproven.map(ReceiverQueue::held).sum()),
            receivers: receivers.collect(),
            unknown_receiver: Trust::default().width(),
        }
    }

    /// Records a finished attempt: frees its slot and updates the trust in its receiver.
    fn record_attempt(&mut self, report: Report) {
        let (arrived, now) = (report.attempt.arrived(), self.app.clock.now());
        let outcome = if arrived { "delivered" } else { "failed" };
        counter!("grantor_webhook_attempts_total", "outcome" => outcome).increment(1);
        histogram!("grantor_webhook_attempt_seconds").record(report.elapsed.as_secs_f64());
        let (webhook, is_gone) = (report.claimed.webhook, report.attempt.is_gone());
        let queue = self.receivers.entry(webhook).or_default();
        queue.under_way = queue.under_way.saturating_sub(1);
        let paused_until = queue.trust.learn(arrived, report.elapsed).map(|rest| now.plus(rest));
        let returned = if queue.trust.is_proven() && !is_gone {
            VecDeque::new()
        } else {
            // A receiver that now fails or is slow could delay these until their leases expire.
            std::mem::take(&mut queue.ready)
        };
        let outcome = self.outcome(report, now);
        let health = Some(ReceiverHealth { arrived, paused_until });
        let unwritten = Arc::make_mut(&mut self.unwritten);
        unwritten.push(PendingOutcome { webhook, health, outcome });
        unwritten.extend(returned.into_iter().map(|it| it.release(now)));
        self.start_attempts(webhook);
        if self.receivers.len() > MAX_IDLE_RECEIVERS {
            self.receivers.retain(|_, queue| queue.held() > 0);
        }
    }

    async fn start_claimed(&mut self, result: RoundResult, now: Timestamp) -> Result<()> {
        self.next_due = result.next_due;
        if result.lost > 0 {
            let lost = result.lost;
            tracing::warn!(lost, "lease expired before outcomes were written; events may repeat");
        }
        counter!("grantor_webhook_dropped_total").increment(result.dropped);
        for outgoing in result.outgoing {
            let webhook = outgoing.claimed.webhook;
            self.receivers.entry(webhook).or_default().ready.push_back(outgoing);
            self.start_attempts(webhook);
        }
        for (id, since) in result.failing {
            if now.since(since) >= PATIENCE {
                self.disable_webhook(id, Reason::Failing).await?;
            } else if now.since(since) >= WARNED_AFTER {
                let context = Context::system(self.app.clock.monotonic());
                warn_failing(&self.app, &context, id, since).await?;
            }
        }
        Ok(())
    }

    /// Starts as many attempts as the trust in the receiver allows.
    fn start_attempts(&mut self, webhook: WebhookId) {
        let Some(queue) = self.receivers.get_mut(&webhook) else { return };
        while let Some(outgoing) = queue.next() {
            tokio::spawn(attempt(self.app.clone(), outgoing, self.report.clone()));
        }
    }

    async fn disable_webhook(&self, id: WebhookId, reason: Reason) -> Result<()> {
        let context = Context::system(self.app.clock.monotonic());
        disable(&self.app, &context, id, reason).await.map(|_| ())
    }
}

/// Attempts one delivery and reports the result.
async fn attempt(app: App, outgoing: Outgoing, report: UnboundedSender<Report>) {
    let (Outgoing { url, sealed, claimed }, now) = (outgoing, app.clock.now());
    let delivering = deliver(&app, &url, &sealed, &claimed, now);
    // A panic counts as a failed attempt: without a report its slot would never be freed.
    let ended = AssertUnwindSafe(delivering).catch_unwind().await;
    let AttemptResult { attempt, elapsed, retry_after } = ended.unwrap_or_else(|_| {
        counter!("grantor_job_panics_total", "job" => "delivery").increment(1);
        tracing::error!(webhook = %claimed.webhook, "delivery attempt panicked");
        failed(now, "an internal error interrupted the attempt")
    });
    // This fails only if the sender is gone; then the lease expires.
    let _ = report.send(Report { claimed, attempt, elapsed, retry_after });
}

/// Attempts one delivery.
async fn deliver(
    app: &App,
    url: &str,
    sealed: &Sealed,
    claimed: &Claimed,
    now: Timestamp,
) -> AttemptResult {
    let receiver = open(app, claimed.webhook, sealed, now)
        .map(|secrets| Receiver { url: url.to_owned(), secrets });
    match receiver {
        Ok(receiver) => {
            let attempted = send(app, &receiver, claimed).await;
            if attempted.attempt.is_gone() {
                let context = Context::system(app.clock.monotonic());
                if let Err(error) = disable(app, &context, claimed.webhook, Reason::Gone).await {
                    tracing::warn!(%error, "cannot disable webhook that returned 410 Gone");
                }
            }
            attempted
        }
        Err(error) => {
            tracing::error!(webhook = %claimed.webhook, %error, "cannot decrypt webhook secret");
            failed(now, "the webhook's secret could not be decrypted")
        }
    }
}

/// An attempt that failed before it reached the receiver.
fn failed(at: Timestamp, reason: &str) -> AttemptResult {
    let error = Some(reason.to_owned());
    let (status_code, answer, signature) = (None, None, None);
    let attempt = Attempt { at, duration_ms: 0, status_code, error, answer, signature };
    AttemptResult { attempt, elapsed: Duration::ZERO, retry_after: None }
}
