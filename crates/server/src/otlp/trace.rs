//! Spans as OTLP writes them in JSON.

use grantor_service::operations::trace::{Attribute, Span, SpanKind};
use serde_json::{Value, json};

use super::{nanos, scope, text_attribute};

/// The status code of a span that failed.
const FAILED: u8 = 2;
/// The flag of a trace that is recorded.
const SAMPLED: u8 = 1;

/// The body of a request with these spans.
pub(super) fn body(resource: &Value, spans: &[Span]) -> Value {
    let spans: Vec<_> = spans.iter().map(written).collect();
    let scope_spans = json!([{ "scope": scope(), "spans": spans }]);
    json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": scope_spans }] })
}

fn written(span: &Span) -> Value {
    let attributes: Vec<_> = span.attributes.iter().map(attribute).collect();
    let mut written = json!({
        "traceId": span.context.trace.to_string(),
        "spanId": span.context.span.to_string(),
        "flags": SAMPLED,
        "name": span.name,
        "kind": kind(span.kind),
        "startTimeUnixNano": nanos(span.at),
        "endTimeUnixNano": nanos(span.at.plus(span.duration)),
        "attributes": attributes,
    });
    if let Some(parent) = span.parent {
        written["parentSpanId"] = parent.to_string().into();
    }
    if let Some(failure) = &span.failure {
        written["status"] = json!({ "code": FAILED, "message": failure });
    }
    written
}

fn attribute((key, value): &(&'static str, Attribute)) -> Value {
    match value {
        Attribute::Text(text) => text_attribute(key, text),
        Attribute::Number(number) => {
            json!({ "key": key, "value": { "intValue": number.to_string() } })
        }
    }
}

fn kind(kind: SpanKind) -> u8 {
    match kind {
        SpanKind::Internal => 1,
        SpanKind::Server => 2,
        SpanKind::Client => 3,
        SpanKind::Consumer => 5,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use grantor_domain::Timestamp;
    use grantor_domain::trace::TraceContext;

    use super::*;

    #[test]
    fn a_span_is_written_as_otlp_reads_it() {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let parent = TraceContext::parse(parent).unwrap();
        let own = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b8-01";
        let span = Span {
            context: TraceContext::parse(own).unwrap(),
            parent: Some(parent.span),
            name: "GET /health".into(),
            kind: SpanKind::Server,
            at: Timestamp::from_micros(1_700_000_000_000_000),
            duration: Duration::from_millis(2),
            attributes: vec![("http.response.status_code", Attribute::Number(500))],
            failure: Some("500".to_owned()),
        };
        let written = json!({
            "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
            "spanId": "00f067aa0ba902b8",
            "flags": 1,
            "name": "GET /health",
            "kind": 2,
            "startTimeUnixNano": "1700000000000000000",
            "endTimeUnixNano": "1700000000002000000",
            "attributes": [
                { "key": "http.response.status_code", "value": { "intValue": "500" } },
            ],
            "parentSpanId": "00f067aa0ba902b7",
            "status": { "code": 2, "message": "500" },
        });
        let body = body(&json!({}), &[span]);
        assert_eq!(body["resourceSpans"][0]["scopeSpans"][0]["spans"], json!([written]));
    }
}
