//! Jobs that panic are begun again, later each time; what happened is counted, and shown by
//! `/readyz` until the job has done its work.

use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use grantor_service::App;
use metrics::counter;
use tokio::time::timeout;

/// The wait before the first restart; each later one takes twice as long.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_mins(1);

/// Runs something that works until it is told to stop, and begins it again where it panics. It
/// counts as sound again when it has run for a minute.
pub async fn supervise<R, RF>(app: App, job: &'static str, mut run: R)
where
    R: FnMut() -> RF,
    RF: Future<Output = ()>,
{
    let mut stopping = app.stopping.subscribe();
    loop {
        let ended = tokio::select! {
            ended = guarded(&app, job, run()) => ended,
            () = recover(&app, job) => return,
        };
        let Err(rest) = ended else { return };
        // Whoever is to stop does not rest: it begins, and ends in order.
        let _ = timeout(rest, stopping.wait_for(|it| *it)).await;
    }
}

async fn recover(app: &App, job: &'static str) {
    let _ = timeout(LONGEST, pending::<()>()).await;
    app.health.succeeded(job);
    pending::<()>().await;
}

/// Runs something to its end, or says how long to rest after its panic.
pub(crate) async fn guarded<T>(
    app: &App,
    job: &'static str,
    run: impl Future<Output = T>,
) -> Result<T, Duration> {
    match AssertUnwindSafe(run).catch_unwind().await {
        Ok(done) => Ok(done),
        Err(panic) => {
            let in_a_row = app.health.panicked(job);
            counter!("grantor_job_panics_total", "job" => job).increment(1);
            let reason = words(&*panic);
            let rest = backoff(in_a_row);
            tracing::error!(job, reason, in_a_row, rest = rest.as_secs(), "a job panicked");
            Err(rest)
        }
    }
}

fn backoff(panics_in_a_row: u32) -> Duration {
    let doublings = panics_in_a_row.saturating_sub(1).min(10);
    (FIRST * 2_u32.pow(doublings)).min(LONGEST)
}

fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_restart_waits_twice_as_long_up_to_a_minute() {
        let waits = [1, 2, 3, 4, 5, 6, 7, 8, 100, u32::MAX].map(|it| backoff(it).as_secs());
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    }
}
