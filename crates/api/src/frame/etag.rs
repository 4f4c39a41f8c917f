//! Entity tags of versioned records.

use grantor_domain::{Error, Result};
pub use grantor_http::etag::{conditional, hash, required, strong};
use http::{HeaderMap, header};
use serde::Serialize;

use crate::frame::describe::ResponseOf;

/// Returns a record as JSON with its tag: the version, which a change can require, and a hash, for
/// records that are shown differently without a change of their version.
pub(crate) fn versioned<T: Serialize>(
    request: &HeaderMap,
    version: u32,
    record: &T,
) -> Result<ResponseOf<T>> {
    let body = serde_json::to_vec(record).map_err(|error| Error::internal(error.to_string()))?;
    let tag = strong(&[&version.to_string(), &hash(&body)]);
    let response = ([(header::CONTENT_TYPE, "application/json")], body);
    Ok(ResponseOf::new(conditional(request, tag, response)))
}

/// Returns the versions in the tags of `If-Match`, or `None` if there is no condition.
pub(crate) fn required_versions(request: &HeaderMap) -> Option<Vec<u32>> {
    let version = |tag: String| tag.split('-').next()?.parse().ok();
    required(request).map(|tags| tags.into_iter().filter_map(version).collect())
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;

    use super::*;

    #[test]
    fn a_record_is_tagged_with_its_version_and_a_hash() {
        let response = versioned(&HeaderMap::new(), 7, &"record").unwrap().into_response();
        let tag = response.headers()[header::ETAG].to_str().unwrap();
        let hash = hash(b"\"record\"");
        assert_eq!((tag, hash.len()), (&*format!("\"7-{hash}\""), 32));
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        let condition = format!("{tag}, \"x-1\", \"8\"").parse().unwrap();
        let condition = HeaderMap::from_iter([(header::IF_MATCH, condition)]);
        let versions = required_versions(&condition);
        assert_eq!(versions, Some(vec![7, 8]));
    }
}
