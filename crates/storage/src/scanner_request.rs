//! Requests for scanners: platforms whose organizations asked staff for a pod and have none yet.

use grantor_domain::Timestamp;
use grantor_domain::id::{PlatformId, TenantId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// A platform that waits for a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPlatform {
    /// The platform.
    pub platform: PlatformId,
    /// The platform's name.
    pub name: String,
    /// The platform's domain.
    pub domain: String,
    /// The platform's tenant.
    pub tenant: TenantId,
    /// The tenant's name.
    pub tenant_name: String,
    /// When the organization asked.
    pub requested_at: Timestamp,
}

/// Stores the request. Returns false if the organization has already asked.
pub fn insert(tx: &mut Tx<'_>, platform: PlatformId, now: Timestamp) -> Result<bool> {
    let inserted = tx.execute(
        sql!(
            "INSERT INTO scanner_requests (platform_id, requested_at) VALUES ($1, $2)
             ON CONFLICT (platform_id) DO NOTHING"
        ),
        params![platform, now],
    )?;
    Ok(inserted > 0)
}

/// Returns when the organization asked for a pod of this platform, if the platform still waits.
pub fn find(tx: &mut Tx<'_>, platform: PlatformId) -> Result<Option<Timestamp>> {
    tx.find(
        sql!("SELECT requested_at FROM scanner_requests WHERE platform_id = $1"),
        params![platform],
        only_column,
    )
}

/// Lists the platforms that wait, longest first.
pub fn list(tx: &mut Tx<'_>, at_most: u32) -> Result<Vec<WaitingPlatform>> {
    tx.query(
        sql!(
            "SELECT r.platform_id, p.name, p.domain, p.tenant_id, t.name AS tenant_name,
               r.requested_at
             FROM scanner_requests r JOIN platforms p ON p.platform_id = r.platform_id
             JOIN tenants t ON t.tenant_id = p.tenant_id
             WHERE p.deleted_at IS NULL
             ORDER BY r.requested_at, r.platform_id LIMIT $1"
        ),
        params![at_most],
        |row| {
            Ok(WaitingPlatform {
                platform: row.get("platform_id")?,
                name: row.get("name")?,
                domain: row.get("domain")?,
                tenant: row.get("tenant_id")?,
                tenant_name: row.get("tenant_name")?,
                requested_at: row.get("requested_at")?,
            })
        },
    )
}

/// Deletes the request of a platform that got a pod or was deleted.
pub fn delete(tx: &mut Tx<'_>, platform: PlatformId) -> Result<()> {
    tx.execute(sql!("DELETE FROM scanner_requests WHERE platform_id = $1"), params![platform])?;
    Ok(())
}
