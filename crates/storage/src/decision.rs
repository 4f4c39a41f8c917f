//! The facts of decisions, read for many licenses and parties at once: a batch of questions takes a
//! few statements, not a few for each question.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::decision::{GrantFacts, LicenseFacts};
use grantor_domain::grant::{GrantNumber, GrantTerms};
use grantor_domain::id::{GrantId, LicenseId, TenantId, UserId};
use uuid::Uuid;

use crate::license::reader::EVERYBODY;
use crate::request::{fault, from_json};
use crate::statement::sql;
use crate::value::{Param, Value, padded, params};
use crate::{Result, Row, Tx};

/// How many licenses or parties one statement looks up. A question by itself pays for all of them.
const AT_ONCE: usize = 10;

/// A license as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentLicense {
    /// The license.
    pub id: LicenseId,
    /// The owner.
    pub owner: TenantId,
    /// When its current version began.
    pub since: Timestamp,
    /// What it allows, with the stored status; `None` if it was deleted.
    pub facts: Option<LicenseFacts>,
}

/// A license as it once was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastLicense {
    /// The license.
    pub id: LicenseId,
    /// When this version began.
    pub since: Timestamp,
    /// What it allowed, with the stored status; `None` if the license was deleted.
    pub facts: Option<LicenseFacts>,
}

/// A grant of a party, whatever its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldGrant {
    /// The license.
    pub license: LicenseId,
    /// The party.
    pub licensee: TenantId,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// What it says.
    pub facts: GrantFacts,
}

/// A permission given by hand, with the time in which it counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldPeriod {
    /// The license.
    pub license: LicenseId,
    /// Who held the permission.
    pub grantee: Uuid,
    /// When it was given.
    pub from: Timestamp,
    /// When it was revoked.
    pub until: Option<Timestamp>,
    /// False if it was given to an email address that nobody has claimed.
    pub claimed: bool,
}

/// Returns those of the licenses that are public or visible to one of two readers, and deleted ones
/// under which a tenant is a party to a grant: grants outlive their licenses.
pub fn licenses(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    readers: [Uuid; 2],
    ids: &[LicenseId],
) -> Result<Vec<CurrentLicense>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        let readers: &[Value<'_>] = params![readers[0], readers[1], EVERYBODY, tenant];
        let params = [readers, &keys(chunk)].concat();
        found.extend(tx.query(
            sql!(
                "SELECT l.license_id, l.tenant_id, l.updated_at, l.status, l.uses, l.territories,
                   l.valid_from, l.expires_at, l.deleted_at IS NOT NULL
                 FROM licenses l
                 WHERE l.license_id IN ($5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                   AND CASE WHEN l.deleted_at IS NULL
                     THEN EXISTS (SELECT 1 FROM license_readers r
                       WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2, $3))
                     ELSE EXISTS (SELECT 1 FROM grants g
                       WHERE g.license_id = l.license_id
                         AND (g.licensee_id = $4 OR g.licensor_id = $4)) END"
            ),
            &params,
            |row| {
                let (id, owner, since) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let facts = if row.get(8)? { None } else { Some(facts(row)?) };
                Ok(CurrentLicense { id, owner, since, facts })
            },
        )?);
    }
    Ok(found)
}

/// Returns the versions of the licenses that were current at some time of a period, oldest first.
pub fn versions(
    tx: &mut Tx<'_>,
    ids: &[LicenseId],
    (first, last): (Timestamp, Timestamp),
) -> Result<Vec<PastLicense>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        let period: &[Value<'_>] = params![first, last];
        let params = [period, &keys(chunk)].concat();
        found.extend(tx.query(
            sql!(
                "SELECT v.license_id, v.deleted, v.since, v.status, v.uses, v.territories,
                   v.valid_from, v.expires_at, v.version
                 FROM licenses l
                 JOIN license_versions v ON v.license_id = l.license_id
                   AND v.version >= coalesce(
                     (SELECT e.version FROM license_versions e
                      WHERE e.license_id = l.license_id AND e.since <= $1
                      ORDER BY e.version DESC LIMIT 1), 0)
                   AND v.since <= $2
                 WHERE l.license_id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
            ),
            &params,
            |row| {
                let facts = if row.get(1)? { None } else { Some(facts(row)?) };
                let version: u32 = row.get(8)?;
                Ok((version, PastLicense { id: row.get(0)?, since: row.get(2)?, facts }))
            },
        )?);
    }
    found.sort_unstable_by_key(|(version, it)| (it.id, *version));
    Ok(found.into_iter().map(|(_, it)| it).collect())
}

