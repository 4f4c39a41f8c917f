//! Errors of outbound requests. The messages may be shown to the tenant whose URL it was: none
//! contains a resolved address or text from the other side.

use std::error::Error as StdError;
use std::io;

use grantor_domain::network::Refusal;

use super::screen::Destination;

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum OutboundError {
    /// The destination is not allowed; nothing was connected to it.
    #[error("the URL {0}")]
    Refused(#[from] Refusal),
    /// The host name has no address.
    #[error("the host name could not be resolved")]
    Dns,
    /// No connection was established.
    #[error("the connection failed")]
    Connect,
    /// The TLS handshake failed.
    #[error("the TLS connection failed: is the certificate valid?")]
    Tls,
    /// The request took too long.
    #[error("the request timed out")]
    Timeout,
    /// Headers or body exceed their limit.
    #[error("the response is too large")]
    TooLarge,
    /// There were too many redirects.
    #[error("there were too many redirects")]
    TooManyRedirects,
    /// The response is not HTTP, has too many headers, or ended early.
    #[error("the response is not valid HTTP")]
    Protocol,
}

impl OutboundError {
    /// Classifies a failure. Its details, which may contain addresses, are only logged.
    pub(super) fn classify(error: reqwest::Error, destination: &Destination) -> Self {
        // The URL may contain a secret in its path or query.
        let error = error.without_url();
        let kind = kind(&error);
        let host = destination.url().host_str();
        let cause = causes(&error).last().map(ToString::to_string);
        tracing::debug!(host, %error, cause, ?kind, "outbound request failed");
        kind
    }
}

fn kind(error: &reqwest::Error) -> OutboundError {
    // The connector's error wraps that of our resolver.
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

/// While connecting, only the TLS handshake reads, so invalid data or an early end is its failure.
fn is_handshake(cause: &(dyn StdError + 'static)) -> bool {
    let Some(error) = cause.downcast_ref::<io::Error>() else { return false };
    // The connector wraps the error in another `io::Error`, whose `source` skips the inner one.
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
        || error.get_ref().is_some_and(|inner| is_handshake(inner))
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}
