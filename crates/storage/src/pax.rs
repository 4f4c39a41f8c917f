//! PAX (ingest keys of platforms). Revoked ones stay visible.

use grantor_domain::Timestamp;
use grantor_domain::id::{PaxId, PlatformId, TeamId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::pax::{Pax, PaxName, PaxStatus};

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// A PAX with details of its platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPax {
    /// The PAX.
    pub pax: Pax,
    /// The platform's name, also after it was deleted.
    pub platform_name: String,
    /// The team responsible for the platform.
    pub team: Option<TeamId>,
}

/// A query for a tenant's PAX.
#[derive(Clone, Copy, Debug)]
pub struct PaxQuery {
    /// Filter by platform.
    pub platform: Option<PlatformId>,
    /// Filter by status.
    pub status: Option<PaxStatus>,
    /// The page.
    pub page: Page,
}

/// Inserts a PAX.
pub fn insert(tx: &mut Tx<'_>, pax: &Pax) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO pax (pax_id, tenant_id, platform_id, name, scopes, status, request_count,
               created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7)"
        ),
        params![
            pax.id,
            pax.tenant,
            pax.platform,
            pax.name.as_str(),
            pax.scopes.to_string(),
            pax.status.name(),
            pax.created_at,
        ],
    )?;
    Ok(())
}

/// Returns a tenant's PAX.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: PaxId) -> Result<Option<ListedPax>> {
    Ok(select(tx, 0, params![id, tenant])?.pop())
}

/// Lists the tenant's PAX that match, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, query: PaxQuery) -> Result<Listing<ListedPax>> {
    let (platform, status) = (query.platform, query.status.map(PaxStatus::name));
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM pax WHERE tenant_id = $1
               AND (CAST($2 AS uuid) IS NULL OR platform_id = $2)
               AND (CAST($3 AS text) IS NULL OR status = $3)"
        ),
        params![tenant, platform, status],
        only_column,
    )?;
    let page = query.page;
    let items = select(tx, 1, params![tenant, platform, status, page.size(), page.offset()])?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Counts one use of a PAX.
pub fn count(tx: &mut Tx<'_>, id: PaxId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pax SET request_count = request_count + 1, last_accessed_at = $2
             WHERE pax_id = $1"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// Revokes a PAX for good.
pub fn revoke(tx: &mut Tx<'_>, id: PaxId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pax SET status = 'revoked', updated_at = $2
             WHERE pax_id = $1 AND status = 'active'"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// Lists the active PAX of a platform.
pub fn list_active_of(tx: &mut Tx<'_>, platform: PlatformId) -> Result<Vec<PaxId>> {
    tx.query(
        sql!("SELECT pax_id FROM pax WHERE platform_id = $1 AND status = 'active'"),
        params![platform],
        only_column,
    )
}

/// Makes a PAX of a platform active that was revoked with the platform.
pub fn restore(tx: &mut Tx<'_>, platform: PlatformId, id: PaxId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE pax SET status = 'active', updated_at = $3
             WHERE pax_id = $1 AND platform_id = $2 AND status = 'revoked'"
        ),
        params![id, platform, now],
    )?;
    Ok(())
}

/// Revokes every PAX of a platform and returns their number.
pub fn revoke_all(tx: &mut Tx<'_>, platform: PlatformId, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE pax SET status = 'revoked', updated_at = $2
             WHERE platform_id = $1 AND status = 'active'"
        ),
        params![platform, now],
    )
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<ListedPax>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT x.pax_id, x.tenant_id, x.platform_id, x.name, x.scopes, x.status,
               x.request_count, x.last_accessed_at, x.created_at, p.name AS platform_name, p.team_id
             FROM pax x JOIN platforms p ON p.platform_id = x.platform_id WHERE ",
            [
                "x.pax_id = $1 AND x.tenant_id = $2",
                "x.tenant_id = $1 AND (CAST($2 AS uuid) IS NULL OR x.platform_id = $2)
                   AND (CAST($3 AS text) IS NULL OR x.status = $3)
                 ORDER BY x.created_at DESC, x.pax_id DESC LIMIT $4 OFFSET $5",
            ],
            ""
        ),
        key,
        read,
    )
}

fn read(row: &Row<'_>) -> Result<ListedPax> {
    let fault = |what: &str| Error::Fault(format!("invalid PAX: {what}"));
    let pax = Pax {
        id: row.get("pax_id")?,
        tenant: row.get("tenant_id")?,
        platform: row.get("platform_id")?,
        name: PaxName::parse(&row.get::<String>("name")?).map_err(|it| fault(&it))?,
        scopes: row.get::<String>("scopes")?.parse().map_err(Error::Fault)?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        request_count: row.get("request_count")?,
        last_accessed_at: row.get("last_accessed_at")?,
        created_at: row.get("created_at")?,
    };
    Ok(ListedPax { pax, platform_name: row.get("platform_name")?, team: row.get("team_id")? })
}