/// Returns all grants of licensees under licenses, the first accepted first.
pub fn grants(tx: &mut Tx<'_>, pairs: &[(LicenseId, TenantId)]) -> Result<Vec<HeldGrant>> {
    let mut found = Vec::new();
    for group in groups(pairs) {
        match group {
            Group::Party(licensee, licenses) => {
                for chunk in licenses.chunks(AT_ONCE) {
                    let licensee: &[Value<'_>] = params![licensee];
                    found.extend(tx.query(
                        sql!(
                            "SELECT grant_id, license_id, licensee_id, year, serial, terms,
                               revoked_at, created_at
                             FROM grants
                             WHERE licensee_id = $1
                               AND license_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
                        ),
                        &[licensee, &keys(chunk)].concat(),
                        read_grant,
                    )?);
                }
            }
            Group::License(license, licensees) => {
                for chunk in licensees.chunks(AT_ONCE) {
                    let license: &[Value<'_>] = params![license];
                    found.extend(tx.query(
                        sql!(
                            "SELECT grant_id, license_id, licensee_id, year, serial, terms,
                               revoked_at, created_at
                             FROM grants
                             WHERE license_id = $1
                               AND licensee_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
                        ),
                        &[license, &keys(chunk)].concat(),
                        read_grant,
                    )?);
                }
            }
        }
    }
    // Not ordered by the statements: an engine would then read all grants of the licensee.
    found.sort_unstable_by_key(|(id, it)| (it.accepted_at, *id));
    Ok(found.into_iter().map(|(_, it)| it).collect())
}

/// Returns the permissions that parties, each of two grantees, have or had on licenses.
pub fn permissions(tx: &mut Tx<'_>, pairs: &[(LicenseId, [Uuid; 2])]) -> Result<Vec<HeldPeriod>> {
    let mut found = Vec::new();
    for group in groups(pairs) {
        match group {
            Group::Party(grantees, licenses) => {
                for chunk in licenses.chunks(AT_ONCE) {
                    let grantees: &[Value<'_>] = params![grantees[0], grantees[1]];
                    found.extend(tx.query(
                        sql!(
                            "SELECT license_id, grantee_id, created_at, CAST(NULL AS BIGINT),
                               email_key IS NULL OR accepted_at IS NOT NULL
                             FROM permissions
                             WHERE grantee_id IN ($1, $2)
                               AND license_id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                             UNION ALL
                             SELECT license_id, grantee_id, granted_at, revoked_at, claimed
                             FROM past_permissions
                             WHERE grantee_id IN ($1, $2)
                               AND license_id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
                        ),
                        &[grantees, &keys(chunk)].concat(),
                        read_period,
                    )?);
                }
            }
            Group::License(license, parties) => {
                let grantees: Vec<Uuid> = parties.into_iter().flatten().collect();
                for chunk in grantees.chunks(AT_ONCE) {
                    let license: &[Value<'_>] = params![license];
                    found.extend(tx.query(
                        sql!(
                            "SELECT license_id, grantee_id, created_at, CAST(NULL AS BIGINT),
                               email_key IS NULL OR accepted_at IS NOT NULL
                             FROM permissions
                             WHERE license_id = $1
                               AND grantee_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                             UNION ALL
                             SELECT license_id, grantee_id, granted_at, revoked_at, claimed
                             FROM past_permissions
                             WHERE license_id = $1
                               AND grantee_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
                        ),
                        &[license, &keys(chunk)].concat(),
                        read_period,
                    )?);
                }
            }
        }
    }
    Ok(found)
}

/// Returns the only user of each of the tenants that is an individual's.
pub fn individuals(tx: &mut Tx<'_>, tenants: &[TenantId]) -> Result<Vec<(TenantId, UserId)>> {
    let mut found = Vec::new();
    for chunk in tenants.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT m.tenant_id, m.user_id
                 FROM tenants t JOIN memberships m ON m.tenant_id = t.tenant_id
                 WHERE t.type = 'Individual'
                   AND t.tenant_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &keys(chunk),
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?);
    }
    Ok(found)
}

/// Pairs of a license and a party that have one of the two in common.
enum Group<P> {
    Party(P, Vec<LicenseId>),
    License(LicenseId, Vec<P>),
}

/// Groups pairs by the party or by the license, whichever makes fewer groups.
fn groups<P: Copy + Ord>(pairs: &[(LicenseId, P)]) -> Vec<Group<P>> {
    let mut of_parties = BTreeMap::<P, Vec<LicenseId>>::new();
    let mut of_licenses = BTreeMap::<LicenseId, Vec<P>>::new();
    for (license, party) in pairs {
        of_parties.entry(*party).or_default().push(*license);
        of_licenses.entry(*license).or_default().push(*party);
    }
    if of_parties.len() <= of_licenses.len() {
        of_parties.into_iter().map(|(party, licenses)| Group::Party(party, licenses)).collect()
    } else {
        of_licenses.into_iter().map(|(id, parties)| Group::License(id, parties)).collect()
    }
}

fn keys<P: Param>(chunk: &[P]) -> [Value<'_>; AT_ONCE] {
    padded(chunk)
}

fn read_grant(row: &Row<'_>) -> Result<(GrantId, HeldGrant)> {
    let year = u16::try_from(row.get::<u32>(3)?).map_err(fault)?;
    let terms: GrantTerms = from_json(&row.get::<String>(5)?)?;
    let facts = GrantFacts {
        number: GrantNumber { year, serial: row.get(4)? },
        coverage: terms.coverage,
        revoked_at: row.get(6)?,
    };
    let (license, licensee, accepted_at) = (row.get(1)?, row.get(2)?, row.get(7)?);
    Ok((row.get(0)?, HeldGrant { license, licensee, accepted_at, facts }))
}

fn read_period(row: &Row<'_>) -> Result<HeldPeriod> {
    let (license, grantee) = (row.get(0)?, row.get(1)?);
    let (from, until, claimed) = (row.get(2)?, row.get(3)?, row.get(4)?);
    Ok(HeldPeriod { license, grantee, from, until, claimed })
}

/// Reads the status and all that follows it, from the fourth column on.
fn facts(row: &Row<'_>) -> Result<LicenseFacts> {
    Ok(LicenseFacts {
        status: row.get::<String>(3)?.parse().map_err(fault)?,
        uses: from_json(&row.get::<String>(4)?)?,
        territories: from_json(&row.get::<String>(5)?)?,
        valid_from: row.get(6)?,
        expires_at: row.get(7)?,
    })
}
