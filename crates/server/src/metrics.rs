//! `/metrics` on a listener of its own, never on the public one.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use axum_server::Handle;
use grantor_service::{App, delivery, pod};
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::interval;

const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
const UNITS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

#[derive(Clone)]
struct Source {
    handle: PrometheusHandle,
    app: App,
}

/// Starts counting. Called once, before anything counts.
pub(crate) fn install() -> Result<PrometheusHandle, String> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(|it| it.set_buckets_for_metric(Matcher::Suffix("_units".to_owned()), &UNITS))
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| format!("metrics did not start: {error}"))?;
    describe();
    Ok(handle)
}

/// What each series means, for whoever reads them without this source.
fn describe() {
    let counters = [
        ("grantor_http_requests_total", "Requests answered"),
        ("grantor_limiter_fallback_total", "Requests counted by this node alone: Redis was away"),
        ("grantor_mail_sent_total", "Mails handed over"),
        ("grantor_mail_failed_total", "Attempts to hand a mail over that failed"),
        ("grantor_webhook_attempts_total", "Attempts to deliver an event, by what came of them"),
        ("grantor_webhook_dropped_total", "Deliveries whose receiver no longer sees the license"),
        ("grantor_scan_items_total", "Pieces of content that pods looked at"),
        ("grantor_scan_requests_total", "Requests of pods to platforms, by what came of them"),
        ("grantor_job_items_total", "Things done by background jobs"),
        ("grantor_job_failures_total", "Runs of background jobs that failed"),
    ];
    for (name, meaning) in counters {
        describe_counter!(name, meaning);
    }
    describe_gauge!("grantor_mail_queue_age_seconds", "How long the oldest due mail waits");
    describe_gauge!("grantor_webhook_queue_age_seconds", "How long the oldest due delivery waits");
    describe_gauge!("grantor_scan_due_age_seconds", "How long the pod due longest waits");
    describe_histogram!("grantor_webhook_attempt_seconds", "Time of one attempt to deliver");
    describe_histogram!("grantor_http_request_seconds", "Time from head to answer");
    describe_histogram!("grantor_sqlite_commit_units", "Units of work in one commit");
    describe_gauge!("grantor_build_info", "The version that runs");
    gauge!("grantor_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Serves the figures until the handle says stop.
pub(crate) async fn serve(
    listener: TcpListener,
    handle: PrometheusHandle,
    app: App,
    stop: Handle<SocketAddr>,
) -> Result<(), String> {
    tokio::spawn(upkeep(handle.clone()));
    let router = Router::new().route("/metrics", get(render)).with_state(Source { handle, app });
    crate::listener::serve(listener, router, None, stop).await
}

/// Histograms collect samples that must be folded now and then, scraped or not.
async fn upkeep(handle: PrometheusHandle) {
    let mut pace = interval(Duration::from_secs(5));
    loop {
        pace.tick().await;
        handle.run_upkeep();
    }
}

async fn render(State(source): State<Source>) -> String {
    if let Ok(age) = source.app.mailer.queue_age().await {
        gauge!("grantor_mail_queue_age_seconds").set(age.as_secs_f64());
    }
    if let Ok(age) = delivery::queue_age(&source.app).await {
        gauge!("grantor_webhook_queue_age_seconds").set(age.as_secs_f64());
    }
    if let Ok(age) = pod::due_age(&source.app).await {
        gauge!("grantor_scan_due_age_seconds").set(age.as_secs_f64());
    }
    source.handle.render()
}
