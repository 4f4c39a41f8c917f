//! Scans the feeds of sources that are due, several at a time.

use std::time::Duration;

use grantor_domain::Result;
use grantor_service::App;
use grantor_service::watching::pod::Pace;
use grantor_service::watching::source;
use metrics::counter;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// The name in logs, metrics and `/readyz`.
pub(crate) const JOB: &str = "sources";
/// The number of feeds that this node scans at once.
const AT_ONCE: usize = 16;
/// How often it checks for due feeds; feeds made due on this node wake it.
const POLL: Duration = Duration::from_secs(1);

/// Scans feeds until the stop token is cancelled. Then every run stops and releases its feed.
#[expect(clippy::disallowed_methods, reason = "a worker waits until something is due")]
pub(crate) async fn scan(app: App, stop: CancellationToken) {
    let mut runs = JoinSet::new();
    while !stop.is_cancelled() {
        let changed = app.wakeups.sources();
        tokio::pin!(changed);
        // Enabled before feeds are claimed, so that no wakeup is missed.
        changed.as_mut().enable();
        if let Err(error) = begin(&app, &stop, &mut runs).await {
            counter!("grantor_job_failures_total", "job" => JOB).increment(1);
            tracing::warn!(%error, "feeds that are due could not be claimed");
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

/// The feed of a run that panicked is claimed again when its lease expires.
fn note_end(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        counter!("grantor_job_panics_total", "job" => JOB).increment(1);
        tracing::error!(%error, "a scan of a source panicked");
    }
}

/// Starts runs up to the limit.
async fn begin(app: &App, stop: &CancellationToken, runs: &mut JoinSet<()>) -> Result<()> {
    while runs.len() < AT_ONCE
        && let Some(claimed) = source::claim(app).await?
    {
        let (app, stopped) = (app.clone(), stop.clone().cancelled_owned());
        runs.spawn(async move {
            let feed = claimed.feed.id;
            match source::scan(&app, Pace::default(), claimed, stopped).await {
                Ok(Some(outcome)) => {
                    counter!("grantor_job_items_total", "job" => JOB).increment(1);
                    tracing::debug!(%feed, outcome = outcome.name(), "a scan of a source ended");
                }
                Ok(None) => tracing::debug!(%feed, "a feed was put back"),
                Err(error) => {
                    counter!("grantor_job_failures_total", "job" => JOB).increment(1);
                    tracing::warn!(%feed, %error, "the end of a scan could not be stored");
                }
            }
        });
    }
    Ok(())
}
