//! Requests and responses. Bodies are read in chunks, within their limits.

use reqwest::header::HeaderMap;
use reqwest::{Method, Response, StatusCode, Url};

use super::error::OutboundError;
use super::purpose::{Overflow, Terms};

/// The total length of all header names and values of a response.
pub(super) const MAX_HEADER_BYTES: u32 = 64 * 1024;

/// A request to send.
#[derive(Clone, Debug)]
pub struct OutboundRequest {
    /// The method.
    pub method: Method,
    /// The URL as the tenant entered it; it is screened when sent.
    pub url: String,
    /// Headers in addition to those of the client.
    pub headers: HeaderMap,
    /// The body; empty for none.
    pub body: Vec<u8>,
}

impl OutboundRequest {
    /// Creates a GET request.
    pub fn get(url: impl Into<String>) -> Self {
        Self { method: Method::GET, url: url.into(), headers: HeaderMap::new(), body: Vec::new() }
    }

    /// Creates a POST request.
    pub fn post(url: impl Into<String>, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self { method: Method::POST, url: url.into(), headers, body }
    }
}

/// A response of any status.
#[derive(Clone, Debug)]
pub struct OutboundResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as sent, never decompressed.
    pub body: Vec<u8>,
    /// Whether the body was longer than the limit, or ended early where that is not an error.
    pub truncated: bool,
    /// The URL after redirects: the base of relative links.
    pub url: Url,
}

/// Reads the body up to the limit, whatever length the response declares. If reading fails,
/// `answer` contains what was read so far.
pub(super) async fn read(
    mut response: Response,
    terms: Terms,
    answer: &mut Option<OutboundResponse>,
) -> Result<(), OutboundError> {
    let headers = std::mem::take(response.headers_mut());
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > MAX_HEADER_BYTES as usize {
        return Err(OutboundError::TooLarge);
    }
    let (status, url) = (response.status(), response.url().clone());
    let head = OutboundResponse { status, headers, body: Vec::new(), truncated: false, url };
    let OutboundResponse { body, truncated, .. } = answer.insert(head);
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        let left = terms.body - body.len();
        if chunk.len() > left {
            if terms.overflow == Overflow::Refuse {
                return Err(OutboundError::TooLarge);
            }
            body.extend_from_slice(&chunk[..left]);
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
