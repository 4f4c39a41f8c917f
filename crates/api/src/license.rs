//! Entity tags of licenses, shared by both APIs.

use grantor_domain::license::LicenseStatus;
use grantor_service::licensing::license::{Expected, LicenseView};
use headers::ETag;
use http::HeaderMap;

use crate::frame::etag;
use crate::render_cache::Key;

/// Returns the tag of one representation of a license. It depends on the caller's role and on the
/// included parts.
pub(crate) fn tag_of(key: &Key, included: &str) -> Option<ETag> {
    etag::strong(&[&key.version.to_string(), key.status.name(), key.role.name(), included])
}

/// Returns the tag of a license without its images.
pub(crate) fn plain_tag(seen: &LicenseView) -> Option<ETag> {
    tag_of(&Key::of_view(seen), "plain")
}

/// Returns the versions and statuses listed in `If-Match`.
pub(crate) fn expected(headers: &HeaderMap) -> Expected {
    let read = |tag: String| {
        let mut parts = tag.split('-');
        let version = parts.next()?.parse().ok()?;
        Some((version, parts.next()?.parse::<LicenseStatus>().ok()?))
    };
    Expected(etag::required(headers).map(|tags| tags.into_iter().filter_map(read).collect()))
}
