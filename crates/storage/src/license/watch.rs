//! Which talents are watched now, and what of that somebody holds. Each is a look-up in an index, however
//! many licenses a talent has: the walk ends at the first license that fits, in the order they were made.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, TalentId, TenantId};

use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Row, Tx};

/// How many licenses one statement looks up.
const AT_ONCE: usize = 20;

/// A license by its id and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its id.
    pub id: LicenseId,
    /// What it is called.
    pub title: String,
}

/// A talent that is watched now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Whose talent it is.
    pub owner: TenantId,
    /// The talent's name.
    pub name: String,
    /// The oldest license that is watched.
    pub oldest: Named,
}

/// The talent of this id, if one of their licenses is watched now.
pub fn find(tx: &mut Tx<'_>, talent: TalentId, now: Timestamp) -> Result<Option<Watched>> {
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
        |row| Ok(Watched { oldest: read(row)?, owner: row.get(2)?, name: row.get(3)? }),
    )
}

/// The talents of these licenses, without those of licenses that are not watched now.
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
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?);
    }
    Ok(found)
}

/// What an organization holds of a talent's watched licenses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The oldest license that it holds.
    pub oldest: Named,
    /// Whether one of those it holds is in force.
    pub in_force: bool,
}

/// What the owner of a talent has of them: every license.
pub fn holding_of_owner(
    tx: &mut Tx<'_>,
    talent: TalentId,
    now: Timestamp,
) -> Result<Option<Holding>> {
    let found = tx.query(
        sql!(
            "SELECT license_id, title, CAST(0 AS bigint) FROM licenses WHERE license_id = (
               SELECT license_id FROM licenses
               WHERE talent_id = $1 AND watched_since <= $2
                 AND (watched_until IS NULL OR watched_until > $2)
               ORDER BY license_id LIMIT 1)
             UNION ALL
             SELECT license_id, title, CAST(1 AS bigint) FROM licenses WHERE license_id = (
               SELECT license_id FROM licenses
               WHERE talent_id = $1 AND watched_since <= $2
                 AND (watched_until IS NULL OR watched_until > $2)
                 AND (valid_from IS NULL OR valid_from <= $2)
               ORDER BY license_id LIMIT 1)"
        ),
        params![talent, now],
        read_holding,
    )?;
    Ok(holding(found))
}

/// What another organization was granted of a talent; nothing where that is nothing watched.
pub fn holding_of(
    tx: &mut Tx<'_>,
    talent: TalentId,
    holder: TenantId,
    now: Timestamp,
) -> Result<Option<Holding>> {
    let found = tx.query(
        sql!(
            "SELECT license_id, title, CAST(0 AS bigint) FROM licenses WHERE license_id = (
               SELECT p.license_id FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id = $3 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until > $2)
               ORDER BY p.license_id LIMIT 1)
             UNION ALL
             SELECT license_id, title, CAST(1 AS bigint) FROM licenses WHERE license_id = (
               SELECT p.license_id FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id = $3 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until > $2)
                 AND (l.valid_from IS NULL OR l.valid_from <= $2)
               ORDER BY p.license_id LIMIT 1)"
        ),
        params![talent, now, holder],
        read_holding,
    )?;
    Ok(holding(found))
}

fn holding(found: Vec<(Named, bool)>) -> Option<Holding> {
    let in_force = found.iter().any(|it| it.1);
    let oldest = found.into_iter().map(|it| it.0).min_by_key(|it| it.id)?;
    Some(Holding { oldest, in_force })
}

fn read_holding(row: &Row<'_>) -> Result<(Named, bool)> {
    Ok((read(row)?, row.get::<i64>(2)? == 1))
}

fn read(row: &Row<'_>) -> Result<Named> {
    Ok(Named { id: row.get(0)?, title: row.get(1)? })
}
