//! One run of a feed, for all sources that watch it: reads what its hub pushed, then the feed
//! itself. Content counts as scanned once it is recorded, so after an interruption the next run
//! records the rest.

use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::id::{FeedId, RunId};
use grantor_domain::scan::{LEASE, MAX_REASON, RunOutcome};
use grantor_domain::source::{FIRST_SCAN_WITHIN, Feed, jitter};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::feed::{self, ClaimedFeed, EndedFeed};
use grantor_storage::websub::Push;
use grantor_storage::{Tx, source};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval, timeout};
use url::Url;

use super::fetcher::{FetchError, HostState, Pace};
use super::hosted_api;
use super::run::{FAULT_RETRY, MAX_DURATION, POLLS_PER_RENEWAL, Run, TOO_LONG};
use super::target::Target;
use crate::act::{Act, Done, UnitOfWork};
use crate::watching::websub;
use crate::{App, notices};

/// How often a run checks whether it may continue.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// When a feed is tried again whose sources all belong to suspended tenants.
const SUSPENDED_RETRY: Duration = Duration::from_hours(1);
/// When a feed is tried again whose host another run has.
const BUSY_RETRY: Duration = Duration::from_secs(2);
/// Sources whose tenants are notified of failures per unit of work.
const NOTICES: u32 = 50;

/// Claims the next due feed for a run.
pub async fn claim(app: &App) -> Result<Option<ClaimedFeed>> {
    let now = app.clock.now();
    // Usually nothing is due: find out without a write.
    let due = app.store.read(feed::next_due).await?;
    if due.is_none_or(|it| it > now) {
        return Ok(None);
    }
    let run = app.ids.next();
    app.store.write(move |tx| Ok(feed::claim(tx, run, now, now.plus(LEASE))?)).await
}

/// Scans the claimed feed until it is done or `stop` completes. Returns the outcome, or `None` if
/// the feed was put back: no source is active, or its host is busy.
pub async fn scan(
    app: &App,
    pace: Pace,
    claimed: ClaimedFeed,
    stop: impl Future<Output = ()>,
) -> Result<Option<RunOutcome>> {
    let started = app.clock.now();
    let Some(frequency) = claimed.state.frequency else {
        let due_at = claimed.state.suspended.then(|| started.plus(SUSPENDED_RETRY));
        put_back(app, claimed, due_at).await?;
        return Ok(None);
    };
    let Ok(url) = Url::parse(&claimed.feed.url) else {
        return Err(Error::internal("a feed has an invalid address"));
    };
    let pushes = websub::take_pushes(app, claimed.feed.id).await?;
    let (period, pushed) = (frequency.period(), !pushes.is_empty());
    let is_due = is_due(&claimed, started, period);
    let fetches = fetches(&claimed, pushed, is_due);
    let feeds = fetches.then(|| url.clone()).into_iter().collect();
    let mut run = Run::new(app.clone(), pace, Target::Feed(Box::new(claimed.clone())), feeds);
    if fetches {
        let asked = hosted_api::endpoint(app, &url).unwrap_or_else(|| url.clone());
        let wait = match run.fetcher.try_host(&asked).await? {
            HostState::Held => None,
            HostState::Busy => Some(started.plus(BUSY_RETRY)),
            HostState::RestsUntil(at) => Some(at),
        };
        if let Some(due_at) = wait {
            put_back(app, claimed, Some(due_at)).await?;
            return Ok(None);
        }
    }
    let regular = fetches && is_due;
    let (begun, by) = (claimed.clone(), regular_by(regular, pushed, started.plus(period / 2)));
    app.store.write(move |tx| feed::start(tx, &begun, by, started)).await?;
    let end = End { claimed, started, period, fetched: fetches, regular };
    let (feed, id) = (end.claimed.feed.id, end.claimed.run);
    let interrupted = tokio::select! {
        biased;
        () = stop => Some(("the worker was stopped", app.clock.now())),
        why = watch(app, feed, id) => Some((why, started.plus(period))),
        read = timeout(MAX_DURATION, read_all(&mut run, pushes, &url)) => match read {
            Ok(Ok(())) => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, %feed, "scan of a source failed with an internal error");
                Some(("an internal error", app.clock.now().plus(FAULT_RETRY)))
            }
            Err(_) => Some((TOO_LONG, started.plus(period))),
        },
    };
    match interrupted {
        Some((why, due_at)) => end.interrupted(run, why, due_at).await.map(Some),
        None => end.ended(run).await.map(Some),
    }
}

