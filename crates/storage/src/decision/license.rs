//! The licenses that questions are about, as they are now.

use grantor_domain::id::{LicenseId, TalentId};
use uuid::Uuid;

use super::{AT_ONCE, Asker, CurrentLicense, Group, Subject, TALENTS, facts, groups, keys};
use crate::license::reader::EVERYBODY;
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Result, Row, Tx};

/// How many licenses of a talent are read, apart from those that a party has a right under.
const NEWEST: u32 = 200;
const TOO_MANY: u32 = NEWEST + 1;

/// The choices of which licenses to read.
const GIVEN: usize = 0;
const HELD: usize = 1;
const ONE: usize = 2;

/// Returns those of the licenses that are public or visible to the asker, and deleted ones under
/// which it is a party to a grant: grants outlive their licenses.
pub fn licenses(tx: &mut Tx<'_>, asker: Asker, ids: &[LicenseId]) -> Result<Vec<CurrentLicense>> {
    if let [one] = ids {
        return visible(tx, asker, ONE, params![*one]);
    }
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(visible(tx, asker, GIVEN, &keys(chunk))?);
    }
    Ok(found)
}

/// Like [`licenses`], for those under which parties, each of two grantees, have or had a grant or a
/// permission, of talents. One may be returned twice.
pub fn held_licenses(
    tx: &mut Tx<'_>,
    asker: Asker,
    pairs: &[(Subject, [Uuid; 2])],
) -> Result<Vec<CurrentLicense>> {
    let mut found = Vec::new();
    for Group { one, many, .. } in groups(pairs).into_iter().filter(|it| it.way == TALENTS) {
        for chunk in many.chunks(AT_ONCE) {
            let common: &[Value<'_>] = params![one[0], one[1]];
            found.extend(visible(tx, asker, HELD, &[common, &keys(chunk)].concat())?);
        }
    }
    Ok(found)
}

fn visible(
    tx: &mut Tx<'_>,
    asker: Asker,
    which: usize,
    keys: &[Value<'_>],
) -> Result<Vec<CurrentLicense>> {
    let seen_by: &[Value<'_>] =
        params![asker.readers[0], asker.readers[1], EVERYBODY, asker.tenant];
    tx.query(
        sql_choice!(
            which,
            "SELECT l.license_id, l.tenant_id, l.updated_at, l.status, l.uses, l.territories,
               l.valid_from, l.expires_at, l.deleted_at IS NOT NULL, l.talent_id
             FROM licenses l
             WHERE CASE WHEN l.deleted_at IS NULL
                 THEN EXISTS (SELECT 1 FROM license_readers r
                     WHERE r.license_id = l.license_id AND r.reader_id = $3)
                   OR EXISTS (SELECT 1 FROM license_readers r
                     WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2))
                 ELSE EXISTS (SELECT 1 FROM grants g
                   WHERE g.license_id = l.license_id
                     AND (g.licensee_id = $4 OR g.licensor_id = $4)) END
               AND l.license_id IN (",
            [
                "$5, $6, $7, $8, $9, $10, $11, $12, $13, $14",
                "SELECT license_id FROM grants
                 WHERE licensee_id = $5
                   AND talent_id IN ($7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                 UNION ALL
                 SELECT license_id FROM permissions
                 WHERE grantee_id IN ($5, $6)
                   AND talent_id IN ($7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                 UNION ALL
                 SELECT license_id FROM past_permissions
                 WHERE grantee_id IN ($5, $6)
                   AND talent_id IN ($7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
                "$5",
            ],
            ")"
        ),
        &[seen_by, keys].concat(),
        read_license,
    )
}

/// Returns the newest licenses of talents that are public or visible to the asker, up to 200 of
/// each talent.
pub fn newest_licenses(
    tx: &mut Tx<'_>,
    asker: Asker,
    talents: &[TalentId],
) -> Result<Vec<CurrentLicense>> {
    let mut found = Vec::new();
    for chunk in talents.chunks(AT_ONCE) {
        // Most talents have few licenses, so that one statement finds them all.
        if chunk.len() > 1 {
            let some = any_licenses(tx, asker, chunk)?;
            if some.len() <= NEWEST as usize {
                found.extend(some);
                continue;
            }
        }
        for talent in chunk {
            found.extend(newest_of(tx, asker, *talent)?);
        }
    }
    Ok(found)
}

/// Returns visible licenses of talents, in any order: all, or one more than [`NEWEST`].
fn any_licenses(
    tx: &mut Tx<'_>,
    asker: Asker,
    talents: &[TalentId],
) -> Result<Vec<CurrentLicense>> {
    let [one, other] = asker.readers;
    let limits: &[Value<'_>] = params![one, other, EVERYBODY, TOO_MANY];
    tx.query(
        sql!(
            "SELECT l.license_id, l.tenant_id, l.updated_at, l.status, l.uses, l.territories,
               l.valid_from, l.expires_at, l.deleted_at IS NOT NULL, l.talent_id
             FROM licenses l
             WHERE l.talent_id IN ($5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
               AND l.deleted_at IS NULL
               AND EXISTS (SELECT 1 FROM license_readers r
                 WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2, $3))
             LIMIT $4"
        ),
        &[limits, &keys(talents)].concat(),
        read_license,
    )
}

fn newest_of(tx: &mut Tx<'_>, asker: Asker, talent: TalentId) -> Result<Vec<CurrentLicense>> {
    let [one, other] = asker.readers;
    tx.query(
        sql!(
            "SELECT l.license_id, l.tenant_id, l.updated_at, l.status, l.uses, l.territories,
               l.valid_from, l.expires_at, l.deleted_at IS NOT NULL, l.talent_id
             FROM licenses l
             WHERE l.talent_id = $4 AND l.deleted_at IS NULL
               AND EXISTS (SELECT 1 FROM license_readers r
                 WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2, $3))
             ORDER BY l.license_id DESC LIMIT $5"
        ),
        params![one, other, EVERYBODY, talent, NEWEST],
        read_license,
    )
}

fn read_license(row: &Row<'_>) -> Result<CurrentLicense> {
    let (id, owner, since) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let facts = if row.get(8)? { None } else { Some(facts(row)?) };
    Ok(CurrentLicense { id, owner, talent: row.get(9)?, since, facts })
}
