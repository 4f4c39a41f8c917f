//! Lists of sources, newest first.

use grantor_domain::Timestamp;
use grantor_domain::id::{SourceId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::source::{SourceQuery, SourceStatus, StaffSourceQuery};

use super::{ListedSource, load, select, with_talents};
use crate::overview::{self, Concern};
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::{Value, padded, params};
use crate::{Result, Tx, only_column};

/// How many tenants one statement looks up.
const AT_ONCE: usize = 10;

/// A source with its tenant's name, for staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffSource {
    /// The source.
    pub listed: ListedSource,
    /// The tenant's name.
    pub tenant_name: String,
}

/// Lists a tenant's matching sources.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    query: &SourceQuery,
) -> Result<Listing<ListedSource>> {
    let (size, offset) = (query.page.size() + 1, query.page.offset());
    let status = query.status.map(SourceStatus::name);
    let found = match status {
        None => select(tx, 1, params![tenant, size, offset])?,
        Some(status) => select(tx, 2, params![tenant, size, offset, status])?,
    };
    let found = with_talents(tx, found)?;
    total::listing(query.page, found, || match status {
        None => count(tx, 0, params![tenant, BOUND]),
        Some(status) => count(tx, 1, params![tenant, BOUND, status]),
    })
}

/// Lists matching sources of all tenants, for staff.
pub fn list_all(tx: &mut Tx<'_>, query: &StaffSourceQuery) -> Result<Listing<StaffSource>> {
    let found = if query.failing { list_failing(tx, query.page)? } else { page(tx, query)? };
    let names = names(tx, &found.items)?;
    let name = |tenant| names.iter().find(|(id, _)| *id == tenant).map(|(_, name)| name.clone());
    Ok(found.map(|listed| StaffSource {
        tenant_name: name(listed.source.tenant).unwrap_or_default(),
        listed,
    }))
}

/// A page of sources of all tenants, newest first.
fn page(tx: &mut Tx<'_>, query: &StaffSourceQuery) -> Result<Listing<ListedSource>> {
    let (size, offset) = (query.page.size() + 1, query.page.offset());
    let by = match query.stopped {
        Some(true) => 0,
        Some(false) => 1,
        None => 2,
    };
    let found = select(tx, 3 + by, params![size, offset])?;
    let found = with_talents(tx, found)?;
    total::listing(query.page, found, || count(tx, 2 + by, params![BOUND]))
}

/// A page of running sources whose feed cannot be read.
fn list_failing(tx: &mut Tx<'_>, page: Page) -> Result<Listing<ListedSource>> {
    let ids: Vec<SourceId> = tx.query(
        sql!(
            "SELECT s.source_id FROM watched_feeds f CROSS JOIN sources s
             WHERE f.failing_since >= 0 AND s.feed_id = f.feed_id AND s.status = 'running'
               AND s.stopped_at IS NULL
             ORDER BY f.failing_since, f.feed_id, s.source_id LIMIT $1 OFFSET $2"
        ),
        params![page.size() + 1, page.offset()],
        only_column,
    )?;
    let mut found = load(tx, &ids)?;
    found.sort_by_key(|it| ids.iter().position(|id| *id == it.source.id));
    total::listing(page, found, || {
        let ever = Timestamp::from_micros(i64::MAX);
        let total = overview::count(tx, Concern::FailingSources, ever, BOUND)?;
        Ok(if total == u64::from(BOUND) { Total::About(total) } else { Total::Exact(total) })
    })
}

/// Counts up to [`BOUND`] sources.
fn count(tx: &mut Tx<'_>, by: usize, values: &[Value<'_>]) -> Result<Total> {
    let found: Option<i64> = tx.find(
        sql_choice!(
            by,
            "SELECT count(*) FROM (SELECT source_id FROM sources WHERE ",
            [
                "tenant_id = $1 LIMIT $2",
                "tenant_id = $1 AND status = $3 LIMIT $2",
                "stopped_at IS NOT NULL LIMIT $1",
                "stopped_at IS NULL LIMIT $1",
                "source_id IS NOT NULL LIMIT $1",
            ],
            ") found"
        ),
        values,
        only_column,
    )?;
    let found = found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(if found == u64::from(BOUND) { Total::About(found) } else { Total::Exact(found) })
}

/// The names of the tenants of these sources.
fn names(tx: &mut Tx<'_>, found: &[ListedSource]) -> Result<Vec<(TenantId, String)>> {
    let mut ids: Vec<TenantId> = found.iter().map(|it| it.source.tenant).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut names = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        names.extend(tx.query(
            sql!(
                "SELECT tenant_id, name FROM tenants
                 WHERE tenant_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("tenant_id")?, row.get("name")?)),
        )?);
    }
    Ok(names)
}
