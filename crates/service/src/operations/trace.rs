//! Spans: how long the parts of a request and of the work that follows it took. They are recorded
//! for sampled traces only, and handed to an exporter. Without one nothing is recorded, and the
//! trace context of a caller is passed on as it came.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::trace::{SpanId, TraceContext, TraceId};
use grantor_domain::{Clock, Entropy, Timestamp};
use metrics::counter;
use tokio::sync::mpsc;

/// How many spans may wait for the exporter. More are dropped and counted.
const QUEUE: usize = 8_192;

/// The share of traces that are recorded, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling(u32);

impl Sampling {
    /// All traces.
    pub const ALL: Self = Self(1_000_000);

    /// Parses a percentage from 0 to 100 with up to four decimal places.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(places) || places.len() > 4 {
            return None;
        }
        let whole: u32 = whole.parse().ok().filter(|it| *it <= 100)?;
        let places: u32 = format!("{places:0<4}").parse().ok()?;
        Some(Self(whole * 10_000 + places)).filter(|it| it.0 <= Self::ALL.0)
    }

    fn takes(self, random: [u8; 4]) -> bool {
        u32::from_le_bytes(random) % Self::ALL.0 < self.0
    }
}

/// Records spans. Clones share their queue; the default records nothing.
#[derive(Clone, Default)]
pub struct Tracer(Option<Arc<Recorder>>);

struct Recorder {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    sampling: Sampling,
    queue: mpsc::Sender<Span>,
}

/// What a span is about, as OpenTelemetry names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// Work inside this program.
    Internal,
    /// A request that this program answers.
    Server,
    /// A request that this program sends.
    Client,
    /// Work that an earlier request left.
    Consumer,
}

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

/// A span that has not ended.
#[derive(Clone, Copy, Debug)]
pub struct OpenSpan {
    /// What the work belongs to, and what its own parts belong to.
    pub context: TraceContext,
    parent: Option<SpanId>,
    at: Timestamp,
    started: Duration,
}

/// A span that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The span and its trace.
    pub context: TraceContext,
    /// The span that it is a part of.
    pub parent: Option<SpanId>,
    /// What was done.
    pub name: Cow<'static, str>,
    /// What it is about.
    pub kind: SpanKind,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// More about it. Never contains a secret or the text of a user.
    pub attributes: Vec<(&'static str, Attribute)>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// What is known of a span at its end.
#[derive(Clone, Debug)]
pub struct Ending {
    /// What was done.
    pub name: Cow<'static, str>,
    /// What it is about.
    pub kind: SpanKind,
    /// More about it.
    pub attributes: Vec<(&'static str, Attribute)>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

impl Tracer {
    /// Creates a tracer, and the queue of its spans.
    #[must_use]
    pub fn new(
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        sampling: Sampling,
    ) -> (Self, mpsc::Receiver<Span>) {
        let (queue, spans) = mpsc::channel(QUEUE);
        (Self(Some(Arc::new(Recorder { clock, entropy, sampling, queue }))), spans)
    }

    /// Begins a request with this `traceparent`. Returns what the request belongs to, and its span
    /// if it is recorded. The caller decides whether its trace is, as everywhere.
    #[must_use]
    pub fn receive(&self, traceparent: Option<&str>) -> (Option<TraceContext>, Option<OpenSpan>) {
        let parent = traceparent.and_then(TraceContext::parse);
        let span = match parent {
            Some(parent) => self.child(Some(parent)),
            None => self.root(),
        };
        (span.map(|it| it.context).or(parent), span)
    }

    /// Begins a part of what this context stands for, if its trace is recorded.
    #[must_use]
    pub fn child(&self, parent: Option<TraceContext>) -> Option<OpenSpan> {
        let (recorder, parent) = (self.0.as_ref()?, parent.filter(|it| it.sampled)?);
        Some(recorder.open(parent.trace, Some(parent.span)))
    }

    /// Begins a trace, if it is one of those to record.
    #[must_use]
    pub fn root(&self) -> Option<OpenSpan> {
        let recorder = self.0.as_ref()?;
        if !recorder.sampling.takes(recorder.entropy.bytes()) {
            return None;
        }
        let trace = TraceId::from_random(recorder.entropy.bytes());
        Some(recorder.open(trace, None))
    }

    /// Records a part that began at this time of the monotonic clock and ends now.
    pub fn record(
        &self,
        parent: Option<TraceContext>,
        started: Duration,
        ending: impl FnOnce() -> Ending,
    ) {
        let Some(recorder) = &self.0 else { return };
        let Some(mut span) = self.child(parent) else { return };
        span.at = span.at.minus(recorder.clock.monotonic().saturating_sub(started));
        span.started = started;
        self.end(span, ending());
    }

    /// Ends a span.
    pub fn end(&self, span: OpenSpan, ending: Ending) {
        let Some(recorder) = &self.0 else { return };
        let duration = recorder.clock.monotonic().saturating_sub(span.started);
        let (OpenSpan { context, parent, at, .. }, Ending { name, kind, attributes, failure }) =
            (span, ending);
        let ended = Span { context, parent, name, kind, at, duration, attributes, failure };
        if recorder.queue.try_send(ended).is_err() {
            counter!("grantor_spans_dropped_total").increment(1);
        }
    }
}

impl Recorder {
    fn open(&self, trace: TraceId, parent: Option<SpanId>) -> OpenSpan {
        let span = SpanId::from_random(self.entropy.bytes());
        let context = TraceContext { trace, span, sampled: true };
        OpenSpan { context, parent, at: self.clock.now(), started: self.clock.monotonic() }
    }
}

impl std::fmt::Debug for Tracer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tracer").field("records", &self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_becomes_millionths() {
        for (text, millionths) in
            [("0", 0), ("100", 1_000_000), ("10", 100_000), ("0.5", 5_000), ("0.0001", 1)]
        {
            assert_eq!(Sampling::parse(text), Some(Sampling(millionths)), "{text}");
        }
        for text in ["", "-1", "101", "100.1", "1.", ".5", "1e2", "0.00001", "ten"] {
            assert_eq!(Sampling::parse(text), None, "{text}");
        }
    }

    #[test]
    fn none_and_all_are_exact() {
        let none = Sampling(0);
        for random in [[0; 4], [255; 4], [7, 0, 0, 0]] {
            assert!(Sampling::ALL.takes(random) && !none.takes(random));
        }
    }

    #[test]
    fn without_an_exporter_a_context_passes_through() {
        let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let (context, span) = Tracer::default().receive(Some(caller));
        assert_eq!(context.map(|it| it.to_string()).as_deref(), Some(caller));
        assert!(span.is_none());
        assert!(Tracer::default().receive(None).0.is_none());
    }
}
