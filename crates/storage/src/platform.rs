//! Platforms: the sites on which likenesses appear. A deleted platform keeps its row, because
//! mentions show its name, but no other query returns it.

use grantor_domain::Timestamp;
use grantor_domain::id::{PlatformId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::platform::{
    Platform, PlatformDescription, PlatformDomain, PlatformName, PlatformSettings,
    PlatformStatistics, PlatformStatus, PlatformType, ProofToken, Proved,
};

use crate::statement::{sql, sql_choice};
use crate::value::{Value, padded, params};
use crate::{Error, Result, Row, Tx, name_search, only_column, party, record_index};

/// The constraint violated if the organization already has this domain.
pub const DOMAIN_IS_TAKEN: &str = "platforms_domain";
/// The constraint violated if another organization has verified this domain.
pub const DOMAIN_IS_VERIFIED: &str = "platforms_verified_domain";

/// A query for a tenant's platforms.
#[derive(Clone, Debug)]
pub struct PlatformQuery {
    /// Filter by status.
    pub status: Option<PlatformStatus>,
    /// Filter by type.
    pub kind: Option<PlatformType>,
    /// Words in the name or the domain, matched by prefix.
    pub search: Option<String>,
    /// The page.
    pub page: Page,
}

/// Inserts a platform.
pub fn insert(tx: &mut Tx<'_>, platform: &Platform) -> Result<()> {
    let (method, at) = proved(platform);
    tx.execute(
        sql!(
            "INSERT INTO platforms (platform_id, tenant_id, team_id, name, type, domain, search_key,
               description, feed_urls, crawling_enabled, detection_frequency, status, token,
               verification_method, verified_at, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)"
        ),
        params![
            platform.id,
            platform.tenant,
            platform.team,
            platform.name.as_str(),
            platform.kind.name(),
            platform.domain.as_str(),
            search_key(platform),
            platform.description.as_ref().map(PlatformDescription::as_str),
            feeds(platform)?,
            platform.settings.crawling_enabled,
            platform.settings.detection_frequency.name(),
            platform.status().name(),
            platform.token.as_str(),
            method,
            at,
            platform.created_at,
        ],
    )?;
    party::refresh(tx, platform.tenant)
}

/// Updates what users can edit; the scan counters stay unchanged.
pub fn update(tx: &mut Tx<'_>, platform: &Platform) -> Result<()> {
    let (method, at) = proved(platform);
    record_index::platform_renamed(tx, platform.id, platform.name.as_str())?;
    tx.execute(
        sql!(
            "UPDATE platforms SET team_id = $2, name = $3, type = $4, domain = $5, search_key = $6,
               description = $7, feed_urls = $8, crawling_enabled = $9, detection_frequency = $10,
               status = $11, token = $12, verification_method = $13, verified_at = $14,
               updated_at = $15
             WHERE platform_id = $1"
        ),
        params![
            platform.id,
            platform.team,
            platform.name.as_str(),
            platform.kind.name(),
            platform.domain.as_str(),
            search_key(platform),
            platform.description.as_ref().map(PlatformDescription::as_str),
            feeds(platform)?,
            platform.settings.crawling_enabled,
            platform.settings.detection_frequency.name(),
            platform.status().name(),
            platform.token.as_str(),
            method,
            at,
            platform.updated_at,
        ],
    )?;
    party::refresh(tx, platform.tenant)
}

/// Purges platforms that were deleted before a time, a limited number at a time, with their revoked
/// keys. Those that a mention, a scanner or a request for one refers to are kept.
pub fn purge_deleted(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let purged: Vec<PlatformId> = tx.query(
        sql!(
            "SELECT p.platform_id FROM platforms p
             WHERE p.deleted_at IS NOT NULL AND p.deleted_at < $1
               AND NOT EXISTS (SELECT 1 FROM mentions m WHERE m.platform_id = p.platform_id)
               AND NOT EXISTS (SELECT 1 FROM pods d WHERE d.platform_id = p.platform_id)
               AND NOT EXISTS (SELECT 1 FROM scanner_requests r WHERE r.platform_id = p.platform_id)
             ORDER BY p.deleted_at, p.platform_id LIMIT $2"
        ),
        params![before, at_most],
        only_column,
    )?;
    for id in &purged {
        tx.execute(sql!("DELETE FROM pax WHERE platform_id = $1"), params![id])?;
        tx.execute(sql!("DELETE FROM platforms WHERE platform_id = $1"), params![id])?;
    }
    Ok(purged.len() as u64)
}

