//! What is recorded of every request of an API or a page: metrics, a line in the log and, if its
//! trace is sampled, a span. Never the query, headers or body.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grantor_service::operations::trace::{Attribute, Ending, SpanKind};
use http::{Method, StatusCode};
use tracing::field::display;

use crate::request::RequestInfo;
use crate::route_metrics::{RouteMetrics, method_label};
use crate::state::HttpState;

/// A request that takes longer is always logged.
const SLOW: Duration = Duration::from_secs(1);

/// Records a request that was answered.
pub fn observe(
    state: &HttpState,
    route: &RouteMetrics,
    info: &RequestInfo,
    (method, status): (&Method, StatusCode),
) {
    let (app, method) = (&state.app, method_label(method));
    let now = app.clock.monotonic();
    let taken = now.saturating_sub(info.context.origin.started);
    let trace = info.span.map(|it| (it.context.trace, app.clock.now()));
    route.record(&app.latencies, (method, status), taken, trace);
    let always = status.is_server_error() || taken >= SLOW;
    let skipped = state.request_log.take(now, always);
    log(info, (method, route.path(), status), taken, skipped);
    let Some(span) = info.span else { return };
    app.tracer.end(span, ending(info, method, route.path(), status));
}

/// Logs a request at level info if it has a line there, together with how many had none before.
fn log(
    info: &RequestInfo,
    (method, route, status): (&str, &str, StatusCode),
    taken: Duration,
    skipped: Option<u64>,
) {
    let (request_id, status) = (info.request_id.as_str(), status.as_u16());
    let micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX);
    let trace_id = info.context.origin.trace.map(|it| display(it.trace));
    if let Some(skipped) = skipped {
        let skipped = Some(skipped).filter(|it| *it > 0);
        tracing::info!(request_id, method, route, status, micros, trace_id, skipped, "request");
    } else {
        tracing::debug!(request_id, method, route, status, micros, trace_id, "request");
    }
}

fn ending(info: &RequestInfo, method: &str, route: &str, status: StatusCode) -> Ending {
    let text = |it: &str| Attribute::Text(it.to_owned());
    let attributes = vec![
        ("http.request.method", text(method)),
        ("http.route", text(route)),
        ("http.response.status_code", Attribute::Number(status.as_u16().into())),
        ("grantor.request_id", text(&info.request_id)),
    ];
    let failure = status.is_server_error().then(|| status.to_string());
    let name = format!("{method} {route}").into();
    Ending { name, kind: SpanKind::Server, attributes, failure }
}

/// Decides which requests have a line in the log: so many in each second, and all that fail or take
/// long.
#[derive(Debug)]
pub(crate) struct RequestLog {
    per_second: u32,
    /// The current second in the upper half, and how many lines it has in the lower.
    lines: AtomicU64,
    /// Requests without a line since the last one.
    skipped: AtomicU64,
}

impl RequestLog {
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second, lines: AtomicU64::new(0), skipped: AtomicU64::new(0) }
    }

    /// Whether a request that ends now has a line, and then how many had none before it.
    fn take(&self, now: Duration, always: bool) -> Option<u64> {
        if self.per_second == 0 && !always {
            return None;
        }
        let second = now.as_secs() << 32;
        let order = Ordering::Relaxed;
        let counted = self.lines.fetch_update(order, order, |lines| {
            let lines = if lines >> 32 << 32 == second { lines } else { second };
            (lines - second < u64::from(self.per_second)).then_some(lines + 1)
        });
        if counted.is_ok() || always {
            return Some(self.skipped.swap(0, order));
        }
        self.skipped.fetch_add(1, order);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_so_many_lines_and_failures_come_on_top() {
        let log = RequestLog::new(2);
        let at = Duration::from_millis;
        assert_eq!(
            [1_000, 1_500, 1_600].map(|it| log.take(at(it), false)),
            [Some(0), Some(0), None]
        );
        assert_eq!(log.take(at(1_700), false), None);
        assert_eq!(
            log.take(at(1_800), true),
            Some(2),
            "a failure is logged, and what was left out"
        );
        assert_eq!(log.take(at(2_000), false), Some(0));
    }

    #[test]
    fn without_lines_only_failures_are_logged() {
        let log = RequestLog::new(0);
        assert_eq!(log.take(Duration::ZERO, false), None);
        assert_eq!(log.take(Duration::ZERO, true), Some(0));
    }
}
