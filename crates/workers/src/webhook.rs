//! Sends webhooks when a delivery is queued or due, or when an attempt ends.

use std::time::Duration;

use grantor_service::App;
use grantor_service::webhooks::delivery::Sender;
use metrics::counter;
use tokio_util::sync::CancellationToken;

/// The name in logs, metrics and `/readyz`.
pub(crate) const JOB: &str = "webhooks";
/// How long the sender waits after a storage error.
const PAUSE: Duration = Duration::from_secs(1);

/// Sends until the stop token is cancelled, then waits for the running attempts.
#[expect(clippy::disallowed_methods, reason = "a worker waits until something is due")]
pub(crate) async fn send(app: App, stop: CancellationToken) {
    // Visible from the start, so that the first panic of an attempt is an increase.
    counter!("grantor_job_panics_total", "job" => "delivery").increment(0);
    let mut sender = Sender::new(app.clone());
    while !stop.is_cancelled() {
        let changed = app.wakeups.deliveries();
        tokio::pin!(changed);
        // Enabled before the sender works, so that no wakeup is missed.
        changed.as_mut().enable();
        let pause = match sender.work().await {
            Ok(()) => sender.pause(),
            Err(error) => {
                counter!("grantor_job_failures_total", "job" => JOB).increment(1);
                tracing::warn!(%error, "webhooks were not sent");
                PAUSE
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = changed => {}
            () = tokio::time::sleep(pause) => {}
            () = sender.attempt_ended() => {}
        }
    }
    if let Err(error) = sender.finish().await {
        tracing::warn!(%error, "results of webhooks were not stored; they will be sent again");
    }
}
