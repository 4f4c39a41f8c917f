//! What became of one license: entries of a tenant's log that are about it.

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::page::{Listing, Page};

use super::{LogRecord, read};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Changes of a license, of its images and of rights on it, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    license: LicenseId,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM log_entries
             WHERE tenant_id = $1 AND license_id = $2 AND license_id IS NOT NULL"
        ),
        params![tenant, license],
        |row| row.get(0),
    )?;
    let items = tx.query(
        sql!(
            "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details
             FROM log_entries
             WHERE tenant_id = $1 AND license_id = $2 AND license_id IS NOT NULL
             ORDER BY created_at DESC, log_id DESC LIMIT $3 OFFSET $4"
        ),
        params![tenant, license, page.size(), page.offset()],
        read,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing { page, items, total })
}