/// Marks a platform as deleted.
pub fn delete(tx: &mut Tx<'_>, id: PlatformId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE platforms SET deleted_at = $2, updated_at = $2 WHERE platform_id = $1"),
        params![id, now],
    )?;
    let tenant: Option<TenantId> = tx.find(
        sql!("SELECT tenant_id FROM platforms WHERE platform_id = $1"),
        params![id],
        only_column,
    )?;
    tenant.map_or(Ok(()), |it| party::refresh(tx, it))
}

/// Restores a tenant's platform that was deleted. False if there is none. Its domain may be used by
/// another one now; see [`DOMAIN_IS_TAKEN`] and [`DOMAIN_IS_VERIFIED`].
pub fn restore(
    tx: &mut Tx<'_>,
    (tenant, id): (TenantId, PlatformId),
    now: Timestamp,
) -> Result<bool> {
    let restored = tx.execute(
        sql!(
            "UPDATE platforms SET deleted_at = NULL, updated_at = $3
             WHERE platform_id = $1 AND tenant_id = $2 AND deleted_at IS NOT NULL"
        ),
        params![id, tenant, now],
    )?;
    party::refresh(tx, tenant)?;
    Ok(restored == 1)
}

/// Returns a tenant's platform.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: PlatformId) -> Result<Option<Platform>> {
    Ok(find_anywhere(tx, id)?.filter(|it| it.tenant == tenant))
}

/// Returns a platform of any tenant, for staff.
pub fn find_anywhere(tx: &mut Tx<'_>, id: PlatformId) -> Result<Option<Platform>> {
    Ok(select(tx, 0, params![id])?.pop())
}

/// How many domains or platforms one statement looks up.
const AT_ONCE: usize = 10;

/// Returns the names of these platforms, also of deleted ones.
pub fn names(tx: &mut Tx<'_>, ids: &[PlatformId]) -> Result<Vec<(PlatformId, String)>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT platform_id, name FROM platforms
                 WHERE platform_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("platform_id")?, row.get("name")?)),
        )?);
    }
    Ok(found)
}

/// Returns the tenant that verified one of these domains; if several are verified, the one that
/// verified the first of them.
pub fn find_publisher(tx: &mut Tx<'_>, domains: &[String]) -> Result<Option<TenantId>> {
    for chunk in domains.chunks(AT_ONCE) {
        let found: Vec<(String, TenantId)> = tx.query(
            sql!(
                "SELECT domain, tenant_id FROM platforms
                 WHERE domain IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                   AND status = 'verified' AND deleted_at IS NULL"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("domain")?, row.get("tenant_id")?)),
        )?;
        let place = |domain: &String| chunk.iter().position(|it| it == domain);
        if let Some((_, tenant)) = found.into_iter().min_by_key(|(domain, _)| place(domain)) {
            return Ok(Some(tenant));
        }
    }
    Ok(None)
}

/// Like [`find`], and locks the platform until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: PlatformId) -> Result<Option<Platform>> {
    Ok(claim_anywhere(tx, id)?.filter(|it| it.tenant == tenant))
}

/// Like [`find_anywhere`], and locks the platform until the unit of work ends.
pub fn claim_anywhere(tx: &mut Tx<'_>, id: PlatformId) -> Result<Option<Platform>> {
    tx.lock(sql!("SELECT 1 FROM platforms WHERE platform_id = $1 /*for update*/"), params![id])?;
    find_anywhere(tx, id)
}

/// Adds to the numbers of scanned items and of new mentions.
pub fn count(
    tx: &mut Tx<'_>,
    id: PlatformId,
    looked_at: usize,
    found: usize,
    now: Timestamp,
) -> Result<()> {
    let counted = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    tx.execute(
        sql!(
            "UPDATE platforms SET content_scanned = content_scanned + $2,
               nil_detections = nil_detections + $3, last_scan_at = $4
             WHERE platform_id = $1"
        ),
        params![id, counted(looked_at), counted(found), now],
    )?;
    Ok(())
}

