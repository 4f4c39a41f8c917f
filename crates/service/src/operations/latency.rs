//! How long requests took: histograms by interface, route and status. Unlike those of the metrics
//! library, each bucket remembers the trace of one of its requests as an exemplar, and recording
//! takes no lock unless the request is traced.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::trace::TraceId;

/// The name of the histogram.
pub const NAME: &str = "grantor_http_request_seconds";
const HELP: &str = "Time from request head to response";

/// The upper bounds of the buckets, in microseconds and as text in seconds. A request takes at most
/// 60 seconds.
const BOUNDS: [(u64, &str); 16] = [
    (500, "0.0005"),
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (5_000_000, "5"),
    (10_000_000, "10"),
    (30_000_000, "30"),
    (60_000_000, "60"),
];
const BUCKETS: usize = BOUNDS.len() + 1;

/// All histograms of a node.
#[derive(Debug, Default)]
pub struct Latencies(Mutex<BTreeMap<String, Arc<Latency>>>);

/// The histogram of one interface, route and status.
#[derive(Debug, Default)]
pub struct Latency {
    /// Each request is counted in one bucket.
    counts: [AtomicU64; BUCKETS],
    micros: AtomicU64,
    exemplars: Mutex<[Option<Exemplar>; BUCKETS]>,
}

/// A request of a bucket whose trace is recorded.
#[derive(Clone, Copy, Debug)]
struct Exemplar {
    trace: TraceId,
    micros: u64,
    at: Timestamp,
}

impl Latencies {
    /// The histogram with these labels. Callers keep it.
    #[must_use]
    pub fn of(&self, surface: &str, route: &str, status: u16) -> Arc<Latency> {
        let labels = format!("surface=\"{surface}\",route=\"{route}\",status=\"{status}\"");
        Arc::clone(lock(&self.0).entry(labels).or_default())
    }

    /// Writes all histograms as Prometheus reads them; with exemplars, as OpenMetrics.
    pub fn render(&self, out: &mut String, exemplars: bool) {
        let all = lock(&self.0);
        if all.is_empty() {
            return;
        }
        // Writing to a text cannot fail.
        let _ = writeln!(out, "# HELP {NAME} {HELP}\n# TYPE {NAME} histogram");
        for (labels, latency) in &*all {
            latency.render(out, labels, exemplars);
        }
    }
}

impl Latency {
    /// Records a request, and its trace if that is recorded.
    pub fn record(&self, taken: Duration, trace: Option<(TraceId, Timestamp)>) {
        let micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().take_while(|(bound, _)| micros > *bound).count();
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.micros.fetch_add(micros, Ordering::Relaxed);
        if let Some((trace, at)) = trace
            && let Some(place) = lock(&self.exemplars).get_mut(bucket)
        {
            *place = Some(Exemplar { trace, micros, at });
        }
    }

    fn render(&self, out: &mut String, labels: &str, exemplars: bool) {
        let shown = if exemplars { *lock(&self.exemplars) } else { [None; BUCKETS] };
        let bounds = BOUNDS.iter().map(|it| it.1).chain(["+Inf"]);
        let mut total = 0;
        for ((bound, count), exemplar) in bounds.zip(&self.counts).zip(shown) {
            total += count.load(Ordering::Relaxed);
            let _ = write!(out, "{NAME}_bucket{{{labels},le=\"{bound}\"}} {total}");
            if let Some(Exemplar { trace, micros, at }) = exemplar {
                let taken = seconds(micros);
                let at = seconds(u64::try_from(at.as_micros()).unwrap_or(0));
                let _ = write!(out, " # {{trace_id=\"{trace}\"}} {taken} {at}");
            }
            out.push('\n');
        }
        let sum = seconds(self.micros.load(Ordering::Relaxed));
        let _ = writeln!(out, "{NAME}_sum{{{labels}}} {sum}\n{NAME}_count{{{labels}}} {total}");
    }
}

fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(latencies: &Latencies, exemplars: bool) -> String {
        let mut out = String::new();
        latencies.render(&mut out, exemplars);
        out
    }

    #[test]
    fn buckets_are_cumulative_and_reach_a_minute() {
        let latencies = Latencies::default();
        assert_eq!(rendered(&latencies, false), "");
        let latency = latencies.of("external", "/health", 200);
        for millis in [1, 2, 45_000, 61_000] {
            latency.record(Duration::from_millis(millis), None);
        }
        let text = rendered(&latencies, true);
        let labels = "surface=\"external\",route=\"/health\",status=\"200\"";
        for (bound, count) in [("0.0005", 0), ("0.001", 1), ("30", 2), ("60", 3), ("+Inf", 4)] {
            let line = format!("{NAME}_bucket{{{labels},le=\"{bound}\"}} {count}\n");
            assert!(text.contains(&line), "{line} is not in {text}");
        }
        assert!(text.contains(&format!("{NAME}_sum{{{labels}}} 106.003000\n")), "{text}");
        assert!(text.ends_with(&format!("{NAME}_count{{{labels}}} 4\n")), "{text}");
    }

    #[test]
    fn an_exemplar_names_the_trace_of_a_request() {
        let latencies = Latencies::default();
        let latency = latencies.of("web", "/app", 200);
        let trace = TraceId::from_random([1; 16]);
        let at = Timestamp::from_micros(1_700_000_000_500_000);
        latency.record(Duration::from_millis(70), Some((trace, at)));
        let named = format!("le=\"0.1\"}} 1 # {{trace_id=\"{trace}\"}} 0.070000 1700000000.500000");
        assert!(rendered(&latencies, true).contains(&named));
        assert!(!rendered(&latencies, false).contains("trace_id"), "only OpenMetrics has them");
    }

    #[test]
    fn the_same_labels_are_one_histogram() {
        let latencies = Latencies::default();
        let [one, other] = [0, 1].map(|_| latencies.of("web", "/app", 200));
        assert!(Arc::ptr_eq(&one, &other));
        assert!(!Arc::ptr_eq(&one, &latencies.of("web", "/app", 404)));
    }
}
