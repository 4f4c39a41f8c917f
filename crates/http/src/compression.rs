//! Response compression. Responses with secrets are never compressed, because their size would leak
//! information (BREACH).

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use http::{HeaderValue, header};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate as _, SizeAbove};

/// The suffix of a compressed response's entity tag.
pub const ENCODED: &str = "-gzip\"";

/// The predicate for responses to compress.
pub type Compressed = And<And<SizeAbove, NotForContentType>, NotSecret>;

/// Excludes `no-store` responses.
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

/// Compresses responses of 1 KiB and more with gzip. A compressed response is another
/// representation, so its strong entity tag differs (RFC 9110 section 8.8.3).
pub fn compressed(router: Router) -> Router {
    let predicate = SizeAbove::new(1_024).and(NotForContentType::IMAGES).and(NotSecret);
    let layer: CompressionLayer<Compressed> =
        CompressionLayer::new().gzip(true).compress_when(predicate);
    router.layer(layer).layer(map_response(mark_encoded_tag))
}

async fn mark_encoded_tag(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let encoded = headers.get(header::CONTENT_ENCODING).is_some_and(|it| it == "gzip");
    let tag = headers.get(header::ETAG).and_then(|it| it.to_str().ok());
    if let Some(tag) = tag.filter(|tag| encoded && !tag.starts_with("W/"))
        && let Some(open) = tag.strip_suffix('"')
        && let Ok(encoded_tag) = HeaderValue::from_str(&format!("{open}{ENCODED}"))
    {
        headers.insert(header::ETAG, encoded_tag);
    }
    response
}
