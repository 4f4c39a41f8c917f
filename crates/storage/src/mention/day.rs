//! Daily counts of a tenant's mentions by verdict and status, by the day they were first seen,
//! stored so that they need not be counted.

use grantor_domain::Timestamp;
use grantor_domain::id::{TalentId, TenantId};
use grantor_domain::mention::{Mention, Verdict};
use uuid::Uuid;

use crate::license::reader::Reader;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx, only_column};

const DAY_MICROS: i64 = 86_400_000_000;

/// Counts a mention that is new in a tenant's list.
pub(super) fn count(tx: &mut Tx<'_>, tenant: TenantId, mention: &Mention) -> Result<()> {
    let kind = (mention.verdict.name(), mention.status.name());
    add(tx, tenant, day_of(mention.first_seen_at), kind, 1)
}

/// Moves a mention to the count of the verdict and status that it is about to get. Returns whether
/// it had no owner.
pub(super) fn recount(tx: &mut Tx<'_>, owner: TenantId, mention: &Mention) -> Result<bool> {
    let before: Option<(Option<TenantId>, String, String)> = tx.find(
        sql!("SELECT tenant_id, verdict, status FROM mentions WHERE mention_id = $1"),
        params![mention.id],
        |row| Ok((row.get("tenant_id")?, row.get("verdict")?, row.get("status")?)),
    )?;
    let Some((tenant, verdict, status)) = before else { return Ok(false) };
    // A mention without an owner was not counted.
    if tenant.is_some() {
        if (&*verdict, &*status) == (mention.verdict.name(), mention.status.name()) {
            return Ok(false);
        }
        add(tx, owner, day_of(mention.first_seen_at), (&verdict, &status), -1)?;
    }
    count(tx, owner, mention)?;
    Ok(tenant.is_none())
}

fn day_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(DAY_MICROS)
}

/// Subtracts a talent's mentions that no license lists any more.
pub(super) fn discount(tx: &mut Tx<'_>, talent: TalentId) -> Result<()> {
    let counted: Vec<(TenantId, i64, String, String, i64)> = tx.query(
        sql!(
            "SELECT m.tenant_id, m.first_seen_at / 86400000000 AS day, m.verdict, m.status,
               count(*) AS total
             FROM mentions m
             WHERE m.talent_id = $1 AND m.tenant_id IS NOT NULL AND (
               SELECT l.license_id FROM licenses l
               WHERE l.talent_id = $1 AND l.watched_since <= m.last_seen_at
                 AND (l.watched_until IS NULL OR l.watched_until >= m.first_seen_at)
               ORDER BY l.license_id LIMIT 1) IS NULL
             GROUP BY 1, 2, 3, 4"
        ),
        params![talent],
        |row| {
            Ok((
                row.get("tenant_id")?,
                row.get("day")?,
                row.get("verdict")?,
                row.get("status")?,
                row.get("total")?,
            ))
        },
    )?;
    for (tenant, day, verdict, status, total) in counted {
        add(tx, tenant, day, (&verdict, &status), -total)?;
    }
    Ok(())
}

pub(super) fn add(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    day: i64,
    (verdict, status): (&str, &str),
    change: i64,
) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO mention_days (tenant_id, day, verdict, status, total)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant_id, day, verdict, status) DO UPDATE
             SET total = mention_days.total + $5"
        ),
        params![tenant, day, verdict, status, change],
    )
}

/// Counts the mentions of a tenant by status and verdict; an empty string matches any.
pub(super) fn total(tx: &mut Tx<'_>, owner: Uuid, status: &str, verdict: &str) -> Result<u64> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT CAST(coalesce(sum(total), 0) AS bigint) FROM mention_days
             WHERE tenant_id = $1 AND ($2 = '' OR status = $2) AND ($3 = '' OR verdict = $3)"
        ),
        params![owner, status, verdict],
        only_column,
    )?;
    Ok(total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Daily counts by verdict since this time of the mentions that a reader sees, with the day as
/// number of days since 1970. Mentions shared by others are counted talent by talent: CROSS JOIN
/// keeps SQLite from scanning the mentions of all tenants first.
pub fn totals(
    tx: &mut Tx<'_>,
    reader: Reader,
    since: Timestamp,
) -> Result<Vec<(i64, Verdict, u64)>> {
    let [own, other] = reader.ids();
    tx.query(
        sql!(
            "SELECT day, verdict, CAST(sum(total) AS bigint) AS total FROM (
               SELECT day, verdict, total FROM mention_days WHERE tenant_id = $1 AND day >= $4
               UNION ALL
               SELECT m.first_seen_at / 86400000000, m.verdict, 1 FROM (
                 SELECT shared.talent_id,
                   min(CASE WHEN shared.watched_until IS NULL THEN shared.watched_since END)
                     AS open_since
                 FROM (
                   SELECT p.talent_id, l.watched_since, l.watched_until
                   FROM permissions p JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.grantee_id IN ($1, $2) AND l.tenant_id <> $1
                     AND l.watched_since IS NOT NULL
                   UNION ALL
                   SELECT g.talent_id, l.watched_since, l.watched_until
                   FROM grants g JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since IS NOT NULL) shared
                 GROUP BY shared.talent_id) held
               CROSS JOIN mentions m
               WHERE m.talent_id = held.talent_id AND m.tenant_id <> $1 AND m.first_seen_at >= $3
                 AND (m.last_seen_at >= held.open_since OR coalesce((
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $1
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $2
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT g.license_id FROM grants g
                   JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.talent_id = m.talent_id AND g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY g.license_id LIMIT 1)) IS NOT NULL)) seen
             GROUP BY day, verdict"
        ),
        params![own, other, since, day_of(since)],
        |row| {
            let verdict = row.get::<String>("verdict")?.parse().map_err(Error::Fault)?;
            Ok((row.get("day")?, verdict, u64::try_from(row.get::<i64>("total")?).unwrap_or(0)))
        },
    )
}