/// Lists the tenant's platforms that match, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, query: &PlatformQuery) -> Result<Listing<Platform>> {
    let (status, kind) =
        (query.status.map(PlatformStatus::name), query.kind.map(PlatformType::name));
    let [one, two, three] = name_search::patterns(query.search.as_deref());
    // A search without any word matches nothing.
    let searches = query.search.as_deref().is_some_and(|it| !it.trim().is_empty());
    if searches && one.is_none() {
        return Ok(Listing::new(query.page, vec![], 0));
    }
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM platforms WHERE tenant_id = $1 AND deleted_at IS NULL
               AND (CAST($2 AS text) IS NULL OR status = $2)
               AND (CAST($3 AS text) IS NULL OR type = $3)
               AND (CAST($4 AS text) IS NULL OR search_key LIKE $4)
               AND (CAST($5 AS text) IS NULL OR search_key LIKE $5)
               AND (CAST($6 AS text) IS NULL OR search_key LIKE $6)"
        ),
        params![tenant, status, kind, one, two, three],
        only_column,
    )?;
    let page = query.page;
    let (size, offset) = (page.size(), page.offset());
    let items = select(tx, 1, params![tenant, status, kind, one, two, three, size, offset])?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<Platform>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT platform_id, tenant_id, team_id, name, type, domain, description, feed_urls,
               crawling_enabled, detection_frequency, content_scanned, nil_detections,
               last_scan_at, token, verification_method, verified_at, created_at, updated_at
             FROM platforms WHERE deleted_at IS NULL AND ",
            [
                "platform_id = $1",
                "tenant_id = $1
                   AND (CAST($2 AS text) IS NULL OR status = $2)
                   AND (CAST($3 AS text) IS NULL OR type = $3)
                   AND (CAST($4 AS text) IS NULL OR search_key LIKE $4)
                   AND (CAST($5 AS text) IS NULL OR search_key LIKE $5)
                   AND (CAST($6 AS text) IS NULL OR search_key LIKE $6)
                 ORDER BY created_at DESC, platform_id DESC LIMIT $7 OFFSET $8",
            ],
            ""
        ),
        key,
        read,
    )
}

fn search_key(platform: &Platform) -> String {
    name_search::key([platform.name.as_str(), platform.domain.as_str()])
}

fn feeds(platform: &Platform) -> Result<String> {
    serde_json::to_string(&platform.feed_urls).map_err(|error| Error::Fault(error.to_string()))
}

fn proved(platform: &Platform) -> (Option<&'static str>, Option<Timestamp>) {
    platform.proved.map(|it| (it.method.name(), it.at)).unzip()
}

pub(crate) fn read(row: &Row<'_>) -> Result<Platform> {
    let fault = |what: &str| Error::Fault(format!("invalid platform: {what}"));
    let text = |name| row.get::<String>(name);
    let method = row.get::<Option<String>>("verification_method")?.map(|it| it.parse()).transpose();
    let proved = method.map_err(Error::Fault)?.zip(row.get("verified_at")?);
    let description =
        row.get::<Option<String>>("description")?.map(|it| PlatformDescription::parse(&it));
    Ok(Platform {
        id: row.get("platform_id")?,
        tenant: row.get("tenant_id")?,
        team: row.get("team_id")?,
        name: PlatformName::parse(&text("name")?).map_err(|it| fault(&it))?,
        kind: text("type")?.parse().map_err(Error::Fault)?,
        domain: PlatformDomain::parse(&text("domain")?).map_err(fault)?,
        description: description.transpose().map_err(Error::Fault)?,
        feed_urls: serde_json::from_str(&text("feed_urls")?).map_err(|_| fault("feeds"))?,
        settings: PlatformSettings {
            crawling_enabled: row.get("crawling_enabled")?,
            detection_frequency: text("detection_frequency")?.parse().map_err(Error::Fault)?,
        },
        statistics: PlatformStatistics {
            content_scanned: row.get("content_scanned")?,
            nil_detections: row.get("nil_detections")?,
            last_scan_at: row.get("last_scan_at")?,
        },
        token: ProofToken::parse(&text("token")?).ok_or_else(|| fault("token"))?,
        proved: proved.map(|(method, at)| Proved { method, at }),
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
