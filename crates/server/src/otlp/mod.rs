//! OpenTelemetry: sends traces and metrics to the operator's collector by OTLP over HTTP, as JSON.
//! Nothing of this runs without a collector.

mod metric;
mod trace;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use grantor_domain::Timestamp;
use grantor_outbound::{Outbound, OutboundRequest, Purpose, SystemDns, TimeLimits};
use grantor_service::App;
use grantor_service::operations::trace::Span;
use metrics::counter;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};
use tokio::time::interval;

use crate::config::Otlp;
use crate::metrics::MetricsPage;

/// How often spans are sent.
const TRACE_INTERVAL: Duration = Duration::from_secs(1);
/// How often metrics are sent.
const METRIC_INTERVAL: Duration = Duration::from_secs(15);
/// How many spans one request has.
const SPANS_AT_ONCE: usize = 512;
/// How often a request is sent if the collector is busy, and the pause in between.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_secs(1);
const LIMITS: TimeLimits =
    TimeLimits { connect: Duration::from_secs(2), total: Duration::from_secs(5) };
/// The operator sets the address, so it may be anywhere.
const ANYWHERE: &str = "0.0.0.0/0,::/0";

/// Sends what this node records.
pub(crate) struct Exporter {
    client: Outbound,
    endpoint: String,
    headers: HeaderMap,
    resource: Value,
    spans: Mutex<mpsc::Receiver<Span>>,
    metrics: MetricsPage,
    app: App,
    /// Whether the last request failed, so that only the first failure is logged.
    failing: AtomicBool,
}

impl Exporter {
    /// Prepares to send the spans of this queue and the metrics of this page.
    pub(crate) fn new(
        config: &Otlp,
        app: &App,
        spans: mpsc::Receiver<Span>,
        metrics: MetricsPage,
    ) -> Result<Arc<Self>, String> {
        let anywhere = ANYWHERE.parse().map_err(|error| format!("otlp_endpoint: {error}"))?;
        let client = Outbound::new(Arc::new(SystemDns::default()), anywhere, LIMITS)
            .map_err(|error| format!("the outbound client could not be built: {error}"))?;
        let given = config.headers.as_ref().map(|it| headers(it.expose_secret()));
        let mut headers = given.flatten().unwrap_or_default();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let resource = json!({ "attributes": [
            text_attribute("service.name", "grantor"),
            text_attribute("service.version", env!("CARGO_PKG_VERSION")),
            text_attribute("service.instance.id", &app.nodes.id().to_string()),
        ] });
        Ok(Arc::new(Self {
            client,
            endpoint: config.endpoint.as_str().trim_end_matches('/').to_owned(),
            headers,
            resource,
            spans: Mutex::new(spans),
            metrics,
            app: app.clone(),
            failing: AtomicBool::new(false),
        }))
    }

    /// Sends spans regularly.
    pub(crate) async fn export_spans(self: Arc<Self>) {
        let mut ticks = interval(TRACE_INTERVAL);
        loop {
            ticks.tick().await;
            self.send_spans().await;
        }
    }

    /// Sends metrics regularly.
    pub(crate) async fn export_metrics(self: Arc<Self>) {
        let mut ticks = interval(METRIC_INTERVAL);
        loop {
            ticks.tick().await;
            self.send_metrics().await;
        }
    }

    /// Sends what is left when the program ends.
    pub(crate) async fn flush(&self) {
        self.send_spans().await;
        self.send_metrics().await;
    }

    async fn send_spans(&self) {
        let mut spans = self.spans.lock().await;
        loop {
            let mut batch = Vec::new();
            while batch.len() < SPANS_AT_ONCE
                && let Ok(span) = spans.try_recv()
            {
                batch.push(span);
            }
            if batch.is_empty() {
                return;
            }
            self.send("traces", &trace::body(&self.resource, &batch)).await;
        }
    }

    async fn send_metrics(&self) {
        let text = self.metrics.text(&self.app).await;
        let times = [self.app.started, self.app.clock.now()];
        self.send("metrics", &metric::body(&self.resource, &text, times)).await;
    }

    /// Sends a request, again if the collector says that it may. What cannot be sent is dropped:
    /// the next metrics contain it, and spans are only samples.
    #[expect(clippy::disallowed_methods, reason = "the task waits between two attempts")]
    async fn send(&self, signal: &'static str, body: &Value) {
        let (url, body) = (format!("{}/v1/{signal}", self.endpoint), body.to_string().into_bytes());
        let mut reason = String::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(PAUSE).await;
            }
            let request = OutboundRequest::post(url.clone(), self.headers.clone(), body.clone());
            match self.client.send(Purpose::Telemetry, request).await {
                Ok(answer) if answer.status.is_success() => return self.succeeded(),
                Ok(answer) => {
                    reason = format!("the collector returned status {}", answer.status.as_u16());
                    if !may_repeat(answer.status) {
                        break;
                    }
                }
                Err(error) => reason = error.to_string(),
            }
        }
        counter!("grantor_otlp_failures_total", "signal" => signal).increment(1);
        if !self.failing.swap(true, Ordering::Relaxed) {
            tracing::warn!(signal, reason, "traces and metrics do not reach the collector");
        }
    }

    fn succeeded(&self) {
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("traces and metrics reach the collector again");
        }
    }
}

/// The statuses after which OTLP allows to repeat a request.
fn may_repeat(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503 | 504)
}

/// Parses headers: names and values joined by `=`, separated by commas.
pub(crate) fn headers(text: &str) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    for pair in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let (name, value) = pair.split_once('=')?;
        let name: HeaderName = name.trim().parse().ok()?;
        let mut value: HeaderValue = value.trim().parse().ok()?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    (!headers.is_empty()).then_some(headers)
}

fn scope() -> Value {
    json!({ "name": "grantor", "version": env!("CARGO_PKG_VERSION") })
}

fn text_attribute(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

/// OTLP writes 64-bit numbers as text.
fn nanos(at: Timestamp) -> String {
    format!("{}000", at.as_micros().max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_names_and_values() {
        let parsed = headers("authorization=Bearer a=b, x-tenant = one").unwrap();
        assert_eq!(parsed["authorization"], "Bearer a=b");
        assert_eq!(parsed["x-tenant"], "one");
        assert!(parsed["authorization"].is_sensitive());
        for text in ["", "authorization", "a b=c", "a=\u{7}"] {
            assert!(headers(text).is_none(), "{text:?}");
        }
    }
}
