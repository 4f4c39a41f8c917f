//! The trace context of the W3C: which trace a piece of work belongs to, as the header
//! `traceparent` carries it. It also travels with events and chores, so that what happens later
//! belongs to the same trace.

use std::fmt;

use crate::hex;

/// The name of the header.
pub const TRACEPARENT: &str = "traceparent";

/// The id of a trace. Never all zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceId([u8; 16]);

/// The id of a span. Never all zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanId([u8; 8]);

impl TraceId {
    /// Makes an id from random bytes.
    #[must_use]
    pub fn from_random(mut bytes: [u8; 16]) -> Self {
        bytes[15] |= u8::from(bytes == [0; 16]);
        Self(bytes)
    }
}

impl SpanId {
    /// Makes an id from random bytes.
    #[must_use]
    pub fn from_random(mut bytes: [u8; 8]) -> Self {
        bytes[7] |= u8::from(bytes == [0; 8]);
        Self(bytes)
    }
}

/// A span, and the trace that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// The trace.
    pub trace: TraceId,
    /// The span.
    pub span: SpanId,
    /// Whether the trace is recorded.
    pub sampled: bool,
}

impl TraceContext {
    /// Reads a `traceparent` of any version; `None` if it is not valid, as if there were none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (version, trace) = (parts.next()?, parts.next()?);
        let (span, flags) = (parts.next()?, parts.next()?);
        let [version] = fixed(version)?;
        // Later versions may have more parts, and 255 is not a version.
        if version == u8::MAX || (version == 0 && parts.next().is_some()) {
            return None;
        }
        let [flags] = fixed(flags)?;
        let (trace, span) = (fixed(trace)?, fixed(span)?);
        if trace == [0; 16] || span == [0; 8] {
            return None;
        }
        Some(Self { trace: TraceId(trace), span: SpanId(span), sampled: flags & 1 == 1 })
    }
}

fn fixed<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex::decode(text)?.try_into().ok()
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = u8::from(self.sampled);
        write!(f, "00-{}-{}-{flags:02x}", self.trace, self.span)
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_context_is_written_as_it_was_read() {
        let context = TraceContext::parse(EXAMPLE).unwrap();
        assert_eq!(context.to_string(), EXAMPLE);
        assert_eq!(context.trace.to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert!(context.sampled);
        assert!(!TraceContext::parse(&EXAMPLE.replace("-01", "-00")).unwrap().sampled);
    }

    #[test]
    fn later_versions_are_read_as_far_as_they_are_known() {
        let later = EXAMPLE.replacen("00-", "cc-", 1) + "-what-comes-later";
        assert_eq!(TraceContext::parse(&later).unwrap().to_string(), EXAMPLE);
    }

    #[test]
    fn what_is_not_valid_is_no_context() {
        for text in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        ] {
            assert_eq!(TraceContext::parse(text), None, "{text}");
        }
    }

    #[test]
    fn random_ids_are_never_zero() {
        assert!(TraceId::from_random([0; 16]).to_string().ends_with("01"));
        assert!(SpanId::from_random([0; 8]).to_string().ends_with("01"));
    }
}
