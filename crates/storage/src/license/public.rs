//! The public licenses of one talent or one owner, for their pages in the catalog.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, TalentId, TenantId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// How many licenses such a page lists at most, over all of its pages.
pub const MAX_LISTED: u32 = 1_000;

/// Whose public licenses are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicOf {
    /// Those of a talent.
    Talent(TalentId),
    /// Those that a tenant owns.
    Owner(TenantId),
}

/// Lists public licenses, newest first: `size` of them after the first `offset`, up to
/// [`MAX_LISTED`].
pub fn list(
    tx: &mut Tx<'_>,
    of: PublicOf,
    now: Timestamp,
    (size, offset): (u32, i64),
) -> Result<Vec<LicenseId>> {
    let left = i64::from(MAX_LISTED).saturating_sub(offset).clamp(0, i64::from(size));
    if left == 0 {
        return Ok(vec![]);
    }
    match of {
        PublicOf::Talent(talent) => tx.query(
            sql!(
                "SELECT license_id FROM licenses
                 WHERE talent_id = $1 AND status = 'public' AND deleted_at IS NULL
                   AND (expires_at IS NULL OR expires_at > $2)
                 ORDER BY license_id DESC LIMIT $3 OFFSET $4"
            ),
            params![talent, now, left, offset],
            only_column,
        ),
        PublicOf::Owner(tenant) => tx.query(
            sql!(
                "SELECT license_id FROM licenses
                 WHERE tenant_id = $1 AND status = 'public' AND deleted_at IS NULL
                   AND (expires_at IS NULL OR expires_at > $2)
                 ORDER BY license_id DESC LIMIT $3 OFFSET $4"
            ),
            params![tenant, now, left, offset],
            only_column,
        ),
    }
}

/// Counts public licenses, up to [`MAX_LISTED`].
pub fn count(tx: &mut Tx<'_>, of: PublicOf, now: Timestamp) -> Result<u64> {
    let total: Option<i64> = match of {
        PublicOf::Talent(talent) => tx.find(
            sql!(
                "SELECT count(*) FROM (
                   SELECT 1 FROM licenses
                   WHERE talent_id = $1 AND status = 'public' AND deleted_at IS NULL
                     AND (expires_at IS NULL OR expires_at > $2) LIMIT $3) found"
            ),
            params![talent, now, MAX_LISTED],
            only_column,
        )?,
        PublicOf::Owner(tenant) => tx.find(
            sql!(
                "SELECT count(*) FROM (
                   SELECT 1 FROM licenses
                   WHERE tenant_id = $1 AND status = 'public' AND deleted_at IS NULL
                     AND (expires_at IS NULL OR expires_at > $2) LIMIT $3) found"
            ),
            params![tenant, now, MAX_LISTED],
            only_column,
        )?,
    };
    Ok(total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}
