//! Queries for staff: all tenants, platforms and licenses, newest first.

use grantor_domain::Timestamp;
use grantor_domain::id::{PodId, TenantId, UserId};
use grantor_domain::license::{LicenseStatus, LicenseType};
use grantor_domain::organization::{OrganizationStatus, Plan, name_key};
use grantor_domain::page::{Listing, Page};
use grantor_domain::platform::Platform;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::search::SearchQuery;

use crate::license::index::{IndexQuery, Selection};
use crate::license::reader::Reader;
use crate::license::{self, LicenseRecord};
use crate::statement::sql;
use crate::tenant::{self, Tenant};
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column, platform};

/// Filters for tenants; `None` matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TenantFilter {
    /// A part of the name.
    pub search: Option<String>,
    /// The type.
    pub kind: Option<TenantType>,
    /// The status.
    pub status: Option<OrganizationStatus>,
    /// The plan.
    pub plan: Option<Plan>,
}

/// A tenant with its number of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTenant {
    /// The tenant.
    pub tenant: Tenant,
    /// Number of members, including inactive ones.
    pub member_count: u32,
}

/// Filters for platforms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformFilter {
    /// A part of the name or the domain.
    pub search: Option<String>,
    /// The owner.
    pub tenant: Option<TenantId>,
}

/// A platform with its owner's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPlatform {
    /// The platform.
    pub platform: Platform,
    /// The owner's name.
    pub owner_name: String,
    /// Its pod, if it has one.
    pub pod: Option<PodId>,
}

/// Filters for licenses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LicenseFilter {
    /// Words in its texts or names.
    pub search: Option<SearchQuery>,
    /// The owner.
    pub tenant: Option<TenantId>,
    /// The type.
    pub license_type: Option<LicenseType>,
    /// The current status.
    pub status: Option<LicenseStatus>,
}

/// Lists tenants.
pub fn tenants(
    tx: &mut Tx<'_>,
    filter: &TenantFilter,
    page: Page,
) -> Result<Listing<ListedTenant>> {
    let search = filter.search.as_deref().map(|it| part(&name_key(it)));
    let kind = filter.kind.map(TenantType::name);
    let status = filter.status.map(OrganizationStatus::name);
    let plan = filter.plan.map(Plan::name);
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM tenants
             WHERE (CAST($1 AS text) IS NULL OR name_key LIKE $1 ESCAPE '!')
               AND (CAST($2 AS text) IS NULL OR type = $2)
               AND (CAST($3 AS text) IS NULL OR status = $3)
               AND (CAST($4 AS text) IS NULL OR plan = $4)"
        ),
        params![search, kind, status, plan],
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT tenant_id, name, name_key, type, description, status, plan, created_at,
               (SELECT count(*) FROM memberships m
                WHERE m.tenant_id = tenants.tenant_id) AS member_count
             FROM tenants
             WHERE (CAST($1 AS text) IS NULL OR name_key LIKE $1 ESCAPE '!')
               AND (CAST($2 AS text) IS NULL OR type = $2)
               AND (CAST($3 AS text) IS NULL OR status = $3)
               AND (CAST($4 AS text) IS NULL OR plan = $4)
             ORDER BY created_at DESC, tenant_id DESC LIMIT $5 OFFSET $6"
        ),
        params![search, kind, status, plan, page.size(), page.offset()],
        |row| {
            Ok(ListedTenant { tenant: tenant::read(row)?, member_count: row.get("member_count")? })
        },
    )?;
    Ok(Listing::new(page, items, count(total)))
}

/// Returns one tenant as the list shows it.
pub fn tenant(tx: &mut Tx<'_>, id: TenantId) -> Result<Option<ListedTenant>> {
    tx.find(
        sql!(
            "SELECT tenant_id, name, name_key, type, description, status, plan, created_at,
               (SELECT count(*) FROM memberships m
                WHERE m.tenant_id = tenants.tenant_id) AS member_count
             FROM tenants WHERE tenant_id = $1"
        ),
        params![id],
        |row| {
            Ok(ListedTenant { tenant: tenant::read(row)?, member_count: row.get("member_count")? })
        },
    )
}

/// A member of a tenant, as staff see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffPerson {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub fullname: String,
    /// The person's address.
    pub email: String,
    /// The person's role in the tenant.
    pub role: Role,
    /// Whether the membership is active.
    pub active: bool,
    /// Since when the person is a member.
    pub joined_at: Timestamp,
}

