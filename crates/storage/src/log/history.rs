//! The history of a license: the entries about it in a tenant's log.

use grantor_domain::id::{LicenseId, LogId, TenantId};
use grantor_domain::page::{Listing, Page};

use super::{LogRecord, find};
use crate::statement::sql;
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Lists changes of a license, its images and its permissions, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    license: LicenseId,
    page: Page,
) -> Result<Listing<LogRecord>> {
    // Selects only ids, which are all in the index: for whole rows `SQLite` would scan the tenant's
    // entire log.
    let ids: Vec<LogId> = tx.query(
        sql!(
            "SELECT log_id FROM log_entries
             WHERE tenant_id = $1 AND license_id = $2 AND license_id IS NOT NULL
             ORDER BY created_at DESC, log_id DESC LIMIT $3 OFFSET $4"
        ),
        params![tenant, license, page.size() + 1, page.offset()],
        only_column,
    )?;
    let found = total::listing(page, ids, || count(tx, tenant, license))?;
    let mut items = Vec::with_capacity(found.items.len());
    for id in &found.items {
        items.extend(find(tx, tenant, *id)?);
    }
    Ok(found.with_items(|_| items))
}

/// Counts the entries up to a bound.
fn count(tx: &mut Tx<'_>, tenant: TenantId, license: LicenseId) -> Result<Total> {
    let found: Option<u32> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT log_id FROM log_entries
               WHERE tenant_id = $1 AND license_id = $2 AND license_id IS NOT NULL
               LIMIT $3) found"
        ),
        params![tenant, license, BOUND],
        only_column,
    )?;
    let found = found.unwrap_or_default();
    Ok(if found < BOUND { Total::Exact(found.into()) } else { Total::About(found.into()) })
}
