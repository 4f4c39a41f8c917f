//! What is sent and what comes back, read piece by piece within its limits.

use reqwest::header::HeaderMap;
use reqwest::{Method, Response, StatusCode, Url};

use super::error::OutboundError;
use super::purpose::{Overflow, Terms};

/// All header names and values of an answer together.
pub(super) const MAX_HEADER_BYTES: u32 = 64 * 1024;

/// A request to send.
#[derive(Clone, Debug)]
pub struct OutboundRequest {
    /// The method.
    pub method: Method,
    /// The URL as the tenant gave it; it is screened when sent.
    pub url: String,
    /// Headers besides those of the client itself.
    pub headers: HeaderMap,
    /// The body; empty for none.
    pub body: Vec<u8>,
}

impl OutboundRequest {
    /// A request to read.
    pub fn get(url: impl Into<String>) -> Self {
        Self { method: Method::GET, url: url.into(), headers: HeaderMap::new(), body: Vec::new() }
    }

    /// A request that brings a body.
    pub fn post(url: impl Into<String>, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self { method: Method::POST, url: url.into(), headers, body }
    }
}

/// An answer of any status.
#[derive(Clone, Debug)]
pub struct OutboundAnswer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as sent: never decompressed.
    pub body: Vec<u8>,
    /// Whether the body went on beyond the limit, or broke off where that is no error.
    pub truncated: bool,
    /// The URL that answered, after redirects: the base of relative links.
    pub url: Url,
}

/// Reads the body up to the limit, whatever length the answer claims. What has come so far is in
/// `answer`, should reading break off.
pub(super) async fn read(
    mut response: Response,
    terms: Terms,
    answer: &mut Option<OutboundAnswer>,
) -> Result<(), OutboundError> {
    let headers = std::mem::take(response.headers_mut());
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > MAX_HEADER_BYTES as usize {
        return Err(OutboundError::TooLarge);
    }
    let (status, url) = (response.status(), response.url().clone());
    let head = OutboundAnswer { status, headers, body: Vec::new(), truncated: false, url };
    let OutboundAnswer { body, truncated, .. } = answer.insert(head);
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        let room = terms.body - body.len();
        if chunk.len() > room {
            if terms.overflow == Overflow::Refuse {
                return Err(OutboundError::TooLarge);
            }
            body.extend_from_slice(&chunk[..room]);
            *truncated = true;
            break;
        }
        body.extend_from_slice(&chunk);
    }
    Ok(())
}

fn broken(error: &reqwest::Error) -> OutboundError {
    if error.is_timeout() { OutboundError::Timeout } else { OutboundError::Protocol }
}