/// Lists the members of a tenant in the order in which they joined.
pub fn people(tx: &mut Tx<'_>, tenant: TenantId, page: Page) -> Result<Listing<StaffPerson>> {
    let total: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM memberships WHERE tenant_id = $1"),
        params![tenant],
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT u.user_id, u.fullname, u.email, m.role, m.status, m.created_at
             FROM memberships m JOIN users u ON u.user_id = m.user_id
             WHERE m.tenant_id = $1 ORDER BY m.created_at, m.user_id LIMIT $2 OFFSET $3"
        ),
        params![tenant, page.size(), page.offset()],
        read_person,
    )?;
    Ok(Listing::new(page, items, count(total)))
}

/// Returns one member of a tenant.
pub fn person(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<Option<StaffPerson>> {
    tx.find(
        sql!(
            "SELECT u.user_id, u.fullname, u.email, m.role, m.status, m.created_at
             FROM memberships m JOIN users u ON u.user_id = m.user_id
             WHERE m.user_id = $2 AND m.tenant_id = $1"
        ),
        params![tenant, user],
        read_person,
    )
}

fn read_person(row: &Row<'_>) -> Result<StaffPerson> {
    Ok(StaffPerson {
        user: row.get("user_id")?,
        fullname: row.get("fullname")?,
        email: row.get("email")?,
        role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
        active: row.get::<String>("status")? == "active",
        joined_at: row.get("created_at")?,
    })
}

/// Lists platforms.
pub fn platforms(
    tx: &mut Tx<'_>,
    filter: &PlatformFilter,
    page: Page,
) -> Result<Listing<ListedPlatform>> {
    let search = filter.search.as_deref().map(part);
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM platforms
             WHERE deleted_at IS NULL AND (CAST($1 AS uuid) IS NULL OR tenant_id = $1)
               AND (CAST($2 AS text) IS NULL OR lower(name) LIKE $2 ESCAPE '!'
                 OR lower(domain) LIKE $2 ESCAPE '!')"
        ),
        params![filter.tenant, search],
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT p.platform_id, p.tenant_id, p.team_id, p.name, p.type, p.domain, p.description,
               p.feed_urls, p.crawling_enabled, p.detection_frequency, p.content_scanned,
               p.nil_detections, p.last_scan_at, p.token, p.verification_method, p.verified_at,
               p.created_at, p.updated_at, t.name AS tenant_name, o.pod_id
             FROM platforms p JOIN tenants t ON t.tenant_id = p.tenant_id
             LEFT JOIN pods o ON o.platform_id = p.platform_id
             WHERE p.deleted_at IS NULL AND (CAST($1 AS uuid) IS NULL OR p.tenant_id = $1)
               AND (CAST($2 AS text) IS NULL OR lower(p.name) LIKE $2 ESCAPE '!'
                 OR lower(p.domain) LIKE $2 ESCAPE '!')
             ORDER BY p.created_at DESC, p.platform_id DESC LIMIT $3 OFFSET $4"
        ),
        params![filter.tenant, search, page.size(), page.offset()],
        |row| {
            let (platform, owner_name) = (platform::read(row)?, row.get("tenant_name")?);
            Ok(ListedPlatform { platform, owner_name, pod: row.get("pod_id")? })
        },
    )?;
    Ok(Listing::new(page, items, count(total)))
}

/// Lists licenses.
pub fn licenses(
    tx: &mut Tx<'_>,
    filter: &LicenseFilter,
    page: Page,
    now: Timestamp,
) -> Result<Listing<LicenseRecord>> {
    let wanted = IndexQuery {
        reader: filter.tenant.map(Reader::Owner),
        license_type: filter.license_type,
        status: filter.status,
        search: None,
        q: filter.search.as_ref(),
        filter: None,
        now,
    };
    let selection = Selection::of(tx, &wanted)?;
    let offset = u64::try_from(page.offset()).unwrap_or(u64::MAX);
    let ids = selection.newest(tx, (offset, page.size() as usize))?;
    let mut items = license::load(tx, &ids)?;
    items.sort_by_key(|shown| ids.iter().position(|id| *id == shown.license.id));
    Ok(Listing { page, items, total: selection.len(), total_is_estimate: selection.cut })
}

fn count(total: Option<i64>) -> u64 {
    total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0)
}

/// A LIKE pattern for a substring. Only ASCII letters match in either case, because both engines
/// lowercase only those.
fn part(search: &str) -> String {
    let escaped = search.trim().to_ascii_lowercase().chars().fold(String::new(), |mut text, it| {
        if matches!(it, '%' | '_' | '!') {
            text.push('!');
        }
        text.push(it);
        text
    });
    format!("%{escaped}%")
}
