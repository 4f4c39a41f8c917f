//! Entity tags and conditional requests (RFC 9110).

use axum::response::{IntoResponse, Response};
use grantor_domain::hex;
use grantor_service::operations::idempotency::KeyedRequest;
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::compression::ENCODED;

/// How many bytes of a body's hash are in its tag.
const HASH_BYTES: usize = 16;

/// Returns a strong tag made of parts that identify the representation.
#[must_use]
pub fn strong(parts: &[&str]) -> Option<ETag> {
    format!("\"{}\"", parts.join("-")).parse().ok()
}

/// Returns the part of a tag that identifies a body.
#[must_use]
pub fn hash(body: &[u8]) -> String {
    hex::encode(&KeyedRequest::hash(None, body)[..HASH_BYTES])
}

/// Returns the response with its tag, or 304 without a body if `If-None-Match` lists the tag.
pub fn conditional(request: &HeaderMap, tag: Option<ETag>, body: impl IntoResponse) -> Response {
    let Some(tag) = tag else { return body.into_response() };
    let mut response = body.into_response();
    if is_known(request, &tag) {
        let headers = std::mem::take(response.headers_mut());
        response = StatusCode::NOT_MODIFIED.into_response();
        *response.headers_mut() = headers;
        response.headers_mut().remove(http::header::CONTENT_TYPE);
        response.headers_mut().remove(http::header::CONTENT_LENGTH);
    }
    response.headers_mut().typed_insert(tag);
    response
}

/// Whether `If-None-Match` lists the tag.
#[must_use]
pub fn is_known(request: &HeaderMap, tag: &ETag) -> bool {
    plain(request, &header::IF_NONE_MATCH)
        .typed_get::<IfNoneMatch>()
        .is_some_and(|condition| !condition.precondition_passes(tag))
}

/// Returns the strong tags of `If-Match`, or `None` if there is no condition.
#[must_use]
pub fn required(request: &HeaderMap) -> Option<Vec<String>> {
    let values = plain(request, &header::IF_MATCH);
    let tags = values.values().filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    let tags: Vec<&str> = tags.map(str::trim).collect();
    if values.is_empty() || tags.contains(&"*") {
        return None;
    }
    let opaque = |tag: &&str| tag.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    Some(tags.iter().filter_map(opaque).collect())
}

/// Returns the condition with tags of compressed responses replaced by the uncompressed ones.
fn plain(request: &HeaderMap, name: &HeaderName) -> HeaderMap {
    let values = request.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let plain = values.filter_map(|value| HeaderValue::try_from(value.replace(ENCODED, "\"")).ok());
    plain.map(|value| (name.clone(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(http::HeaderName::from_static(name), value.parse().unwrap())])
    }

    #[test]
    fn a_known_tag_gets_no_body() {
        let answer = |condition: &str| {
            let tag = strong(&["7", "public"]);
            conditional(&headers("if-none-match", condition), tag, "body").status()
        };
        assert_eq!(answer("\"7-public\""), StatusCode::NOT_MODIFIED);
        assert_eq!(answer("\"1\", W/\"7-public\""), StatusCode::NOT_MODIFIED);
        assert_eq!(answer("*"), StatusCode::NOT_MODIFIED);
        assert_eq!(answer("\"7-public-gzip\""), StatusCode::NOT_MODIFIED);
        assert_eq!(answer("\"8-public\""), StatusCode::OK);
    }

    #[test]
    fn a_change_names_the_tags_it_requires() {
        let tags = |value: &str| required(&headers("if-match", value));
        assert_eq!((required(&HeaderMap::new()), tags("*")), (None, None));
        assert_eq!(tags("\"7-gzip\", W/\"8\", \"9\", x"), Some(vec!["7".into(), "9".into()]));
    }
}
