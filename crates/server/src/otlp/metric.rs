//! Metrics as OTLP writes them in JSON. They are read from the page for Prometheus, so that both
//! have the same names and values, and nothing is counted twice.

use grantor_domain::Timestamp;
use serde_json::{Value, json};

use super::{nanos, scope, text_attribute};

/// Values since the start, not since the last request.
const CUMULATIVE: u8 = 2;

/// The body of a request with the metrics of a page, counted from the first of the times to the
/// second.
pub(super) fn body(resource: &Value, page: &str, [since, now]: [Timestamp; 2]) -> Value {
    let times = Times { since: nanos(since), now: nanos(now) };
    let metrics: Vec<_> = families(page).iter().filter_map(|it| it.written(&times)).collect();
    let scope_metrics = json!([{ "scope": scope(), "metrics": metrics }]);
    json!({ "resourceMetrics": [{ "resource": resource, "scopeMetrics": scope_metrics }] })
}

struct Times {
    since: String,
    now: String,
}

/// A metric with its samples.
#[derive(Default)]
struct Family<'a> {
    name: &'a str,
    help: &'a str,
    kind: &'a str,
    samples: Vec<Sample<'a>>,
}

struct Sample<'a> {
    name: &'a str,
    labels: Vec<(&'a str, String)>,
    value: f64,
}

fn families(page: &str) -> Vec<Family<'_>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    for line in page.lines() {
        if let Some((name, help)) = line.strip_prefix("# HELP ").and_then(|it| it.split_once(' ')) {
            families.push(Family { name, help, ..Family::default() });
        } else if let Some(kind) = line.strip_prefix("# TYPE ").and_then(|it| it.split_once(' ')) {
            let (name, kind) = kind;
            match families.last_mut() {
                Some(family) if family.name == name => family.kind = kind,
                _ => families.push(Family { name, kind, ..Family::default() }),
            }
        } else if let (Some(family), Some(sample)) = (families.last_mut(), Sample::read(line)) {
            family.samples.push(sample);
        }
    }
    families
}

impl<'a> Sample<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (series, value) = line.rsplit_once(' ')?;
        let value = value.parse().ok().filter(|it: &f64| it.is_finite())?;
        let (name, labels) = match series.split_once('{') {
            Some((name, rest)) => (name, read_labels(rest.strip_suffix('}')?)?),
            None => (series, vec![]),
        };
        Some(Self { name, labels, value })
    }

    fn attributes(&self) -> Vec<Value> {
        let labels = self.labels.iter().filter(|it| it.0 != "le");
        labels.map(|(name, value)| text_attribute(name, value)).collect()
    }
}

/// Reads `name="value",…`, with the escapes of Prometheus.
fn read_labels(mut rest: &str) -> Option<Vec<(&str, String)>> {
    let mut labels = Vec::new();
    while !rest.is_empty() {
        let (name, quoted) = rest.split_once("=\"")?;
        let (mut value, mut letters) = (String::new(), quoted.char_indices());
        let end = loop {
            match letters.next()? {
                (at, '"') => break at,
                (_, '\\') => match letters.next()?.1 {
                    'n' => value.push('\n'),
                    other => value.push(other),
                },
                (_, letter) => value.push(letter),
            }
        };
        labels.push((name, value));
        rest = &quoted[end + 1..];
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
    Some(labels)
}

impl Family<'_> {
    fn written(&self, times: &Times) -> Option<Value> {
        let mut metric = json!({ "name": self.name, "description": self.help });
        match self.kind {
            "counter" => {
                metric["sum"] = json!({
                    "aggregationTemporality": CUMULATIVE,
                    "isMonotonic": true,
                    "dataPoints": self.numbers(times),
                });
            }
            "gauge" => metric["gauge"] = json!({ "dataPoints": self.numbers(times) }),
            "histogram" => {
                metric["histogram"] = json!({
                    "aggregationTemporality": CUMULATIVE,
                    "dataPoints": self.histograms(times),
                });
            }
            _ => return None,
        }
        Some(metric)
    }

    fn numbers(&self, times: &Times) -> Vec<Value> {
        let point = |it: &Sample<'_>| {
            json!({
                "attributes": it.attributes(),
                "startTimeUnixNano": times.since,
                "timeUnixNano": times.now,
                "asDouble": it.value,
            })
        };
        self.samples.iter().map(point).collect()
    }

    /// Each histogram is its buckets, its sum and its count, in this order.
    fn histograms(&self, times: &Times) -> Vec<Value> {
        let (mut points, mut bounds, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut before, mut sum) = (0.0, 0.0);
        for sample in &self.samples {
            if sample.name.ends_with("_bucket") {
                let bound = sample.labels.iter().find(|it| it.0 == "le");
                bounds.extend(
                    bound.and_then(|it| it.1.parse().ok()).filter(|it: &f64| it.is_finite()),
                );
                counts.push(whole(sample.value - before));
                before = sample.value;
            } else if sample.name.ends_with("_sum") {
                sum = sample.value;
            } else {
                points.push(json!({
                    "attributes": sample.attributes(),
                    "startTimeUnixNano": times.since,
                    "timeUnixNano": times.now,
                    "count": whole(sample.value),
                    "sum": sum,
                    "bucketCounts": std::mem::take(&mut counts),
                    "explicitBounds": std::mem::take(&mut bounds),
                }));
                before = 0.0;
            }
        }
        points
    }
}

/// OTLP writes 64-bit numbers as text.
fn whole(value: f64) -> String {
    format!("{value:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# HELP a_total Things\n# TYPE a_total counter\n\
        a_total{route=\"/x/{id}\",text=\"a \\\"b\\\"\"} 3\n\n\
        # TYPE up gauge\nup 1\nup{node=\"b\"} NaN\n\n\
        # HELP s How long\n# TYPE s histogram\n\
        s_bucket{le=\"0.5\"} 1\ns_bucket{le=\"1\"} 4\ns_bucket{le=\"+Inf\"} 5\n\
        s_sum 3.5\ns_count 5\n";

    fn metrics() -> Value {
        let times = [1, 2].map(Timestamp::from_secs);
        let body = body(&json!({}), PAGE, times);
        body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].clone()
    }

    #[test]
    fn counters_and_gauges_keep_their_labels() {
        let point = json!({
            "attributes": [
                { "key": "route", "value": { "stringValue": "/x/{id}" } },
                { "key": "text", "value": { "stringValue": "a \"b\"" } },
            ],
            "startTimeUnixNano": "1000000000",
            "timeUnixNano": "2000000000",
            "asDouble": 3.0,
        });
        let sum = json!({
            "aggregationTemporality": 2, "isMonotonic": true, "dataPoints": [point],
        });
        let counter = json!({ "name": "a_total", "description": "Things", "sum": sum });
        assert_eq!(metrics()[0], counter);
        // What is not a number is left out.
        assert_eq!(metrics()[1]["gauge"]["dataPoints"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn histograms_have_the_count_of_each_bucket() {
        let point = json!({
            "attributes": [],
            "startTimeUnixNano": "1000000000",
            "timeUnixNano": "2000000000",
            "count": "5",
            "sum": 3.5,
            "bucketCounts": ["1", "3", "1"],
            "explicitBounds": [0.5, 1.0],
        });
        let histogram = json!({ "aggregationTemporality": 2, "dataPoints": [point] });
        assert_eq!(
            metrics()[2],
            json!({ "name": "s", "description": "How long", "histogram": histogram })
        );
    }
}
