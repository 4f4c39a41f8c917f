//! Runs jobs at an interval, or as soon as they are woken.

use std::time::Duration;

use grantor_domain::Result;
use grantor_service::App;
use grantor_service::operations::trace::{Attribute, Ending, OpenSpan, SpanKind};
use metrics::counter;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::supervision::guarded;

/// A job of the schedule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    /// Its name in logs and metrics.
    pub(crate) name: &'static str,
    /// The interval between two runs.
    pub(crate) every: Duration,
}

/// The running jobs of this process.
pub(crate) struct Schedule {
    app: App,
    jobs: JoinSet<()>,
    stop: CancellationToken,
}

impl Schedule {
    pub(crate) fn new(app: App, stop: CancellationToken) -> Self {
        Self { app, jobs: JoinSet::new(), stop }
    }

    /// Starts a job. `run` does the work and returns the number of processed items; when `wake`
    /// resolves, the job runs before its interval is over.
    pub(crate) fn add<W, WF, R, RF>(&mut self, job: Job, wake: W, run: R)
    where
        W: Fn() -> WF + Send + 'static,
        WF: Future<Output = ()> + Send,
        R: Fn() -> RF + Send + 'static,
        RF: Future<Output = Result<u64>> + Send,
    {
        let (app, stop) = (self.app.clone(), self.stop.clone());
        // Visible from the start, so that the first failure is an increase.
        counter!("grantor_job_items_total", "job" => job.name).increment(0);
        counter!("grantor_job_failures_total", "job" => job.name).increment(0);
        counter!("grantor_job_panics_total", "job" => job.name).increment(0);
        self.jobs.spawn(async move {
            let mut ticks = interval(job.every);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    biased;
                    () = stop.cancelled() => return,
                    () = wake() => {}
                    _ = ticks.tick() => {}
                }
                let span = app.tracer.root();
                match guarded(&app, job.name, run()).await {
                    Ok(outcome) => report(&app, job, span, outcome),
                    Err(pause) => {
                        let _ = timeout(pause, stop.cancelled()).await;
                    }
                }
            }
        });
    }

    /// Waits until every job has stopped.
    pub(crate) async fn finished(mut self) {
        while let Some(ended) = self.jobs.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a job ended unexpectedly");
            }
        }
    }
}

fn report(app: &App, job: Job, span: Option<OpenSpan>, outcome: Result<u64>) {
    let name = job.name;
    app.health.succeeded(name);
    // Most runs find nothing to do, which nobody looks for.
    if let Some(span) = span.filter(|_| !matches!(outcome, Ok(0))) {
        let items = outcome.as_ref().map_or(0, |it| i64::try_from(*it).unwrap_or(i64::MAX));
        app.tracer.end(
            span,
            Ending {
                name: format!("job {name}").into(),
                kind: SpanKind::Internal,
                attributes: vec![("grantor.job.items", Attribute::Number(items))],
                failure: outcome.is_err().then(|| "failed".to_owned()),
            },
        );
    }
    match outcome {
        Ok(0) => {}
        Ok(done) => {
            counter!("grantor_job_items_total", "job" => name).increment(done);
            tracing::debug!(job = name, done, "job done");
        }
        Err(error) => {
            counter!("grantor_job_failures_total", "job" => name).increment(1);
            tracing::warn!(job = name, %error, "job failed");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use grantor_testkit::app::TestApp;
    use grantor_testkit::server::eventually;
    use grantor_testkit::{Engine, Fixture as _};
    use metrics_exporter_prometheus::PrometheusBuilder;
    use serde_json::json;
    use tokio::sync::Semaphore;
    use tokio::time::Instant;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "the test measures the pause after a panic")]
    fn now() -> Instant {
        Instant::now()
    }

    /// A job whose first run panics and whose second run waits for `leave`.
    struct Probe {
        runs: AtomicU32,
        leave: Semaphore,
    }

    impl Probe {
        async fn run(self: Arc<Self>) -> Result<u64> {
            assert!(self.runs.fetch_add(1, Ordering::SeqCst) > 0, "the first run panics");
            self.leave.acquire().await.unwrap().forget();
            Ok(0)
        }
    }

    async fn jobs(app: &TestApp) -> serde_json::Value {
        app.get("/readyz").await.json()["checks"]["jobs"].clone()
    }

    async fn panics_once(engine: Engine) {
        let app = TestApp::on(engine).await;
        let recorder = PrometheusBuilder::new().build_recorder();
        // Only for this thread, on which the job runs too.
        let _counting = metrics::set_default_local_recorder(&recorder);
        let probe = Arc::new(Probe { runs: AtomicU32::new(0), leave: Semaphore::new(0) });
        let stop = CancellationToken::new();
        let (mut schedule, job) = (Schedule::new(app.app.clone(), stop.clone()), probe.clone());
        let begun = now();
        let every = Duration::from_millis(1);
        schedule.add(Job { name: "probe", every }, pending, move || job.clone().run());
        let second = async || (probe.runs.load(Ordering::SeqCst) == 2).then_some(());
        eventually("the second run", second).await;
        assert!(begun.elapsed() >= Duration::from_secs(1), "it waits before it runs again");
        assert_eq!(jobs(&app).await, json!({ "ok": false, "failing": ["probe"] }));
        let counted = "grantor_job_panics_total{job=\"probe\"} 1\n";
        let metrics = recorder.handle().render();
        assert!(metrics.contains(counted), "{metrics}");
        probe.leave.add_permits(Semaphore::MAX_PERMITS);
        let recovered = async || (jobs(&app).await["ok"] == true).then_some(());
        eventually("its success", recovered).await;
        stop.cancel();
        schedule.finished().await;
    }

    #[tokio::test]
    async fn a_job_that_panicked_runs_again_later_on_sqlite() {
        panics_once(Engine::Sqlite).await;
    }

    #[tokio::test]
    async fn a_job_that_panicked_runs_again_later_on_postgres() {
        panics_once(Engine::Postgres).await;
    }
}
