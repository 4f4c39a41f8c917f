//! Whoever sends: takes what is due, attempts it, and writes down what became of it. Any number of
//! senders may work on one store; each delivery is in one hand at a time.
//!
//! A turn writes the outcomes of ended attempts and claims more, in one unit of work. Receivers are
//! served side by side, each by what it is trusted with, and those that have proved nothing share a
//! part of the hands: whatever some do, the rest are served. A quick receiver is held a few deliveries
//! ready, so that its next attempt begins when one ends and not when the next turn does.

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

use super::attempt::{Attempted, Receiver, open, send};
use super::turn::{Ended, Health, Parcel, Room, Rooms, Turned, turn};
use crate::webhook::{Reason, disable};
use crate::{App, Context};

/// Deliveries held at a time, those under way included.
const HANDS: usize = 512;
/// Of these, for receivers whose last answer was not a good one.
const UNPROVEN_HANDS: usize = HANDS / 4;
/// Outcomes that one turn writes.
const OUTCOMES: usize = 512;
/// How often a sender looks by itself: what other nodes wrote wakes nobody here.
const POLL: Duration = Duration::from_millis(100);
/// Receivers remembered without anything under way.
const REMEMBERED: usize = 10_000;

/// Sends what is due.
#[derive(Debug)]
pub struct Sender {
    app: App,
    lanes: HashMap<WebhookId, Lane>,
    reports: UnboundedReceiver<Report>,
    report: UnboundedSender<Report>,
    /// What became of attempts and is not written yet.
    unwritten: Arc<Vec<Ended>>,
    /// When something not yet due will be.
    next_due: Option<Timestamp>,
}

/// What is held for one receiver.
#[derive(Debug, Default)]
struct Lane {
    trust: Trust,
    under_way: usize,
    /// Claimed, and not begun yet.
    ready: VecDeque<Parcel>,
}

impl Lane {
    fn held(&self) -> usize {
        self.under_way + self.ready.len()
    }

    /// The next to be attempted, where another may be under way.
    fn next(&mut self) -> Option<Parcel> {
        if self.under_way >= self.trust.width() {
            return None;
        }
        let next = self.ready.pop_front();
        self.under_way += usize::from(next.is_some());
        next
    }
}

/// An attempt that ended.
#[derive(Debug)]
struct Report {
    claimed: Claimed,
    attempt: Attempt,
    taken: Duration,
    asked: Option<Duration>,
}

impl Sender {
    /// One that has sent nothing yet.
    #[must_use]
    pub fn new(app: App) -> Self {
        let (report, reports) = unbounded_channel();
        let (lanes, unwritten) = (HashMap::new(), Arc::default());
        Self { app, lanes, reports, report, unwritten, next_due: None }
    }

    /// Writes what became of ended attempts and begins others.
    pub async fn work(&mut self) -> Result<()> {
        self.turn(true).await
    }

    /// How long nothing is to be done, as far as is known here; a change may come before.
    #[must_use]
    pub fn pause(&self) -> Duration {
        let now = self.app.clock.now();
        self.next_due.map_or(POLL, |due| due.since(now).clamp(Duration::from_millis(1), POLL))
    }

    /// Waits until an attempt ends; for ever when none is under way.
    pub async fn attempt_ended(&mut self) {
        if let Some(report) = self.reports.recv().await {
            self.learn(report);
        }
    }

    /// Sends all that is due now, to the end of every attempt.
    pub async fn settle(&mut self) -> Result<()> {
        loop {
            self.turn(true).await?;
            if self.held() == 0 && self.unwritten.is_empty() {
                return Ok(());
            }
            if self.unwritten.is_empty() {
                self.attempt_ended().await;
            }
        }
    }

    /// Begins nothing more, gives back what is not begun, waits for what is under way and writes what
    /// became of it.
    pub async fn finish(&mut self) -> Result<()> {
        let now = self.app.clock.now();
        let ready = self.lanes.values_mut().flat_map(|lane| std::mem::take(&mut lane.ready));
        let returned: Vec<_> = ready.map(|it| it.give_back(now)).collect();
        Arc::make_mut(&mut self.unwritten).extend(returned);
        while self.held() > 0 || !self.unwritten.is_empty() {
            if self.unwritten.is_empty() {
                self.attempt_ended().await;
            }
            self.turn(false).await?;
        }
        Ok(())
    }

