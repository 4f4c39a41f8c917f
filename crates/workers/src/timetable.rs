//! Jobs and when they run: at their pace, or as soon as something wakes them.

use std::time::Duration;

use grantor_domain::Result;
use grantor_service::App;
use metrics::counter;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::supervision::guarded;

/// A row of the timetable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    /// Its name in logs and metrics.
    pub(crate) name: &'static str,
    /// How often it looks by itself.
    pub(crate) every: Duration,
}

/// The jobs of this process.
pub(crate) struct Timetable {
    app: App,
    jobs: JoinSet<()>,
    stop: CancellationToken,
}

impl Timetable {
    pub(crate) fn new(app: App, stop: CancellationToken) -> Self {
        Self { app, jobs: JoinSet::new(), stop }
    }

    /// Adds a job: `run` does what is to be done and says how much it was, `wake` ends a wait.
    pub(crate) fn add<W, WF, R, RF>(&mut self, job: Job, wake: W, run: R)
    where
        W: Fn() -> WF + Send + 'static,
        WF: Future<Output = ()> + Send,
        R: Fn() -> RF + Send + 'static,
        RF: Future<Output = Result<u64>> + Send,
    {
        let (app, stop) = (self.app.clone(), self.stop.clone());
        self.jobs.spawn(async move {
            let mut pace = interval(job.every);
            pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    biased;
                    () = stop.cancelled() => return,
                    () = wake() => {}
                    _ = pace.tick() => {}
                }
                match guarded(&app, job.name, run()).await {
                    Ok(outcome) => report(&app, job, outcome),
                    Err(rest) => {
                        let _ = timeout(rest, stop.cancelled()).await;
                    }
                }
            }
        });
    }

    /// Waits until every job has stopped.
    pub(crate) async fn finished(mut self) {
        while let Some(ended) = self.jobs.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a job ended");
            }
        }
    }
}

fn report(app: &App, job: Job, outcome: Result<u64>) {
    let name = job.name;
    app.health.succeeded(name);
    match outcome {
        Ok(0) => {}
        Ok(done) => {
            counter!("grantor_job_items_total", "job" => name).increment(done);
            tracing::debug!(job = name, done, "job");
        }
        Err(error) => {
            counter!("grantor_job_failures_total", "job" => name).increment(1);
            tracing::warn!(job = name, %error, "job failed");
        }
    }
}
