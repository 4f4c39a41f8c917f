//! `/metrics` on its own listener, never on the public one.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use grantor_service::App;
use grantor_service::operations::health;
use grantor_service::watching::{pod, source};
use grantor_service::webhooks::delivery;
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::listener::{Admission, ListenerOptions, Timeouts};

const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
const UNITS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// A scraper keeps one connection open between two scrapes.
const CONNECTIONS: usize = 64;
const KEEP_ALIVE: Duration = Duration::from_mins(2);

#[derive(Clone)]
struct MetricsState {
    handle: PrometheusHandle,
    app: App,
}

/// Installs the recorder if there is a metrics listener: without one, nothing would ever remove the
/// collected samples from memory. Called once, before the first metric is recorded.
pub(crate) fn install(listen: Option<SocketAddr>) -> Result<Option<PrometheusHandle>, String> {
    if listen.is_none() {
        return Ok(None);
    }
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(|it| it.set_buckets_for_metric(Matcher::Suffix("_units".to_owned()), &UNITS))
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| format!("metrics did not start: {error}"))?;
    describe();
    Ok(Some(handle))
}

/// Sets the help text of each metric.
fn describe() {
    let counters = [
        ("grantor_http_requests_total", "HTTP requests"),
        ("grantor_connections_refused_total", "Connections refused, by reason"),
        ("grantor_limiter_fallback_total", "Requests counted in memory without Redis"),
        ("grantor_mail_sent_total", "Emails sent"),
        ("grantor_mail_failed_total", "Failed attempts to send an email"),
        ("grantor_webhook_attempts_total", "Delivery attempts, by result"),
        ("grantor_webhook_dropped_total", "Deliveries dropped because the receiver lost access"),
        ("grantor_scan_items_total", "Items scanned by pods and for sources"),
        ("grantor_scan_requests_total", "Requests of scans to sites, by result"),
        ("grantor_websub_requests_total", "Requests to WebSub hubs, by result"),
        ("grantor_websub_pushes_total", "Pushes of WebSub hubs, by result"),
        ("grantor_job_items_total", "Items processed by background jobs"),
        ("grantor_job_failures_total", "Failed runs of background jobs"),
        ("grantor_job_panics_total", "Panicked runs of background jobs"),
    ];
    for (name, meaning) in counters {
        describe_counter!(name, meaning);
    }
    describe_gauge!("grantor_database_up", "Whether the database responded to this scrape");
    describe_gauge!("grantor_connections", "Open connections");
    describe_gauge!("grantor_mail_queue_age_seconds", "Age of the oldest email that is due");
    describe_gauge!("grantor_webhook_queue_age_seconds", "Age of the oldest delivery that is due");
    describe_gauge!("grantor_scan_due_age_seconds", "Longest time that a due pod has waited");
    describe_gauge!(
        "grantor_source_due_age_seconds",
        "Longest time that a due feed of sources has waited"
    );
    describe_histogram!("grantor_webhook_attempt_seconds", "Duration of a delivery attempt");
    describe_histogram!("grantor_http_request_seconds", "Time from request head to response");
    describe_histogram!("grantor_sqlite_commit_units", "Units of work in one commit");
    describe_gauge!("grantor_build_info", "The running version");
    gauge!("grantor_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Serves the metrics until the stop token is cancelled.
pub(crate) async fn serve(
    listener: TcpListener,
    handle: PrometheusHandle,
    app: App,
    stop: CancellationToken,
) -> Result<(), String> {
    tokio::spawn(upkeep(handle.clone()));
    let state = MetricsState { handle, app };
    let router = Router::new().route("/metrics", get(render)).with_state(state);
    // Its own connection limit: a flood on the public listener must not block the metrics.
    let admission = Admission::new(CONNECTIONS, CONNECTIONS, vec![]);
    let options = ListenerOptions { timeouts: Timeouts::new(KEEP_ALIVE), admission, stop };
    crate::listener::serve(listener, router, None, options).await
}

/// Aggregates the histogram samples regularly, whether or not anyone scrapes.
async fn upkeep(handle: PrometheusHandle) {
    let mut ticks = interval(Duration::from_secs(5));
    loop {
        ticks.tick().await;
        handle.run_upkeep();
    }
}

/// Gauges keep their old value if the database does not answer in time.
async fn render(State(state): State<MetricsState>) -> String {
    let answered = timeout(health::PROBE_TIMEOUT, measure(&state.app)).await.unwrap_or(false);
    gauge!("grantor_database_up").set(f64::from(u8::from(answered)));
    state.handle.render()
}

/// Updates the queue gauges. Returns whether the database answered.
async fn measure(app: &App) -> bool {
    let mail = app.mailer.queue_age().await;
    let webhook = delivery::queue_age(app).await;
    let scan = pod::due_age(app).await;
    let sources = source::due_age(app).await;
    let answered = mail.is_ok() && webhook.is_ok() && scan.is_ok() && sources.is_ok();
    let ages = [
        ("grantor_mail_queue_age_seconds", mail),
        ("grantor_webhook_queue_age_seconds", webhook),
        ("grantor_scan_due_age_seconds", scan),
        ("grantor_source_due_age_seconds", sources),
    ];
    for (name, age) in ages {
        if let Ok(age) = age {
            gauge!(name).set(age.as_secs_f64());
        }
    }
    answered
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    /// The resident memory of this process in bytes.
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).unwrap();
        let kib: usize = line.trim().strip_suffix(" kB").unwrap().parse().unwrap();
        kib * 1024
    }

    /// The growth of memory over the samples of two million requests, calling `upkeep` in between.
    async fn growth(upkeep: impl AsyncFn()) -> usize {
        let (before, samples) = (resident(), metrics::histogram!("grantor_http_request_seconds"));
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
    async fn samples_take_no_memory_without_a_listener_nor_with_upkeep() {
        assert!(install(None).unwrap().is_none());
        let off = growth(async || ()).await;
        assert!(off < 4 * MIB, "without a listener: {off} bytes");
        let handle = install(Some((Ipv4Addr::LOCALHOST, 0).into())).unwrap().unwrap();
        let once = Duration::from_millis(1);
        let folded = growth(async || drop(timeout(once, upkeep(handle.clone())).await)).await;
        assert!(folded < 8 * MIB, "with upkeep: {folded} bytes");
        // The control: without upkeep the samples stay in memory.
        let kept = growth(async || ()).await;
        assert!(kept > 12 * MIB, "without upkeep: {kept} bytes");
    }
}