    fn held(&self) -> usize {
        self.lanes.values().map(Lane::held).sum()
    }

    /// Writes outcomes and claims more.
    async fn turn(&mut self, claims: bool) -> Result<()> {
        while self.unwritten.len() < OUTCOMES
            && let Ok(report) = self.reports.try_recv()
        {
            self.learn(report);
        }
        let now = self.app.clock.now();
        let rooms = claims.then(|| Arc::new(self.rooms()));
        if self.unwritten.is_empty() && !self.is_due(rooms.as_deref(), now).await? {
            return Ok(());
        }
        let ended = Arc::clone(&self.unwritten);
        let turned = self.app.store.write_aside(move |tx| turn(tx, &ended, rooms.as_deref(), now));
        let turned = turned.await?;
        // Only now: should the store fail, they are written by the next turn.
        self.unwritten = Arc::default();
        self.hand_out(turned, now).await
    }

    /// Looks without writing: most looks find nothing.
    async fn is_due(&mut self, rooms: Option<&Rooms>, now: Timestamp) -> Result<bool> {
        let Some(rooms) = rooms else { return Ok(false) };
        let waiting = self.app.store.read(delivery::waiting).await;
        let waiting = waiting.map_err(Error::from)?;
        self.next_due = waiting.iter().map(|it| it.1).find(|due| *due > now);
        Ok(waiting.iter().any(|(id, due)| *due <= now && rooms.of(*id) > 0))
    }

    /// What an attempt means for its delivery.
    fn outcome(&self, report: Report, now: Timestamp) -> Outcome {
        let Report { claimed, attempt, asked, .. } = report;
        let arrived = attempt.arrived();
        let failed = if arrived { claimed.failed } else { claimed.failed.saturating_add(1) };
        let [chance] = self.app.entropy.bytes();
        let wait = self.app.schedule.wait(failed, chance, asked);
        let (status, due_at) = match wait {
            _ if arrived => (DeliveryStatus::Delivered, now),
            Some(wait) if !attempt.is_gone() => (DeliveryStatus::Pending, now.plus(wait)),
            _ => (DeliveryStatus::Failed, now),
        };
        let Claimed { id, attempts, mut tries, .. } = claimed;
        tries.push(attempt);
        Outcome { id, attempts, status, failed, tries, due_at }
    }

    fn rooms(&self) -> Rooms {
        let unproven = self.lanes.values().filter(|it| !it.trust.is_proven());
        let lanes = self.lanes.iter().map(|(id, lane)| {
            let room = lane.trust.held().saturating_sub(lane.held());
            (*id, Room { room, proven: lane.trust.is_proven() })
        });
        Rooms {
            hands: HANDS.saturating_sub(self.held()),
            unproven: UNPROVEN_HANDS.saturating_sub(unproven.map(Lane::held).sum()),
            lanes: lanes.collect(),
            stranger: Trust::default().width(),
        }
    }

    /// Takes an attempt that ended to heart, before more is claimed: its hand is free, and what its
    /// receiver is trusted with has changed.
    fn learn(&mut self, report: Report) {
        let (arrived, now) = (report.attempt.arrived(), self.app.clock.now());
        let outcome = if arrived { "delivered" } else { "failed" };
        counter!("grantor_webhook_attempts_total", "outcome" => outcome).increment(1);
        histogram!("grantor_webhook_attempt_seconds").record(report.taken.as_secs_f64());
        let (webhook, is_gone) = (report.claimed.webhook, report.attempt.is_gone());
        let lane = self.lanes.entry(webhook).or_default();
        lane.under_way = lane.under_way.saturating_sub(1);
        let rests_until = lane.trust.learn(arrived, report.taken).map(|rest| now.plus(rest));
        let returned = if lane.trust.is_proven() && !is_gone {
            VecDeque::new()
        } else {
            // One that fails or is slow now may keep them waiting until their leases end.
            std::mem::take(&mut lane.ready)
        };
        let outcome = self.outcome(report, now);
        let health = Some(Health { arrived, rests_until });
        let unwritten = Arc::make_mut(&mut self.unwritten);
        unwritten.push(Ended { webhook, health, outcome });
        unwritten.extend(returned.into_iter().map(|it| it.give_back(now)));
        self.begin(webhook);
        if self.lanes.len() > REMEMBERED {
            self.lanes.retain(|_, lane| lane.held() > 0);
        }
    }

