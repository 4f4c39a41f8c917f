//! Per-route metrics. Handles are cached, so that a request does not look them up.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::trace::TraceId;
use grantor_service::operations::latency::{Latencies, Latency};
use http::{Method, StatusCode};
use metrics::{Counter, counter};

/// Request counters by method and status, and histograms of latency by status.
#[derive(Debug)]
pub struct RouteMetrics {
    surface: &'static str,
    route: String,
    /// The route as clients see it.
    path: String,
    /// A route returns few distinct statuses, so a list is faster than a map.
    series: Mutex<Vec<Series>>,
}

struct Series {
    method: &'static str,
    status: StatusCode,
    requests: Counter,
    latency: Arc<Latency>,
}

impl RouteMetrics {
    /// Creates the metrics of a route of an API or of the pages.
    #[must_use]
    pub fn new(surface: &'static str, route: &str) -> Self {
        let (route, path) = (route.to_owned(), route.to_owned());
        Self { surface, route, path, series: Mutex::default() }
    }

    /// Makes clients see the route below a prefix. The fallbacks of an API have no path.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        if self.route.starts_with('/') {
            self.path = format!("{prefix}{}", self.route);
        }
        self
    }

    /// The route's path as clients see it, for the log and for spans.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Records a request, and its trace if that is recorded.
    pub(crate) fn record(
        &self,
        latencies: &Latencies,
        (method, status): (&'static str, StatusCode),
        taken: Duration,
        trace: Option<(TraceId, Timestamp)>,
    ) {
        let mut series = self.series.lock().unwrap_or_else(PoisonError::into_inner);
        let found = series.iter().find(|it| it.method == method && it.status == status);
        if let Some(found) = found {
            found.record(taken, trace);
            return;
        }
        let requests = counter!(
            "grantor_http_requests_total",
            "surface" => self.surface,
            "route" => self.route.clone(),
            "method" => method,
            "status" => status.as_u16().to_string()
        );
        let latency = latencies.of(self.surface, &self.route, status.as_u16());
        let new = Series { method, status, requests, latency };
        new.record(taken, trace);
        series.push(new);
    }
}

impl Series {
    fn record(&self, taken: Duration, trace: Option<(TraceId, Timestamp)>) {
        self.requests.increment(1);
        self.latency.record(taken, trace);
    }
}

impl std::fmt::Debug for Series {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.status)
    }
}

/// Groups unknown methods, so that clients can't create metric series.
pub(crate) fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
