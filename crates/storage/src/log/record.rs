//! The history of one record: the changes in a tenant's log that are about it. Licenses have their own
//! (`history`).

use grantor_domain::id::{LogId, TenantId};
use grantor_domain::page::{Listing, Page};

use super::{LogRecord, find};
use crate::statement::sql;
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Lists the changes of a record, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    record: &str,
    page: Page,
) -> Result<Listing<LogRecord>> {
    // Selects only ids, which are all in the index: for whole rows `SQLite` would scan the tenant's
    // entire log.
    let ids: Vec<LogId> = tx.query(
        sql!(
            "SELECT log_id FROM log_entries
             WHERE tenant_id = $1 AND resource_id = $2 AND resource_id IS NOT NULL
               AND class = 'audit' AND license_id IS NULL
             ORDER BY created_at DESC, log_id DESC LIMIT $3 OFFSET $4"
        ),
        params![tenant, record, page.size() + 1, page.offset()],
        only_column,
    )?;
    let mut items = Vec::with_capacity(ids.len());
    for id in ids {
        items.extend(find(tx, tenant, id)?);
    }
    total::listing(page, items, || count(tx, tenant, record))
}

/// Counts them up to a limit.
fn count(tx: &mut Tx<'_>, tenant: TenantId, record: &str) -> Result<Total> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT log_id FROM log_entries
               WHERE tenant_id = $1 AND resource_id = $2 AND resource_id IS NOT NULL
                 AND class = 'audit' AND license_id IS NULL
               ORDER BY created_at DESC, log_id DESC LIMIT $3) newest"
        ),
        params![tenant, record, BOUND],
        only_column,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(if total < u64::from(BOUND) { Total::Exact(total) } else { Total::About(total) })
}
