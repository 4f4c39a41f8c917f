//! Scans pods as they become due, a few at a time.

use std::time::Duration;

use grantor_domain::Result;
use grantor_service::App;
use grantor_service::pod::{self, Pace};
use metrics::counter;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// Its name in logs, metrics and `/readyz`.
pub(crate) const JOB: &str = "scan";
/// Pods that this node scans at a time.
const AT_ONCE: usize = 4;
/// How often it looks by itself; a pod that is started here is noticed at once.
const POLL: Duration = Duration::from_secs(1);

/// Scans until told to stop; then every run ends where it is and gives its pod back.
#[expect(clippy::disallowed_methods, reason = "a worker waits until something is due")]
pub(crate) async fn scan(app: App, stop: CancellationToken) {
    let mut runs = JoinSet::new();
    while !stop.is_cancelled() {
        let changed = app.wakes.pods();
        tokio::pin!(changed);
        // From here on a change is noticed, also while pods are claimed.
        changed.as_mut().enable();
        if let Err(error) = begin(&app, &stop, &mut runs).await {
            counter!("grantor_job_failures_total", "job" => JOB).increment(1);
            tracing::warn!(%error, "pods that are due were not claimed");
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

/// A run that panicked leaves its pod to the end of its lease.
fn note_end(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        counter!("grantor_job_panics_total", "job" => JOB).increment(1);
        tracing::error!(%error, "a scan panicked");
    }
}

/// Begins as many runs as there is room for.
async fn begin(app: &App, stop: &CancellationToken, runs: &mut JoinSet<()>) -> Result<()> {
    while runs.len() < AT_ONCE
        && let Some(claimed) = pod::claim(app).await?
    {
        let (app, stopped) = (app.clone(), stop.clone().cancelled_owned());
        runs.spawn(async move {
            let pod = claimed.standing.pod.pod.id;
            match pod::scan(&app, Pace::default(), claimed, stopped).await {
                Ok(outcome) => {
                    counter!("grantor_job_items_total", "job" => JOB).increment(1);
                    tracing::debug!(%pod, outcome = outcome.name(), "a pod was scanned");
                }
                Err(error) => {
                    counter!("grantor_job_failures_total", "job" => JOB).increment(1);
                    tracing::warn!(%pod, %error, "the end of a scan was not written");
                }
            }
        });
    }
    Ok(())
}
