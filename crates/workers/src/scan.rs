//! Runs the pods that are due, a few at a time.

use std::time::Duration;

use grantor_domain::Result;
use grantor_service::App;
use grantor_service::watching::pod::{self, Pace};
use metrics::counter;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// The name in logs, metrics and `/readyz`.
pub(crate) const JOB: &str = "scan";
/// The number of pods that this node runs at once.
const AT_ONCE: usize = 4;
/// How often it checks for due pods; pods started on this node wake it.
const POLL: Duration = Duration::from_secs(1);

/// Runs pods until the stop token is cancelled. Then every run stops and releases its pod.
#[expect(clippy::disallowed_methods, reason = "a worker waits until something is due")]
pub(crate) async fn scan(app: App, stop: CancellationToken) {
    let mut runs = JoinSet::new();
    while !stop.is_cancelled() {
        let changed = app.wakeups.pods();
        tokio::pin!(changed);
        // Enabled before pods are claimed, so that no wakeup is missed.
        changed.as_mut().enable();
        if let Err(error) = begin(&app, &stop, &mut runs).await {
            counter!("grantor_job_failures_total", "job" => JOB).increment(1);
            tracing::warn!(%error, "pods that are due could not be claimed");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = changed, if runs.len() < AT_ONCE => {}
            () = tokio::time::sleep(POLL) => {}
            Some(ended) = runs.join_next() => note_end(ended),
        }
    }
    while let Some(ended) = runs.join_next().await {
        note_end(ended);
    }
}

/// The pod of a run that panicked is claimed again when its lease expires.
fn note_end(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        counter!("grantor_job_panics_total", "job" => JOB).increment(1);
        tracing::error!(%error, "a scan panicked");
    }
}

/// Starts runs up to the limit.
async fn begin(app: &App, stop: &CancellationToken, runs: &mut JoinSet<()>) -> Result<()> {
    while runs.len() < AT_ONCE
        && let Some(claimed) = pod::claim(app).await?
    {
        let (app, stopped) = (app.clone(), stop.clone().cancelled_owned());
        runs.spawn(async move {
            let pod = claimed.state.pod.pod.id;
            match pod::scan(&app, Pace::default(), claimed, stopped).await {
                Ok(outcome) => {
                    counter!("grantor_job_items_total", "job" => JOB).increment(1);
                    tracing::debug!(%pod, outcome = outcome.name(), "a scan ended");
                }
                Err(error) => {
                    counter!("grantor_job_failures_total", "job" => JOB).increment(1);
                    tracing::warn!(%pod, %error, "the end of a scan could not be stored");
                }
            }
        });
    }
    Ok(())
}