    async fn hand_out(&mut self, turned: Turned, now: Timestamp) -> Result<()> {
        self.next_due = turned.next_due;
        if turned.lost > 0 {
            let lost = turned.lost;
            tracing::warn!(lost, "outcomes came after their lease; the deliveries may be doubled");
        }
        counter!("grantor_webhook_dropped_total").increment(turned.dropped);
        for parcel in turned.parcels {
            let webhook = parcel.claimed.webhook;
            self.lanes.entry(webhook).or_default().ready.push_back(parcel);
            self.begin(webhook);
        }
        for (id, since) in turned.failing {
            if now.since(since) >= PATIENCE {
                self.switch_off(id, Reason::Failing).await?;
            }
        }
        Ok(())
    }

    /// Begins as many attempts at a receiver as it is trusted with.
    fn begin(&mut self, webhook: WebhookId) {
        let Some(lane) = self.lanes.get_mut(&webhook) else { return };
        while let Some(parcel) = lane.next() {
            tokio::spawn(attempt(self.app.clone(), parcel, self.report.clone()));
        }
    }

    async fn switch_off(&self, id: WebhookId, reason: Reason) -> Result<()> {
        let context = Context::system(self.app.clock.monotonic());
        disable(&self.app, &context, id, reason).await.map(|_| ())
    }
}

/// Attempts one delivery and tells of it.
async fn attempt(app: App, parcel: Parcel, report: UnboundedSender<Report>) {
    let (Parcel { url, sealed, claimed }, now) = (parcel, app.clock.now());
    let delivering = deliver(&app, &url, &sealed, &claimed, now);
    // A panic counts as a failed attempt: without a report its place would stay taken.
    let ended = AssertUnwindSafe(delivering).catch_unwind().await;
    let Attempted { attempt, taken, asked } = ended.unwrap_or_else(|_| {
        counter!("grantor_job_panics_total", "job" => "delivery").increment(1);
        tracing::error!(webhook = %claimed.webhook, "a delivery panicked");
        failed(now, "the attempt ended in a fault of the sender")
    });
    // Nobody listens only when the sender is gone, and then the lease runs out.
    let _ = report.send(Report { claimed, attempt, taken, asked });
}

/// Attempts one delivery.
async fn deliver(
    app: &App,
    url: &str,
    sealed: &Sealed,
    claimed: &Claimed,
    now: Timestamp,
) -> Attempted {
    let receiver = open(app, claimed.webhook, sealed, now)
        .map(|secrets| Receiver { url: url.to_owned(), secrets });
    match receiver {
        Ok(receiver) => {
            let attempted = send(app, &receiver, &claimed.told).await;
            if attempted.attempt.is_gone() {
                let context = Context::system(app.clock.monotonic());
                if let Err(error) = disable(app, &context, claimed.webhook, Reason::Gone).await {
                    tracing::warn!(%error, "a webhook that is gone was not switched off");
                }
            }
            attempted
        }
        Err(error) => {
            tracing::error!(webhook = %claimed.webhook, %error, "a webhook cannot be signed");
            failed(now, "the secret could not be read")
        }
    }
}

/// An attempt that did not get as far as the receiver.
fn failed(at: Timestamp, reason: &str) -> Attempted {
    let error = Some(reason.to_owned());
    let attempt = Attempt { at, duration_ms: 0, status_code: None, error, answer: None };
    Attempted { attempt, taken: Duration::ZERO, asked: None }
}
