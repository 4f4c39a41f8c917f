//! Sends webhooks as soon as a change is made, an attempt ends or a delivery is due.

use std::time::Duration;

use grantor_service::App;
use grantor_service::delivery::Sender;
use metrics::counter;
use tokio_util::sync::CancellationToken;

/// Its name in logs, metrics and `/readyz`.
pub(crate) const JOB: &str = "webhooks";
/// How long a sender waits after a fault of the store.
const REST: Duration = Duration::from_secs(1);

/// Sends until told to stop; then waits for what is under way.
#[expect(clippy::disallowed_methods, reason = "a worker waits until something is due")]
pub(crate) async fn send(app: App, stop: CancellationToken) {
    let mut sender = Sender::new(app.clone());
    while !stop.is_cancelled() {
        let changed = app.wakes.deliveries();
        tokio::pin!(changed);
        // From here on a change is noticed, also while the sender works.
        changed.as_mut().enable();
        let pause = match sender.work().await {
            Ok(()) => sender.pause(),
            Err(error) => {
                counter!("grantor_job_failures_total", "job" => JOB).increment(1);
                tracing::warn!(%error, "webhooks were not sent");
                REST
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
        tracing::warn!(%error, "outcomes of webhooks were not written; they are sent again");
    }
}
