//! The licenses that questions are about, as they are now.

use grantor_domain::id::{LicenseId, TalentId};
use uuid::Uuid;

use super::{Asker, CurrentLicense, Group, Subject, TALENTS, facts, groups, keys};
use crate::license::reader::EVERYBODY;
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Result, Row, Tx};

/// How many licenses of a talent are read, apart from those that a party has a right under.
const NEWEST: u32 = 200;
const TOO_MANY: u32 = NEWEST + 1;
/// How many talents one statement looks up.
const AT_ONCE: usize = 10;

/// The choices of which licenses to read.
const GIVEN: usize = 0;
const HELD: usize = 1;
const ONE: usize = 2;

/// Returns those of the licenses that are public or visible to the asker, and deleted ones under
/// which it is a party to a grant: grants outlive their licenses.
pub fn licenses(tx: &mut Tx<'_>, asker: Asker, ids: &[LicenseId]) -> Result<Vec<CurrentLicense>> {
    match ids {
        [] => Ok(vec![]),
        [one] => visible(tx, asker, ONE, params![*one]),
        many => visible(tx, asker, GIVEN, params![keys(many)]),
    }
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
        found.extend(visible(tx, asker, HELD, params![one[0], one[1], many])?);
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
               l.valid_from, l.expires_at, l.deleted_at IS NOT NULL AS is_deleted, l.talent_id
             FROM licenses l
             WHERE CASE WHEN l.deleted_at IS NULL
                 THEN EXISTS (SELECT 1 FROM license_readers r
                     WHERE r.license_id = l.license_id AND r.reader_id = $3)
                   OR EXISTS (SELECT 1 FROM license_readers r
                     WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2))
                 ELSE EXISTS (SELECT 1 FROM grants g
                   WHERE g.license_id = l.license_id
                     AND (g.licensee_id = $4 OR g.licensor_id = $4)) END
               AND l.license_id ",
            [
                "= ANY($5)",
                "IN (SELECT license_id FROM grants
                 WHERE licensee_id = $5
                   AND talent_id = ANY($7)
                 UNION ALL
                 SELECT license_id FROM permissions
                 WHERE grantee_id IN ($5, $6)
                   AND talent_id = ANY($7)
                 UNION ALL
                 SELECT license_id FROM past_permissions
                 WHERE grantee_id IN ($5, $6)
                   AND talent_id = ANY($7))",
                "= $5",
            ],
            ""
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
    let talents: Vec<Uuid> = talents.iter().map(|it| it.as_uuid()).collect();
    tx.query(
        sql!(
            "SELECT l.license_id, l.tenant_id, l.updated_at, l.status, l.uses, l.territories,
               l.valid_from, l.expires_at, l.deleted_at IS NOT NULL AS is_deleted, l.talent_id
             FROM licenses l
             WHERE l.talent_id = ANY($5)
               AND l.deleted_at IS NULL
               AND EXISTS (SELECT 1 FROM license_readers r
                 WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2, $3))
             LIMIT $4"
        ),
        params![one, other, EVERYBODY, TOO_MANY, talents],
        read_license,
    )
}

fn newest_of(tx: &mut Tx<'_>, asker: Asker, talent: TalentId) -> Result<Vec<CurrentLicense>> {
    let [one, other] = asker.readers;
    tx.query(
        sql!(
            "SELECT l.license_id, l.tenant_id, l.updated_at, l.status, l.uses, l.territories,
               l.valid_from, l.expires_at, l.deleted_at IS NOT NULL AS is_deleted, l.talent_id
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
    let (id, owner, since) =
        (row.get("license_id")?, row.get("tenant_id")?, row.get("updated_at")?);
    let facts = if row.get("is_deleted")? { None } else { Some(facts(row)?) };
    Ok(CurrentLicense { id, owner, talent: row.get("talent_id")?, since, facts })
}
