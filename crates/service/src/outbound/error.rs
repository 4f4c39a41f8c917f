//! What can go wrong on the way out. Every text may be shown to the tenant whose URL it was: none
//! names a resolved address or repeats what the other side said.

use std::error::Error as StdError;
use std::io;

use grantor_domain::network::Refusal;

use super::screen::Destination;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum OutboundError {
    /// The destination is not allowed; nothing was connected to it.
    #[error("the URL {0}")]
    Refused(#[from] Refusal),
    /// The host name has no address.
    #[error("the host name could not be resolved")]
    Dns,
    /// No connection came about.
    #[error("the connection failed")]
    Connect,
    /// The TLS handshake failed.
    #[error("the secure connection failed, is the certificate valid?")]
    Tls,
    /// It took too long.
    #[error("no complete answer came in time")]
    Timeout,
    /// Headers or body exceed their limit.
    #[error("the answer is too large")]
    TooLarge,
    /// One redirect too many.
    #[error("there were too many redirects")]
    TooManyRedirects,
    /// What came back is not HTTP, has headers beyond measure, or broke off.
    #[error("the answer could not be read as HTTP")]
    Protocol,
}

impl OutboundError {
    /// Finds the kind of a failure; its detail, which may name addresses, goes to the log alone.
    pub(super) fn classify(error: reqwest::Error, destination: &Destination) -> Self {
        // The URL may carry a secret in its path or query.
        let error = error.without_url();
        let kind = kind(&error);
        let host = destination.url().host_str();
        let cause = causes(&error).last().map(ToString::to_string);
        tracing::debug!(host, %error, cause, ?kind, "outbound request failed");
        kind
    }
}

fn kind(error: &reqwest::Error) -> OutboundError {
    // What our resolver said travels inside the connector's error.
    if let Some(ours) = causes(error).find_map(|cause| cause.downcast_ref::<OutboundError>()) {
        *ours
    } else if error.is_timeout() {
        OutboundError::Timeout
    } else if error.is_connect() {
        if causes(error).any(is_handshake) { OutboundError::Tls } else { OutboundError::Connect }
    } else {
        OutboundError::Protocol
    }
}

/// While a connection is made only the TLS handshake reads, so bad data or an early end is its.
fn is_handshake(cause: &(dyn StdError + 'static)) -> bool {
    let Some(error) = cause.downcast_ref::<io::Error>() else { return false };
    // The connector wraps the error in another of its type, whose `source` skips the inner one.
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
        || error.get_ref().is_some_and(|inner| is_handshake(inner))
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}
