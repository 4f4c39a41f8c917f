//! What both surfaces share of licenses: the entity tags by which callers know a version.

use grantor_domain::license::LicenseStatus;
use grantor_domain::permission::PermissionRole;
use grantor_service::license::{Expected, Seen};
use headers::ETag;
use http::HeaderMap;

use crate::frame::etag;

/// The tag of a license as somebody sees it, with what is shown beside it.
pub(crate) fn tag(
    version: u32,
    status: LicenseStatus,
    role: PermissionRole,
    with: &str,
) -> Option<ETag> {
    etag::strong(&[&version.to_string(), status.name(), role.name(), with])
}

/// The tag of a license that is shown by itself.
pub(crate) fn plain_tag(seen: &Seen) -> Option<ETag> {
    tag(seen.shown.license.version, seen.status, seen.role, "plain")
}

/// The versions and statuses of `If-Match`.
pub(crate) fn expected(headers: &HeaderMap) -> Expected {
    let read = |tag: String| {
        let mut parts = tag.split('-');
        let version = parts.next()?.parse().ok()?;
        Some((version, parts.next()?.parse::<LicenseStatus>().ok()?))
    };
    Expected(etag::required(headers).map(|tags| tags.into_iter().filter_map(read).collect()))
}
