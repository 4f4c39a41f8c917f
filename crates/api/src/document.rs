//! Documents that stay the same while the server runs: made once, and sent as they are kept, plain or
//! compressed.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use grantor_domain::hex;
use grantor_service::idempotency::KeyedRequest;
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;

use crate::frame::etag;
use crate::frame::surface::Surface;
use crate::{ApiState, external, openapi};

/// How much of a document's hash is its tag.
const TAG_BYTES: usize = 16;

/// One document.
#[derive(Debug)]
pub(crate) struct Document {
    plain: Bytes,
    /// Nothing where compressing failed, which only memory can cause.
    gzipped: Option<Bytes>,
    tag: String,
}

impl Document {
    pub(crate) fn of(body: &impl Serialize) -> Self {
        let plain = serde_json::to_vec(body).unwrap_or_default();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzipped = encoder.write_all(&plain).and_then(|()| encoder.finish());
        let tag = hex::encode(&KeyedRequest::hash(None, &plain)[..TAG_BYTES]);
        Self { gzipped: gzipped.ok().map(Bytes::from), plain: plain.into(), tag }
    }

    /// The document as this request can read it, or 304 to whoever has it already.
    pub(crate) fn answer(&self, request: &HeaderMap, control: &'static str) -> Response {
        let gzipped = self.gzipped.as_ref().filter(|_| takes_gzip(request));
        let body = gzipped.unwrap_or(&self.plain).clone();
        let mut response = body.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if gzipped.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        etag::conditional(request, etag::strong(&[&self.tag]), response)
    }
}

/// Whether the caller reads gzip (RFC 9110 section 12.5.3).
fn takes_gzip(request: &HeaderMap) -> bool {
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

/// All of them. The first who asks makes one, unless [`Documents::make`] did.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    external: OnceLock<Document>,
    console: OnceLock<Document>,
    discovery: OnceLock<Document>,
}

impl Documents {
    /// Makes all of them: for a server that starts.
    pub(crate) fn make(state: &ApiState) {
        Self::openapi(state, Surface::External);
        Self::openapi(state, Surface::Console);
        Self::discovery(state);
    }

    /// The OpenAPI document of a surface.
    pub(crate) fn openapi(state: &ApiState, surface: Surface) -> &Document {
        let kept = match surface {
            Surface::External => &state.documents.external,
            Surface::Console => &state.documents.console,
        };
        let app = &state.app;
        kept.get_or_init(|| {
            Document::of(&openapi::document(surface, &app.public_url, &app.service_name))
        })
    }

    /// What `/.well-known/<service>` tells.
    pub(crate) fn discovery(state: &ApiState) -> &Document {
        state.documents.discovery.get_or_init(|| Document::of(&external::discovery(state)))
    }
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
            assert_eq!(takes_gzip(&headers), gzip, "{accepted}");
        }
    }
}
