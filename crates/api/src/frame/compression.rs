//! Compression of what is worth it. Never of what carries secrets: its size would tell of them.

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use http::{HeaderValue, header};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate as _, SizeAbove};

/// How the tag of a compressed answer ends.
pub(super) const ENCODED: &str = "-gzip\"";

/// Which answers are compressed.
pub type Compressed = And<And<SizeAbove, NotForContentType>, NotSecret>;

/// Says no to answers that must not be stored.
#[derive(Clone, Copy, Debug)]
pub struct NotSecret;

impl tower_http::compression::predicate::Predicate for NotSecret {
    fn should_compress<B>(&self, response: &http::Response<B>) -> bool
    where
        B: http_body::Body,
    {
        let control = response.headers().get(header::CACHE_CONTROL);
        !control.and_then(|it| it.to_str().ok()).is_some_and(|it| it.contains("no-store"))
    }
}

/// Compresses answers of a kilobyte and more with gzip. A compressed answer is another
/// representation, so its strong tag differs too (RFC 9110 section 8.8.3).
pub(crate) fn compressed(router: Router) -> Router {
    let predicate = SizeAbove::new(1_024).and(NotForContentType::IMAGES).and(NotSecret);
    let layer: CompressionLayer<Compressed> =
        CompressionLayer::new().gzip(true).compress_when(predicate);
    router.layer(layer).layer(map_response(tell_encoding))
}

async fn tell_encoding(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let encoded = headers.get(header::CONTENT_ENCODING).is_some_and(|it| it == "gzip");
    let tag = headers.get(header::ETAG).and_then(|it| it.to_str().ok());
    if let Some(tag) = tag.filter(|tag| encoded && !tag.starts_with("W/"))
        && let Some(open) = tag.strip_suffix('"')
        && let Ok(own) = HeaderValue::from_str(&format!("{open}{ENCODED}"))
    {
        headers.insert(header::ETAG, own);
    }
    response
}
