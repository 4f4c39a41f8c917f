//! Restarts jobs that panic, with a growing delay. Panics are counted, and `/readyz` reports the
//! job until it succeeds again.

use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use grantor_service::App;
use metrics::counter;
use tokio::time::timeout;

/// The delay before the first restart. It doubles with each further panic.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_mins(1);

/// Runs a task and restarts it after a panic. After a minute without a panic it counts as healthy.
pub async fn supervise<R, RF>(app: App, job: &'static str, mut run: R)
where
    R: FnMut() -> RF,
    RF: Future<Output = ()>,
{
    // Visible from the start, so that the first failure is an increase.
    counter!("grantor_job_failures_total", "job" => job).increment(0);
    counter!("grantor_job_panics_total", "job" => job).increment(0);
    let mut stopping = app.stopping.subscribe();
    loop {
        let ended = tokio::select! {
            ended = guarded(&app, job, run()) => ended,
            () = recover(&app, job) => return,
        };
        let Err(pause) = ended else { return };
        // At shutdown the task restarts without delay, so that it can stop in an orderly way.
        let _ = timeout(pause, stopping.wait_for(|it| *it)).await;
    }
}

async fn recover(app: &App, job: &'static str) {
    let _ = timeout(LONGEST, pending::<()>()).await;
    app.health.succeeded(job);
    pending::<()>().await;
}

/// Runs a future. After a panic, the error is the delay before the restart.
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
            let reason = message(&*panic);
            let pause = backoff(in_a_row);
            tracing::error!(job, reason, in_a_row, pause = pause.as_secs(), "a job panicked");
            Err(pause)
        }
    }
}

fn backoff(panics_in_a_row: u32) -> Duration {
    let doublings = panics_in_a_row.saturating_sub(1).min(10);
    (FIRST * 2_u32.pow(doublings)).min(LONGEST)
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
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