/// Whether the run fetches the feed: not if it is only pushed, and not if it was pushed and is not
/// due by itself.
fn fetches(claimed: &ClaimedFeed, pushed: bool, is_due: bool) -> bool {
    !claimed.feed.push_only && (!pushed || claimed.fetch_wanted || is_due)
}

/// Whether the feed is due by its schedule, and not only because somebody requested a scan.
fn is_due(claimed: &ClaimedFeed, now: Timestamp, period: Duration) -> bool {
    claimed.regular_at.is_none_or(|it| it <= now)
        || claimed.fetched_at.is_none_or(|it| it.plus(period) <= now)
}

/// By when the next regular scan of a source has to be due for the run to be for it: each source has
/// the regular run that is nearest to its own time. What a hub pushed is for all sources, and what
/// somebody requested only for those that want it.
fn regular_by(regular: bool, pushed: bool, nearest: Timestamp) -> Option<Timestamp> {
    if pushed {
        return Some(Timestamp::from_micros(i64::MAX));
    }
    regular.then_some(nearest)
}

async fn put_back(app: &App, claimed: ClaimedFeed, due_at: Option<Timestamp>) -> Result<()> {
    Ok(app.store.write(move |tx| feed::put_back(tx, &claimed, due_at)).await?)
}

/// Reads what the hub pushed, and then the feed. A push is deleted once its content is recorded, or
/// if it cannot be read.
async fn read_all(run: &mut Run, pushes: Vec<Push>, url: &Url) -> Result<()> {
    for push in pushes {
        match run.read_push(push.body, push.content_type, url).await {
            Ok(()) => {}
            Err(FetchError::Permanent(reason) | FetchError::Temporary(reason)) => {
                run.add_note(format!("a push of the hub could not be read: {reason}"));
            }
            Err(FetchError::Internal(error)) => return Err(error),
        }
        websub::done(&run.app, push.id).await?;
    }
    run.read_all().await
}

/// Renews the lease until the run may not continue, and returns the reason.
async fn watch(app: &App, feed: FeedId, run: RunId) -> &'static str {
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for poll in 1_u32.. {
        ticks.tick().await;
        match app.store.read(move |tx| feed::find_state(tx, feed, run)).await {
            Ok(Some(state)) if state.frequency.is_none() => return "no source is running",
            Ok(Some(_)) => {}
            Ok(None) => return "another worker took over the source",
            // The lease limits how long the run continues without a check.
            Err(error) => tracing::warn!(%error, %feed, "cannot read the sources of a feed"),
        }
        if poll.is_multiple_of(POLLS_PER_RENEWAL) {
            let until = app.clock.now().plus(LEASE);
            let kept = app.store.write(move |tx| feed::renew(tx, feed, run, until)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, %feed, "cannot renew the lease of a feed");
            }
        }
    }
    TOO_LONG
}

/// What is needed to end a run.
struct End {
    claimed: ClaimedFeed,
    started: Timestamp,
    period: Duration,
    /// Whether the feed itself was to be fetched.
    fetched: bool,
    /// Whether the feed was due by its schedule.
    regular: bool,
}

impl End {
    /// Ends an interrupted run, which counts neither as a success nor as a failure.
    async fn interrupted(self, run: Run, why: &str, due_at: Timestamp) -> Result<RunOutcome> {
        let feed = self.claimed.feed.clone();
        let ended = EndedFeed {
            outcome: RunOutcome::Interrupted,
            reason: Some(why.to_owned()),
            skipped: vec![],
            due_at: Some(due_at),
            regular_at: None,
            regular: self.regular,
            fetched_at: None,
            found: None,
        };
        self.write(run, feed, ended).await
    }

