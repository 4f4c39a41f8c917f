//! A route's own metrics, looked up once and not at every request.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::{Method, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};

/// Requests counted by method and status, and how long they took.
pub(super) struct Figures {
    surface: &'static str,
    route: String,
    seconds: Histogram,
    /// A route answers with a handful of statuses: a list is faster than a map.
    requests: Mutex<Vec<(&'static str, StatusCode, Counter)>>,
}

impl Figures {
    pub(super) fn new(surface: &'static str, route: &str) -> Self {
        let seconds = histogram!(
            "grantor_http_request_seconds", "surface" => surface, "route" => route.to_owned()
        );
        Self { surface, route: route.to_owned(), seconds, requests: Mutex::default() }
    }

    pub(super) fn record(&self, method: &Method, status: StatusCode, taken: Duration) {
        self.seconds.record(taken.as_secs_f64());
        let method = known(method);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let found = requests.iter().find(|it| it.0 == method && it.1 == status);
        if let Some((.., counter)) = found {
            counter.increment(1);
            return;
        }
        let counter = counter!(
            "grantor_http_requests_total",
            "surface" => self.surface,
            "route" => self.route.clone(),
            "method" => method,
            "status" => status.as_u16().to_string()
        );
        counter.increment(1);
        requests.push((method, status, counter));
    }
}

/// A stranger may invent methods, but not series.
fn known(method: &Method) -> &'static str {
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
