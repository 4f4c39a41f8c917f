//! Compression of what is worth it. Never of what carries secrets: its size would tell of them.

use http::header;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate as _, SizeAbove};

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

/// Compresses answers of a kilobyte and more with gzip.
#[must_use]
pub fn layer() -> CompressionLayer<Compressed> {
    let predicate = SizeAbove::new(1_024).and(NotForContentType::IMAGES).and(NotSecret);
    CompressionLayer::new().gzip(true).compress_when(predicate)
}
