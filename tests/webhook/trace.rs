//! A webhook belongs to the trace of the request that caused it.

use std::sync::Arc;

use grantor_domain::trace::TraceContext;
use grantor_service::operations::trace::{Sampling, Span, SpanKind, Tracer};
use grantor_testkit::app::TestConfig;
use grantor_testkit::clock::MockClock;
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::json;
use tokio::sync::mpsc;

use super::Room;

const CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// The same trace, which its caller does not record.
const UNRECORDED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

impl Room {
    /// Changes the title of a license, as a caller with this trace context.
    async fn retitle(&self, license: &str, title: &str, traceparent: &str) {
        let token = self.agency().renewed(&self.world.app).await;
        let request = self.world.app.request(Method::PATCH, &format!("/licenses/{license}"));
        let request = request.bearer(&token).header("traceparent", traceparent);
        let changed = request.json(&json!({ "title": title })).send().await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    }

    /// The trace contexts that the receiver was told, sorted.
    fn contexts(&self) -> Vec<Option<String>> {
        let calls = self.calls();
        let mut told: Vec<_> =
            calls.iter().map(|it| it.header("traceparent").map(str::to_owned)).collect();
        told.sort();
        told
    }
}

#[db_test]
async fn a_receiver_is_told_the_trace_of_the_request(room: Room) {
    room.webhook(&["license.updated"]).await;
    let license = room.world.license(json!({})).await;
    room.retitle(&license, "Summer", CALLER).await;
    room.retitle(&license, "Autumn", "what is not a context").await;
    room.send().await;
    assert_eq!(room.contexts(), [None, Some(CALLER.to_owned())]);
}

/// A room whose spans are recorded if the caller wants it.
struct Traced {
    room: Room,
    spans: mpsc::Receiver<Span>,
}

impl Fixture for Traced {
    async fn on(engine: Engine) -> Self {
        let (clock, entropy) = (Arc::new(MockClock::default()), Arc::new(SeededEntropy::new(1)));
        let (tracer, spans) = Tracer::new(clock, entropy, Sampling::parse("0").unwrap());
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { allowed, tracer, ..TestConfig::default() };
        Self { room: Room::with_config(engine, config).await, spans }
    }
}

impl Traced {
    fn recorded(&mut self) -> Vec<Span> {
        std::iter::from_fn(|| self.spans.try_recv().ok()).collect()
    }
}

#[db_test]
async fn a_request_its_change_and_its_webhook_are_spans_of_one_trace(mut traced: Traced) {
    traced.room.webhook(&["license.updated"]).await;
    let license = traced.room.world.license(json!({})).await;
    assert!(traced.recorded().is_empty(), "nobody asked for these");
    traced.room.retitle(&license, "Summer", CALLER).await;
    traced.room.send().await;
    let spans = traced.recorded();
    let of = |kind| spans.iter().find(|it| it.kind == kind).unwrap();
    let [server, change, webhook] =
        [SpanKind::Server, SpanKind::Internal, SpanKind::Client].map(of);
    assert_eq!(spans.len(), 3, "{spans:?}");
    let caller = TraceContext::parse(CALLER).unwrap();
    assert!(spans.iter().all(|it| it.context.trace == caller.trace && it.failure.is_none()));
    assert_eq!(server.parent, Some(caller.span));
    assert!(server.name.starts_with("PATCH /licenses/{"), "{}", server.name);
    assert_eq!(change.parent, Some(server.context.span));
    assert_eq!(webhook.parent, Some(server.context.span));
    assert_eq!(traced.room.contexts(), [Some(webhook.context.to_string())]);
}

#[db_test]
async fn a_trace_that_its_caller_does_not_record_is_only_passed_on(mut traced: Traced) {
    traced.room.webhook(&["license.updated"]).await;
    let license = traced.room.world.license(json!({})).await;
    traced.room.retitle(&license, "Summer", UNRECORDED).await;
    traced.room.send().await;
    assert!(traced.recorded().is_empty());
    assert_eq!(traced.room.contexts(), [Some(UNRECORDED.to_owned())]);
}
