//! `/metrics` on a listener of its own, never on the public one.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use grantor_service::{App, delivery, health, pod};
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::listener::{Admission, Manner, Times};

const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
const UNITS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// Whoever scrapes needs one connection, and keeps it between two looks.
const CONNECTIONS: usize = 64;
const KEEP_ALIVE: Duration = Duration::from_mins(2);

#[derive(Clone)]
struct Source {
    handle: PrometheusHandle,
    app: App,
}

/// Starts counting, but only where somebody can ask for the figures: samples that nobody folds would
/// be kept for ever. Called once, before anything counts.
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

/// What each series means, for whoever reads them without this source.
fn describe() {
    let counters = [
        ("grantor_http_requests_total", "Requests answered"),
        ("grantor_connections_refused_total", "Connections that were not taken, by why"),
        ("grantor_limiter_fallback_total", "Requests counted by this node alone: Redis was away"),
        ("grantor_mail_sent_total", "Mails handed over"),
        ("grantor_mail_failed_total", "Attempts to hand a mail over that failed"),
        ("grantor_webhook_attempts_total", "Attempts to deliver an event, by what came of them"),
        ("grantor_webhook_dropped_total", "Deliveries whose receiver no longer sees the license"),
        ("grantor_scan_items_total", "Pieces of content that pods looked at"),
        ("grantor_scan_requests_total", "Requests of pods to platforms, by what came of them"),
        ("grantor_job_items_total", "Things done by background jobs"),
        ("grantor_job_failures_total", "Runs of background jobs that failed"),
        ("grantor_job_panics_total", "Runs of background jobs that panicked"),
    ];
    for (name, meaning) in counters {
        describe_counter!(name, meaning);
    }
    describe_gauge!("grantor_database_up", "Whether the database answered at the last look");
    describe_gauge!("grantor_connections", "Connections that are open");
    describe_gauge!("grantor_mail_queue_age_seconds", "How long the oldest due mail waits");
    describe_gauge!("grantor_webhook_queue_age_seconds", "How long the oldest due delivery waits");
    describe_gauge!("grantor_scan_due_age_seconds", "How long the pod due longest waits");
    describe_histogram!("grantor_webhook_attempt_seconds", "Time of one attempt to deliver");
    describe_histogram!("grantor_http_request_seconds", "Time from head to answer");
    describe_histogram!("grantor_sqlite_commit_units", "Units of work in one commit");
    describe_gauge!("grantor_build_info", "The version that runs");
    gauge!("grantor_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Serves the figures until told to stop.
pub(crate) async fn serve(
    listener: TcpListener,
    handle: PrometheusHandle,
    app: App,
    stop: CancellationToken,
) -> Result<(), String> {
    tokio::spawn(upkeep(handle.clone()));
    let router = Router::new().route("/metrics", get(render)).with_state(Source { handle, app });
    // Places of its own: whoever floods the other listener does not keep the figures from us.
    let admission = Admission::new(CONNECTIONS, CONNECTIONS, vec![]);
    let manner = Manner { times: Times::new(KEEP_ALIVE), admission, stop };
    crate::listener::serve(listener, router, None, manner).await
}

/// Histograms collect samples that must be folded now and then, scraped or not.
async fn upkeep(handle: PrometheusHandle) {
    let mut pace = interval(Duration::from_secs(5));
    loop {
        pace.tick().await;
        handle.run_upkeep();
    }
}

/// What the database does not tell in time is left as it was.
async fn render(State(source): State<Source>) -> String {
    let measured = timeout(health::PROBE, measure(&source.app)).await.unwrap_or(false);
    gauge!("grantor_database_up").set(f64::from(u8::from(measured)));
    source.handle.render()
}

/// Asks how long things wait; gives whether the database answered.
async fn measure(app: &App) -> bool {
    let mail = app.mailer.queue_age().await;
    let webhook = delivery::queue_age(app).await;
    let scan = pod::due_age(app).await;
    let answered = mail.is_ok() && webhook.is_ok() && scan.is_ok();
    let ages = [
        ("grantor_mail_queue_age_seconds", mail),
        ("grantor_webhook_queue_age_seconds", webhook),
        ("grantor_scan_due_age_seconds", scan),
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

    /// Bytes of memory that this process holds.
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).unwrap();
        let kib: usize = line.trim().strip_suffix(" kB").unwrap().parse().unwrap();
        kib * 1024
    }

    /// By how much memory grows over the samples of two million requests, folded now and then or not.
    async fn growth(fold: impl AsyncFn()) -> usize {
        let (before, samples) = (resident(), metrics::histogram!("grantor_http_request_seconds"));
        for _ in 0..20 {
            for _ in 0..100_000 {
                samples.record(0.001);
            }
            fold().await;
        }
        resident().saturating_sub(before)
    }

    const MIB: usize = 1024 * 1024;

    /// One test: a process counts in one place, and cannot be made to stop.
    #[tokio::test]
    async fn samples_take_no_memory_without_a_listener_nor_with_upkeep() {
        assert!(install(None).unwrap().is_none());
        let off = growth(async || ()).await;
        assert!(off < 4 * MIB, "without a listener: {off} bytes");
        let handle = install(Some((Ipv4Addr::LOCALHOST, 0).into())).unwrap().unwrap();
        let once = Duration::from_millis(1);
        let folded = growth(async || drop(timeout(once, upkeep(handle.clone())).await)).await;
        assert!(folded < 8 * MIB, "with upkeep: {folded} bytes");
        // The control: without upkeep the same samples stay.
        let kept = growth(async || ()).await;
        assert!(kept > 12 * MIB, "without upkeep: {kept} bytes");
    }
}
