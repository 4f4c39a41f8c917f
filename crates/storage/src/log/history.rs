//! The history of a license: the entries about it in a tenant's log.

use grantor_domain::id::{LicenseId, LogId, TenantId};
use grantor_domain::page::{Listing, Page};

use super::{LogRecord, find};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Lists changes of a license, its images and its permissions, newest first.
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
    // Selects only ids, which are all in the index: for whole rows `SQLite` would scan the tenant's
    // entire log.
    let ids: Vec<LogId> = tx.query(
        sql!(
            "SELECT log_id FROM log_entries
             WHERE tenant_id = $1 AND license_id = $2 AND license_id IS NOT NULL
             ORDER BY created_at DESC, log_id DESC LIMIT $3 OFFSET $4"
        ),
        params![tenant, license, page.size(), page.offset()],
        |row| row.get(0),
    )?;
    let mut items = Vec::with_capacity(ids.len());
    for id in ids {
        items.extend(find(tx, tenant, id)?);
    }
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}
