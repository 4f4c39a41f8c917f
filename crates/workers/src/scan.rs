//! Scans what is due, several at a time: pods, and the feeds of sources.

use std::time::Duration;

use grantor_domain::Result;
use grantor_domain::scan::RunOutcome;
use grantor_service::App;
use grantor_service::watching::pod::{self, Pace};
use grantor_service::watching::source;
use metrics::counter;
use tokio::sync::futures::Notified;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// How often a job checks what is due; what becomes due on this node wakes it.
const POLL: Duration = Duration::from_secs(1);

/// What a job scans: pods or feeds.
pub(crate) trait Scan: 'static {
    /// The pod or feed that a run has claimed.
    type Claimed: Send + 'static;
    /// The job's name in logs, metrics and `/readyz`.
    const JOB: &'static str;
    /// The number of runs on this node at once.
    const AT_ONCE: usize;

    /// Waits for a change that may make something due.
    fn changed(app: &App) -> Notified<'_>;

    /// Claims the pod or feed that is due next.
    fn claim(app: &App) -> impl Future<Output = Result<Option<Self::Claimed>>> + Send;

    /// The ID of the pod or feed, for logs.
    fn id(claimed: &Self::Claimed) -> String;

    /// Scans until everything is read or `stop` completes. Returns the outcome, or `None` if the
    /// scan was put off.
    fn scan(
        app: &App,
        claimed: Self::Claimed,
        stop: WaitForCancellationFutureOwned,
    ) -> impl Future<Output = Result<Option<RunOutcome>>> + Send;
}

/// Scans pods.
pub(crate) struct Pods;

impl Scan for Pods {
    type Claimed = pod::Claimed;
    const JOB: &'static str = "scan";
    const AT_ONCE: usize = 4;

    fn changed(app: &App) -> Notified<'_> {
        app.wakeups.pods()
    }

    async fn claim(app: &App) -> Result<Option<pod::Claimed>> {
        pod::claim(app).await
    }

    fn id(claimed: &pod::Claimed) -> String {
        claimed.state.pod.pod.id.to_string()
    }

    async fn scan(
        app: &App,
        claimed: pod::Claimed,
        stop: WaitForCancellationFutureOwned,
    ) -> Result<Option<RunOutcome>> {
        pod::scan(app, Pace::default(), claimed, stop).await.map(Some)
    }
}

/// Scans the feeds of sources.
pub(crate) struct Feeds;

impl Scan for Feeds {
    type Claimed = source::ClaimedFeed;
    const JOB: &'static str = "sources";
    const AT_ONCE: usize = 16;

    fn changed(app: &App) -> Notified<'_> {
        app.wakeups.sources()
    }

    async fn claim(app: &App) -> Result<Option<source::ClaimedFeed>> {
        source::claim(app).await
    }

    fn id(claimed: &source::ClaimedFeed) -> String {
        claimed.feed.id.to_string()
    }

    async fn scan(
        app: &App,
        claimed: source::ClaimedFeed,
        stop: WaitForCancellationFutureOwned,
    ) -> Result<Option<RunOutcome>> {
        source::scan(app, Pace::default(), claimed, stop).await
    }
}

/// Scans until the stop token is cancelled. Then every run stops and releases its pod or feed.
#[expect(clippy::disallowed_methods, reason = "a worker waits until something is due")]
pub(crate) async fn run<S: Scan>(app: App, stop: CancellationToken) {
    let mut runs = JoinSet::new();
    while !stop.is_cancelled() {
        let changed = S::changed(&app);
        tokio::pin!(changed);
        // Enabled before anything is claimed, so that no wakeup is missed.
        changed.as_mut().enable();
        if let Err(error) = begin::<S>(&app, &stop, &mut runs).await {
            counter!("grantor_job_failures_total", "job" => S::JOB).increment(1);
            tracing::warn!(job = S::JOB, %error, "what is due could not be claimed");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = changed, if runs.len() < S::AT_ONCE => {}
            () = tokio::time::sleep(POLL) => {}
            Some(ended) = runs.join_next() => note_end::<S>(ended),
        }
    }
    while let Some(ended) = runs.join_next().await {
        note_end::<S>(ended);
    }
}

/// The pod or feed of a run that panicked is claimed again when its lease expires.
fn note_end<S: Scan>(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        counter!("grantor_job_panics_total", "job" => S::JOB).increment(1);
        tracing::error!(job = S::JOB, %error, "a scan panicked");
    }
}

/// Starts runs up to the limit.
async fn begin<S: Scan>(app: &App, stop: &CancellationToken, runs: &mut JoinSet<()>) -> Result<()> {
    while runs.len() < S::AT_ONCE
        && let Some(claimed) = S::claim(app).await?
    {
        let (app, stopped) = (app.clone(), stop.clone().cancelled_owned());
        runs.spawn(async move {
            let (job, id) = (S::JOB, S::id(&claimed));
            match S::scan(&app, claimed, stopped).await {
                Ok(Some(outcome)) => {
                    counter!("grantor_job_items_total", "job" => job).increment(1);
                    tracing::debug!(job, %id, outcome = outcome.name(), "a scan ended");
                }
                Ok(None) => tracing::debug!(job, %id, "a scan was put off"),
                Err(error) => {
                    counter!("grantor_job_failures_total", "job" => job).increment(1);
                    tracing::warn!(job, %id, %error, "the end of a scan could not be stored");
                }
            }
        });
    }
    Ok(())
}
