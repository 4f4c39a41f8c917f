//! Documents that don't change while the server runs: built once, cached plain and gzipped.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;

use super::etag;

/// A cached document.
#[derive(Debug)]
pub(crate) struct Document {
    plain: Bytes,
    /// `None` if compression failed.
    gzipped: Option<Bytes>,
    tag: String,
}

impl Document {
    pub(crate) fn new(body: &impl Serialize) -> Self {
        let plain = serde_json::to_vec(body).unwrap_or_default();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzipped = encoder.write_all(&plain).and_then(|()| encoder.finish());
        let tag = etag::hash(&plain);
        Self { gzipped: gzipped.ok().map(Bytes::from), plain: plain.into(), tag }
    }

    /// The document as it was built.
    pub(crate) fn plain(&self) -> Bytes {
        self.plain.clone()
    }

    /// Returns the document in an encoding the client accepts, or 304 if the client's copy is
    /// current.
    pub(crate) fn response(&self, request: &HeaderMap, cache_control: &'static str) -> Response {
        let gzipped = self.gzipped.as_ref().filter(|_| accepts_gzip(request));
        let body = gzipped.unwrap_or(&self.plain).clone();
        let mut response = body.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if gzipped.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        etag::conditional(request, etag::strong(&[&self.tag]), response)
    }
}

/// Whether the client accepts gzip (RFC 9110 section 12.5.3).
fn accepts_gzip(request: &HeaderMap) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|it| it.to_str().ok());
    values.flat_map(|it| it.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality
            .trim()
            .strip_prefix("q=")
            .is_some_and(|it| it.trim().parse::<f32>().is_ok_and(|it| it <= 0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// All cached documents. Each is built on first use.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    /// The OpenAPI document of the external API.
    pub(crate) external: OnceLock<Document>,
    /// The OpenAPI document of the console API.
    pub(crate) console: OnceLock<Document>,
    /// The discovery document.
    pub(crate) discovery: OnceLock<Document>,
    /// The metadata of the receipt issuer.
    pub(crate) issuer: OnceLock<Document>,
    /// The metadata of the credential type of receipts.
    pub(crate) credential_type: OnceLock<Document>,
    /// The metadata of the authorization server.
    pub(crate) authorization_server: OnceLock<Document>,
    /// The metadata of the API as a resource that tokens give access to.
    pub(crate) protected_resource: OnceLock<Document>,
    /// The same of the MCP endpoint.
    pub(crate) protected_mcp: OnceLock<Document>,
    /// The vocabulary of uses.
    pub(crate) uses: OnceLock<Document>,
    /// The reservation of rights to text and data mining.
    pub(crate) mining: OnceLock<Document>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_whoever_reads_it() {
        for (accepted, gzip) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("deflate", false),
            ("gzip;q=0", false),
            ("gzip; q=0.0, br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(accepts_gzip(&headers), gzip, "{accepted}");
        }
    }
}