    /// Ends a run that read everything it could.
    async fn ended(self, run: Run) -> Result<RunOutcome> {
        let (outcome, reason) = run.summary();
        let (app, now) = (run.app.clone(), run.app.clock.now());
        let failed = outcome == RunOutcome::Failed;
        let mut feed = self.claimed.feed.clone();
        let next = feed.ended(failed, now, self.period);
        // A push does not put off the next fetch: hubs may lose something.
        let fetch_at = self.claimed.fetched_at.map(|it| it.plus(self.period));
        let next = match fetch_at {
            Some(at) if !self.fetched => at.min(next),
            _ => next,
        };
        let pause = next.since(now);
        let spread = jitter(pause, self.claimed.run.as_uuid().as_u128());
        let due_at = next.plus(spread).max(run.fetcher.retry_at().unwrap_or(now));
        let ended = EndedFeed {
            outcome,
            reason,
            skipped: vec![],
            due_at: Some(due_at).filter(|_| !feed.push_only),
            regular_at: None,
            regular: self.regular,
            fetched_at: self.fetched.then_some(self.started),
            found: None,
        };
        let id = feed.id;
        let notify = feed.needs_failing_notice(now);
        self.write(run, feed, ended).await?;
        if notify {
            notify_failing(&app, id).await?;
        }
        Ok(outcome)
    }

    /// Writes the end of the run and releases the feed.
    async fn write(self, mut run: Run, feed: Feed, mut ended: EndedFeed) -> Result<RunOutcome> {
        let Self { claimed, started, regular, .. } = self;
        // Still held if the run was interrupted: other runs must know when the host can be asked.
        run.fetcher.release_host().await?;
        let (counts, now, outcome) = (run.fetcher.counts, run.app.clock.now(), ended.outcome);
        ended.reason = ended.reason.map(|it| it.chars().take(MAX_REASON).collect());
        ended.skipped = run.take_skipped();
        ended.found = run.found.take();
        let read_at = ended.fetched_at.or(claimed.fetched_at);
        let write = move |tx: &mut Tx<'_>| {
            feed::count(tx, claimed.run, counts)?;
            // Sources may have been paused or deleted meanwhile.
            let state = feed::state(tx, claimed.feed.id)?;
            let watched = state.frequency.is_some() || state.suspended;
            let mut due_at = ended.due_at.filter(|_| watched);
            // What somebody requested does not put off the regular scan for others.
            let planned = claimed.regular_at.filter(|_| !regular && due_at.is_some());
            due_at = due_at.map(|it| planned.map_or(it, |planned| planned.min(it)));
            let regular_at = planned.or(due_at);
            // A source that was added since the feed was read does not wait for its whole period.
            if let Some(read_at) = read_at.filter(|_| outcome != RunOutcome::Failed)
                && feed::has_source_since(tx, claimed.feed.id, read_at)?
            {
                due_at = due_at.map(|it| it.min(read_at.plus(FIRST_SCAN_WITHIN)));
            }
            let ended = EndedFeed { due_at, regular_at, ..ended.clone() };
            feed::finish(tx, &claimed, &feed, &ended, (started, now))
        };
        run.app.store.write(write).await?;
        Ok(outcome)
    }
}

/// Notifies the tenants that watch a failing feed, some of them in each unit of work.
async fn notify_failing(app: &App, feed: FeedId) -> Result<()> {
    let context = crate::Context::system(app.clock.monotonic());
    while app.act(&context, NotifyFailing { feed }).await? == u64::from(NOTICES) {}
    Ok(())
}

struct NotifyFailing {
    feed: FeedId,
}

impl Act for NotifyFailing {
    type Permit = ();
    type Output = u64;
    const ACTION: &'static str = "source.failing";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<u64>> {
        let failing = source::list_failing(unit.tx, self.feed, NOTICES)?;
        for listed in &failing {
            notices::source_failing(unit, listed)?;
            source::note_failing(unit.tx, listed.source.id, unit.now)?;
        }
        let told = failing.len() as u64;
        let resource = Resource { kind: "feed", id: Some(self.feed.to_string()), name: None };
        let mut done = Done::new(told, resource, "Tenants were notified that a source fails");
        done.details = json!({ "sources": told });
        Ok(done)
    }
}
