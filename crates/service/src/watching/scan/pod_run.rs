//! One run of a pod: reads the platform's feeds one after another. A feed counts as read once all
//! its content is recorded, so after an interruption the next run records the rest.

use std::time::Duration;

use grantor_domain::id::{PodId, RunId};
use grantor_domain::pod::{Blocker, PodStatus};
use grantor_domain::scan::{LEASE, MAX_REASON, RunOutcome};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Claimed, Ended, ScanState};
use tokio::time::{MissedTickBehavior, interval, timeout};
use url::Url;

use super::fetcher::Pace;
use super::run::{FAULT_RETRY, MAX_DURATION, POLLS_PER_RENEWAL, Run, TOO_LONG};
use super::target::Target;
use crate::App;

/// How often a run checks whether it may continue, so that commands take effect within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(400);
/// When a blocked pod is tried again.
const BLOCKED_RETRY: Duration = Duration::from_hours(1);

/// Claims the next due pod for a run.
pub async fn claim(app: &App) -> Result<Option<Claimed>> {
    let now = app.clock.now();
    // Usually nothing is due: find out without a write.
    let due = app.store.read(scan::next_due).await?;
    if due.is_none_or(|it| it > now) {
        return Ok(None);
    }
    let run = app.ids.next();
    app.store.write(move |tx| Ok(scan::claim(tx, run, now, now.plus(LEASE))?)).await
}

/// Scans the claimed pod until it is done or `stop` completes, and returns the outcome.
pub async fn scan(
    app: &App,
    pace: Pace,
    claimed: Claimed,
    stop: impl Future<Output = ()>,
) -> Result<RunOutcome> {
    let started = app.clock.now();
    let period = claimed.platform.settings.detection_frequency.period();
    let (pod, id) = (claimed.state.pod.pod.id, claimed.run);
    let feeds = claimed.platform.feed_urls.as_slice().iter();
    let feeds: Vec<Url> = feeds.filter_map(|it| Url::parse(it).ok()).collect();
    let blocked = blocked(&claimed.state, &feeds);
    let mut run = Run::new(app.clone(), pace, Target::Pod(Box::new(claimed.clone())), feeds);
    if let Some(reason) = blocked {
        let due_at = started.plus(period.min(BLOCKED_RETRY));
        return end(run, &claimed, RunOutcome::Blocked, Some(reason), due_at).await;
    }
    let interrupted = tokio::select! {
        biased;
        () = stop => Some(("the worker was stopped".to_owned(), app.clock.now())),
        why = watch(app, pod, id) => Some((why, started.plus(period))),
        read = timeout(MAX_DURATION, run.read_all()) => match read {
            Ok(Ok(())) => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, %pod, "scan failed with an internal error");
                let reason = Some("an internal error".to_owned());
                let due_at = app.clock.now().plus(FAULT_RETRY);
                return end(run, &claimed, RunOutcome::Failed, reason, due_at).await;
            }
            Err(_) => Some((TOO_LONG.to_owned(), started.plus(period))),
        },
    };
    if let Some((why, due_at)) = interrupted {
        return end(run, &claimed, RunOutcome::Interrupted, Some(why), due_at).await;
    }
    let due_at = started.plus(period).max(run.fetcher.retry_at().unwrap_or(started));
    let (outcome, reason) = run.summary();
    end(run, &claimed, outcome, reason, due_at).await
}

/// Renews the lease until the run may not continue, and returns the reason.
async fn watch(app: &App, pod: PodId, run: RunId) -> String {
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for poll in 1_u32.. {
        ticks.tick().await;
        match app.store.read(move |tx| scan::find_state(tx, pod, run)).await {
            Ok(Some(it)) if it.pod.pod.status != PodStatus::Running => {
                return format!("the pod was {}", it.pod.pod.status.name());
            }
            Ok(Some(it)) => {
                let blockers = blockers(&it);
                if !blockers.is_empty() {
                    return blockers.join(", ");
                }
            }
            Ok(None) => return "another worker took over the pod".to_owned(),
            // The lease limits how long the run continues without a check.
            Err(error) => tracing::warn!(%error, %pod, "cannot read the status of a running pod"),
        }
        if poll.is_multiple_of(POLLS_PER_RENEWAL) {
            let until = app.clock.now().plus(LEASE);
            let kept = app.store.write(move |tx| scan::renew(tx, pod, run, until)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, %pod, "cannot renew the lease of a pod");
            }
        }
    }
    TOO_LONG.to_owned()
}

/// The names of all reasons why a pod cannot scan.
fn blockers(ScanState { pod, suspended }: &ScanState) -> Vec<&'static str> {
    let blockers = pod.pod.blockers(pod.verified, pod.crawling_enabled);
    let suspended = suspended.then_some("organization_suspended");
    blockers.into_iter().map(Blocker::name).chain(suspended).collect()
}

/// Why the pod cannot scan, if it cannot.
fn blocked(state: &ScanState, feeds: &[Url]) -> Option<String> {
    let mut names = blockers(state);
    names.extend(feeds.is_empty().then_some("no_feeds"));
    Some(names.join(", ")).filter(|it| !it.is_empty())
}

/// Writes the end of the run and releases the pod.
async fn end(
    run: Run,
    claimed: &Claimed,
    outcome: RunOutcome,
    reason: Option<String>,
    due_at: Timestamp,
) -> Result<RunOutcome> {
    let (claimed, counts, now) = (claimed.clone(), run.fetcher.counts, run.app.clock.now());
    let reason = reason.map(|it| it.chars().take(MAX_REASON).collect());
    let ended = Ended { outcome, reason, due_at };
    let end = move |tx: &mut Tx<'_>| {
        scan::count(tx, &claimed, counts)?;
        scan::finish(tx, &claimed, &ended, now)
    };
    run.app.store.write(end).await?;
    Ok(outcome)
}
