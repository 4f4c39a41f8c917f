//! `/metrics` and the probes on their own listener, never on the public one.

mod exposition;
mod known;
mod process;

use std::net::TcpListener;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::routing::get;
use grantor_service::App;
use grantor_service::operations::{health, queue};
use metrics::gauge;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use self::exposition::Format;
use crate::listener::{Admission, ListenerOptions, Stopping, Timeouts};

const SECONDS: [f64; 16] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    60.0,
];
const UNITS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// A scraper keeps one connection open between two scrapes.
const CONNECTIONS: usize = 64;
const KEEP_ALIVE: Duration = Duration::from_mins(2);

/// The page with all metrics.
#[derive(Clone)]
pub(crate) struct MetricsPage(PrometheusHandle);

/// Installs the recorder if somebody reads the metrics: otherwise nothing would ever remove the
/// collected samples from memory. Called once, before the first metric is recorded.
pub(crate) fn install(is_read: bool) -> Result<Option<MetricsPage>, String> {
    if !is_read {
        return Ok(None);
    }
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(|it| it.set_buckets_for_metric(Matcher::Suffix("_units".to_owned()), &UNITS))
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| format!("metrics did not start: {error}"))?;
    known::describe();
    Ok(Some(MetricsPage(handle)))
}

impl MetricsPage {
    /// Aggregates the histogram samples regularly, whether or not anyone reads them.
    pub(crate) async fn upkeep(self) {
        let mut ticks = interval(Duration::from_secs(5));
        loop {
            ticks.tick().await;
            self.0.run_upkeep();
        }
    }

    /// The page in the text format of Prometheus, within a second whatever the database does.
    pub(crate) async fn text(&self, app: &App) -> String {
        self.write(app, false).await
    }

    /// Gauges keep their old value if the database does not answer in time.
    async fn write(&self, app: &App, exemplars: bool) -> String {
        let measuring = timeout(health::PROBE_TIMEOUT, measure(app));
        let (measured, readiness) = tokio::join!(measuring, health::check(app));
        let flag = |value: bool| f64::from(u8::from(value));
        gauge!("grantor_database_up").set(flag(measured.unwrap_or(false)));
        gauge!("grantor_ready").set(flag(readiness.ready()));
        let mut text = self.0.render();
        app.latencies.render(&mut text, exemplars);
        process::render(&mut text, app.started);
        text
    }
}

/// Serves the metrics and the probes until the stop token is cancelled.
pub(crate) async fn serve(
    listener: TcpListener,
    page: MetricsPage,
    app: App,
    stop: CancellationToken,
) -> Result<(), String> {
    let probes = grantor_api::operations::probes(&app);
    let router = Router::new().route("/metrics", get(render)).with_state((page, app));
    // Its own connection limit: a flood on the public listener must not block the metrics.
    let admission = Admission::new(CONNECTIONS, CONNECTIONS, vec![]);
    let stopping = Stopping::new(stop, Duration::ZERO);
    let options = ListenerOptions { timeouts: Timeouts::new(KEEP_ALIVE), admission, stopping };
    crate::listener::serve(listener, router.merge(probes), None, options).await
}

async fn render(
    State((page, app)): State<(MetricsPage, App)>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let format = Format::wanted(&headers);
    let text = page.write(&app, format == Format::OpenMetrics).await;
    let text = match format {
        Format::Prometheus => text,
        Format::OpenMetrics => exposition::open_metrics(&text),
    };
    ([(header::CONTENT_TYPE, format.content_type())], text)
}

/// Updates the gauges of queues. Returns whether the database answered.
async fn measure(app: &App) -> bool {
    let Ok(queues) = queue::measure(app).await else { return false };
    for queue in queues {
        gauge!("grantor_queue_depth", "queue" => queue.name).set(f64::from(queue.depth));
        gauge!("grantor_queue_age_seconds", "queue" => queue.name).set(queue.age.as_secs_f64());
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory of this process in bytes, without what is mapped from files: its code is loaded
    /// when it runs for the first time.
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|it| it.strip_prefix("RssAnon:")).unwrap();
        let kib: usize = line.trim().strip_suffix(" kB").unwrap().parse().unwrap();
        kib * 1024
    }

    /// The growth of memory over two million samples, calling `upkeep` in between.
    async fn growth(upkeep: impl AsyncFn()) -> usize {
        let (before, samples) =
            (resident(), metrics::histogram!("grantor_webhook_attempt_seconds"));
        for _ in 0..20 {
            for _ in 0..100_000 {
                samples.record(0.001);
            }
            upkeep().await;
        }
        resident().saturating_sub(before)
    }

    const MIB: usize = 1024 * 1024;

    /// A single test: a process can install only one recorder and cannot remove it.
    #[tokio::test]
    async fn samples_take_no_memory_unless_they_are_read_nor_with_upkeep() {
        assert!(install(false).unwrap().is_none());
        let off = growth(async || ()).await;
        assert!(off < 4 * MIB, "without a reader: {off} bytes");
        let page = install(true).unwrap().unwrap();
        let once = Duration::from_millis(1);
        let folded = growth(async || drop(timeout(once, page.clone().upkeep()).await)).await;
        assert!(folded < 8 * MIB, "with upkeep: {folded} bytes");
        // The control: without upkeep the samples stay in memory.
        let kept = growth(async || ()).await;
        assert!(kept > 12 * MIB, "without upkeep: {kept} bytes");
    }
}
