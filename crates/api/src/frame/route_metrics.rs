//! Per-route metrics. Handles are cached, so that a request does not look them up.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::{Method, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};

/// Request counters by method and status, and a latency histogram.
pub(super) struct RouteMetrics {
    api: &'static str,
    route: String,
    seconds: Histogram,
    /// A route returns few distinct statuses, so a list is faster than a map.
    requests: Mutex<Vec<(&'static str, StatusCode, Counter)>>,
}

impl RouteMetrics {
    pub(super) fn new(api: &'static str, route: &str) -> Self {
        let seconds = histogram!(
            "grantor_http_request_seconds", "surface" => api, "route" => route.to_owned()
        );
        Self { api, route: route.to_owned(), seconds, requests: Mutex::default() }
    }

    pub(super) fn record(&self, method: &Method, status: StatusCode, taken: Duration) {
        self.seconds.record(taken.as_secs_f64());
        let method = method_label(method);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let found = requests.iter().find(|it| it.0 == method && it.1 == status);
        if let Some((.., counter)) = found {
            counter.increment(1);
            return;
        }
        let counter = counter!(
            "grantor_http_requests_total",
            "surface" => self.api,
            "route" => self.route.clone(),
            "method" => method,
            "status" => status.as_u16().to_string()
        );
        counter.increment(1);
        requests.push((method, status, counter));
    }
}

/// Groups unknown methods, so that clients can't create metric series.
fn method_label(method: &Method) -> &'static str {
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
