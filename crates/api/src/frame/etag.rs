//! Entity tags: what a caller has, and whether it is still what we have (RFC 9110).

use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::compression::ENCODED;

/// A strong tag from parts that together change whenever the answer does.
#[must_use]
pub fn strong(parts: &[&str]) -> Option<ETag> {
    format!("\"{}\"", parts.join("-")).parse().ok()
}

/// The answer with its tag, or 304 without a body when the caller has it already.
pub fn conditional(request: &HeaderMap, tag: Option<ETag>, answer: impl IntoResponse) -> Response {
    let Some(tag) = tag else { return answer.into_response() };
    let fresh = plain(request, &header::IF_NONE_MATCH)
        .typed_get::<IfNoneMatch>()
        .is_some_and(|condition| !condition.precondition_passes(&tag));
    let mut response = answer.into_response();
    if fresh {
        let headers = std::mem::take(response.headers_mut());
        response = StatusCode::NOT_MODIFIED.into_response();
        *response.headers_mut() = headers;
        response.headers_mut().remove(http::header::CONTENT_TYPE);
        response.headers_mut().remove(http::header::CONTENT_LENGTH);
    }
    response.headers_mut().typed_insert(tag);
    response
}

/// The strong tags a change requires one of; nothing where it requires none.
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

/// The condition with the tags of compressed answers turned into those of what was compressed.
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
