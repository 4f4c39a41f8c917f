//! Which talents are watched, and which of their watched licenses a tenant holds. Each query is an
//! index lookup that ends at the first matching license in creation order, however many licenses a
//! talent has.

use grantor_domain::Timestamp;
use grantor_domain::decision::LicenseFacts;
use grantor_domain::id::{LicenseId, TalentId, TenantId};

use super::{from_json, kept};
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Row, Tx};

/// How many licenses one statement looks up.
const AT_ONCE: usize = 20;

/// A license's id and title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LicenseName {
    /// The license's id.
    pub id: LicenseId,
    /// The license's title.
    pub title: String,
}

/// A talent that is watched now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedTalent {
    /// The talent's tenant.
    pub owner: TenantId,
    /// The talent's name.
    pub name: String,
    /// The oldest watched license.
    pub oldest: LicenseName,
}

/// Returns the talent with this id if one of their licenses is watched now.
pub fn find(tx: &mut Tx<'_>, talent: TalentId, now: Timestamp) -> Result<Option<WatchedTalent>> {
    tx.find(
        sql!(
            "SELECT l.license_id, l.title, l.tenant_id, t.fullname
             FROM licenses l JOIN talents t ON t.talent_id = l.talent_id
             WHERE l.license_id = (
               SELECT license_id FROM licenses
               WHERE talent_id = $1 AND watched_since <= $2
                 AND (watched_until IS NULL OR watched_until > $2)
               ORDER BY license_id LIMIT 1)"
        ),
        params![talent, now],
        |row| {
            Ok(WatchedTalent {
                oldest: read(row)?,
                owner: row.get("tenant_id")?,
                name: row.get("fullname")?,
            })
        },
    )
}

/// Returns the talents of these licenses, skipping licenses that are not watched now.
pub fn talents_of(
    tx: &mut Tx<'_>,
    licenses: &[LicenseId],
    now: Timestamp,
) -> Result<Vec<(LicenseId, TalentId)>> {
    let mut found = Vec::with_capacity(licenses.len());
    for chunk in licenses.chunks(AT_ONCE) {
        let ids = padded::<_, AT_ONCE>(chunk);
        found.extend(tx.query(
            sql!(
                "SELECT license_id, talent_id FROM licenses
                 WHERE watched_since <= $21
                   AND (watched_until IS NULL OR watched_until > $21)
                   AND license_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                     $15, $16, $17, $18, $19, $20)"
            ),
            &[&ids[..], params![now] as &[_]].concat(),
            |row| Ok((row.get("license_id")?, row.get("talent_id")?)),
        )?);
    }
    Ok(found)
}

/// The watched licenses of a talent on which an organization has a permission given by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The oldest one.
    pub oldest: LicenseName,
    /// What the oldest one in force allows, or the oldest one if none is in force.
    pub license: LicenseFacts,
}

/// Returns the holding of an organization; `None` if no watched license is shared with it.
pub fn find_holding(
    tx: &mut Tx<'_>,
    talent: TalentId,
    holder: TenantId,
    now: Timestamp,
) -> Result<Option<Holding>> {
    let mut found = tx.query(
        sql!(
            "SELECT license_id, title, status, uses, territories, valid_from, expires_at,
               CAST(0 AS bigint) AS in_force
             FROM licenses WHERE license_id = (
               SELECT p.license_id FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id = $3 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until > $2)
               ORDER BY p.license_id LIMIT 1)
             UNION ALL
             SELECT license_id, title, status, uses, territories, valid_from, expires_at,
               CAST(1 AS bigint)
             FROM licenses WHERE license_id = (
               SELECT p.license_id FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id = $3 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until > $2)
                 AND (l.valid_from IS NULL OR l.valid_from <= $2)
               ORDER BY p.license_id LIMIT 1)"
        ),
        params![talent, now, holder],
        |row| Ok((row.get::<i64>("in_force")?, read(row)?, read_facts(row)?)),
    )?;
    found.sort_by_key(|(in_force, ..)| *in_force);
    let license = found.last().map(|(.., facts)| facts.clone());
    let oldest = found.into_iter().next().map(|(_, name, _)| name);
    Ok(oldest.zip(license).map(|(oldest, license)| Holding { oldest, license }))
}

fn read_facts(row: &Row<'_>) -> Result<LicenseFacts> {
    let text = |name| row.get::<String>(name);
    Ok(LicenseFacts {
        status: kept(text("status")?.parse())?,
        uses: from_json(&text("uses")?)?,
        territories: from_json(&text("territories")?)?,
        valid_from: row.get("valid_from")?,
        expires_at: row.get("expires_at")?,
    })
}

fn read(row: &Row<'_>) -> Result<LicenseName> {
    Ok(LicenseName { id: row.get("license_id")?, title: row.get("title")? })
}
