//! How many mentions of each verdict and status were first seen on each day of what a tenant owns: kept,
//! so that nobody has to count them.

use grantor_domain::Timestamp;
use grantor_domain::id::{TalentId, TenantId};
use grantor_domain::mention::{Mention, Verdict};
use uuid::Uuid;

use crate::license::reader::Reader;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

const DAY_MICROS: i64 = 86_400_000_000;

/// Counts a mention that is new on a tenant's list.
pub(super) fn count(tx: &mut Tx<'_>, tenant: TenantId, mention: &Mention) -> Result<()> {
    let kind = (mention.verdict.name(), mention.status.name());
    add(tx, tenant, day_of(mention.first_seen_at), kind, 1)
}

/// Counts a mention as what it is about to be written as on its owner's list.
pub(super) fn recount(tx: &mut Tx<'_>, owner: TenantId, mention: &Mention) -> Result<()> {
    let before: Option<(Option<TenantId>, String, String)> = tx.find(
        sql!("SELECT tenant_id, verdict, status FROM mentions WHERE mention_id = $1"),
        params![mention.id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let Some((tenant, verdict, status)) = before else { return Ok(()) };
    // A mention that was on nobody's list was not counted.
    if tenant.is_some() {
        if (&*verdict, &*status) == (mention.verdict.name(), mention.status.name()) {
            return Ok(());
        }
        add(tx, owner, day_of(mention.first_seen_at), (&verdict, &status), -1)?;
    }
    count(tx, owner, mention)
}

fn day_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(DAY_MICROS)
}

/// Counts none of a talent's mentions any more that no license lists.
pub(super) fn discount(tx: &mut Tx<'_>, talent: TalentId) -> Result<()> {
    let counted: Vec<(TenantId, i64, String, String, i64)> = tx.query(
        sql!(
            "SELECT m.tenant_id, m.first_seen_at / 86400000000, m.verdict, m.status, count(*)
             FROM mentions m
             WHERE m.talent_id = $1 AND m.tenant_id IS NOT NULL AND (
               SELECT l.license_id FROM licenses l
               WHERE l.talent_id = $1 AND l.watched_since <= m.last_seen_at
                 AND (l.watched_until IS NULL OR l.watched_until >= m.first_seen_at)
               ORDER BY l.license_id LIMIT 1) IS NULL
             GROUP BY 1, 2, 3, 4"
        ),
        params![talent],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
    )?;
    for (tenant, day, verdict, status, total) in counted {
        add(tx, tenant, day, (&verdict, &status), -total)?;
    }
    Ok(())
}

fn add(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    day: i64,
    (verdict, status): (&str, &str),
    change: i64,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO mention_days (tenant_id, day, verdict, status, total)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant_id, day, verdict, status) DO UPDATE
             SET total = mention_days.total + $5"
        ),
        params![tenant, day, verdict, status, change],
    )?;
    Ok(())
}

/// How many of one status and verdict there are of what a tenant owns; where one is empty, of any.
pub(super) fn total(tx: &mut Tx<'_>, owner: Uuid, status: &str, verdict: &str) -> Result<u64> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT CAST(coalesce(sum(total), 0) AS bigint) FROM mention_days
             WHERE tenant_id = $1 AND ($2 = '' OR status = $2) AND ($3 = '' OR verdict = $3)"
        ),
        params![owner, status, verdict],
        |row| row.get(0),
    )?;
    Ok(total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// How many of each verdict were first seen on each day since then of what somebody sees, as the number
/// of the day since 1970. What others granted them is counted talent by talent: CROSS JOIN keeps SQLite
/// from walking over the mentions of everybody first.
pub fn totals(
    tx: &mut Tx<'_>,
    reader: Reader,
    since: Timestamp,
) -> Result<Vec<(i64, Verdict, u64)>> {
    let [own, other] = reader.ids();
    tx.query(
        sql!(
            "SELECT day, verdict, CAST(sum(total) AS bigint) FROM (
               SELECT day, verdict, total FROM mention_days WHERE tenant_id = $1 AND day >= $4
               UNION ALL
               SELECT m.first_seen_at / 86400000000, m.verdict, 1 FROM (
                 SELECT p.talent_id,
                   min(CASE WHEN l.watched_until IS NULL THEN l.watched_since END) AS open_since
                 FROM permissions p JOIN licenses l ON l.license_id = p.license_id
                 WHERE p.grantee_id IN ($1, $2) AND l.tenant_id <> $1
                   AND l.watched_since IS NOT NULL
                 GROUP BY p.talent_id) held
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
                   ORDER BY p.license_id LIMIT 1)) IS NOT NULL)) seen
             GROUP BY day, verdict"
        ),
        params![own, other, since, day_of(since)],
        |row| {
            let verdict = row.get::<String>(1)?.parse().map_err(Error::Fault)?;
            Ok((row.get(0)?, verdict, u64::try_from(row.get::<i64>(2)?).unwrap_or(0)))
        },
    )
}
