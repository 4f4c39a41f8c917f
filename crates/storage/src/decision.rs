//! The facts of decisions, read for many licenses and parties at once: a batch of questions takes a
//! few statements, not a few for each question or for each license of a talent.

mod license;

use std::collections::{BTreeMap, BTreeSet};

use grantor_domain::Timestamp;
use grantor_domain::decision::{GrantFacts, LicenseFacts, Period};
use grantor_domain::grant::{Coverage, GrantNumber};
use grantor_domain::id::{GrantId, LicenseId, TalentId, TenantId, UserId};
use uuid::Uuid;

pub use self::license::{held_licenses, licenses, newest_licenses};
use crate::request::{fault, from_json};
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Result, Row, Tx};

/// How many versions of a license are read to find what a permission would allow.
const NEWEST_VERSIONS: u32 = 100;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// One license.
    License(LicenseId),
    /// The licenses of a talent that the caller can see: all under which the party has a right, and
    /// the newest others.
    Talent(TalentId),
}

/// Who asks: the tenant, and the two readers as whom it sees licenses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The tenant.
    pub tenant: TenantId,
    /// The readers.
    pub readers: [Uuid; 2],
}

/// A license as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentLicense {
    /// The license.
    pub id: LicenseId,
    /// The owner.
    pub owner: TenantId,
    /// The talent.
    pub talent: TalentId,
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
    /// From when it was given until it was revoked.
    pub period: Period,
    /// False if it was given to an email address that nobody has claimed.
    pub claimed: bool,
}

/// Returns the versions of licenses that were current at some time of a period, oldest first.
pub fn versions(
    tx: &mut Tx<'_>,
    ids: &[LicenseId],
    (first, last): (Timestamp, Timestamp),
) -> Result<Vec<PastLicense>> {
    let found = tx.query(
        sql!(
            "SELECT v.license_id, v.deleted, v.since, v.status, v.uses, v.territories,
               v.valid_from, v.expires_at, v.version
             FROM licenses l
             JOIN license_versions v ON v.license_id = l.license_id
               AND v.since >= coalesce(
                 (SELECT max(e.since) FROM license_versions e
                  WHERE e.license_id = l.license_id AND e.since <= $1), $1)
               AND v.since <= $2
             WHERE l.license_id = ANY($3)"
        ),
        params![first, last, keys(ids)],
        read_version,
    )?;
    Ok(in_order(found))
}

/// Returns the newest versions of licenses, oldest first: up to 100 of each license.
pub fn newest_versions(tx: &mut Tx<'_>, ids: &[LicenseId]) -> Result<Vec<PastLicense>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let found = tx.query(
        sql!(
            "SELECT v.license_id, v.deleted, v.since, v.status, v.uses, v.territories,
               v.valid_from, v.expires_at, v.version
             FROM licenses l
             JOIN license_versions v ON v.license_id = l.license_id
               AND v.version > l.version - $1
             WHERE l.license_id = ANY($2)"
        ),
        params![NEWEST_VERSIONS, keys(ids)],
        read_version,
    )?;
    Ok(in_order(found))
}

fn in_order(mut versions: Vec<(u32, PastLicense)>) -> Vec<PastLicense> {
    versions.sort_unstable_by_key(|(version, it)| (it.id, *version));
    versions.into_iter().map(|(_, it)| it).collect()
}

/// Returns all grants of licensees, the first accepted first.
pub fn grants(tx: &mut Tx<'_>, pairs: &[(Subject, TenantId)]) -> Result<Vec<HeldGrant>> {
    let pairs: Vec<_> = pairs.iter().map(|(it, party)| (*it, [party.as_uuid(); 2])).collect();
    let mut found = Vec::new();
    for Group { way, one: [one, _], many } in groups(&pairs) {
        found.extend(tx.query(
            sql_choice!(
                way + single(&many),
                "SELECT grant_id, license_id, licensee_id, year, serial, terms, revoked_at,
                   created_at
                 FROM grants WHERE ",
                [
                    "licensee_id = $1 AND license_id = ANY($2)",
                    "license_id = $1 AND licensee_id = ANY($2)",
                    "licensee_id = $1 AND talent_id = ANY($2)",
                    "licensee_id = $1 AND license_id = $2",
                    "license_id = $1 AND licensee_id = $2",
                    "licensee_id = $1 AND talent_id = $2",
                ],
                ""
            ),
            &[Value::Uuid(one), one_or_many(&many)],
            read_grant,
        )?);
    }
    // Not ordered by the statements: an engine would then read all grants of the licensee.
    found.sort_unstable_by_key(|(id, it)| (it.accepted_at, *id));
    found.dedup_by_key(|(id, _)| *id);
    Ok(found.into_iter().map(|(_, it)| it).collect())
}

/// Returns the permissions that parties, each of two grantees, have or had. One may be returned
/// twice.
pub fn permissions(tx: &mut Tx<'_>, pairs: &[(Subject, [Uuid; 2])]) -> Result<Vec<HeldPeriod>> {
    let mut found = Vec::new();
    for Group { way, one: [one, other], many } in groups(pairs) {
        found.extend(tx.query(
            sql_choice!(
                way + single(&many),
                "SELECT p.license_id, p.grantee_id, p.held_from, p.held_until, p.claimed
                 FROM (
                   SELECT license_id, grantee_id, talent_id, created_at AS held_from,
                     CAST(NULL AS BIGINT) AS held_until,
                     email_key IS NULL OR accepted_at IS NOT NULL AS claimed
                   FROM permissions
                   UNION ALL
                   SELECT license_id, grantee_id, talent_id, granted_at, revoked_at, claimed
                   FROM past_permissions
                 ) p
                 WHERE ",
                [
                    "p.grantee_id IN ($1, $2) AND p.license_id = ANY($3)",
                    "p.license_id IN ($1, $2) AND p.grantee_id = ANY($3)",
                    "p.grantee_id IN ($1, $2) AND p.talent_id = ANY($3)",
                    "p.grantee_id IN ($1, $2) AND p.license_id = $3",
                    "p.license_id IN ($1, $2) AND p.grantee_id = $3",
                    "p.grantee_id IN ($1, $2) AND p.talent_id = $3",
                ],
                ""
            ),
            &[Value::Uuid(one), Value::Uuid(other), one_or_many(&many)],
            read_period,
        )?);
    }
    Ok(found)
}

/// Returns the only user of each of the tenants that is an individual's.
pub fn individuals(tx: &mut Tx<'_>, tenants: &[TenantId]) -> Result<Vec<(TenantId, UserId)>> {
    if tenants.is_empty() {
        return Ok(vec![]);
    }
    let tenants: Vec<Uuid> = tenants.iter().map(|it| it.as_uuid()).collect();
    tx.query(
        sql!(
            "SELECT m.tenant_id, m.user_id
             FROM tenants t JOIN memberships m ON m.tenant_id = t.tenant_id
             WHERE t.type = 'Individual' AND t.tenant_id = ANY($1)"
        ),
        params![tenants],
        |row| Ok((row.get("tenant_id")?, row.get("user_id")?)),
    )
}

/// Pairs of a subject and a party that have one of the two in common.
struct Group {
    /// The position in the choices of a statement.
    way: usize,
    /// What the pairs have in common: the two ids of a party, or a license twice.
    one: [Uuid; 2],
    /// The other ids.
    many: Vec<Uuid>,
}

/// The licenses of one party, the parties of one license, and the talents of one party.
const LICENSES: usize = 0;
const PARTIES: usize = 1;
const TALENTS: usize = 2;
const WAYS: usize = 3;

/// Groups pairs with licenses by the party or by the license, whichever makes fewer groups, and pairs
/// with talents by the party.
fn groups(pairs: &[(Subject, [Uuid; 2])]) -> Vec<Group> {
    let mut licenses = BTreeMap::<[Uuid; 2], BTreeSet<Uuid>>::new();
    let mut parties = BTreeMap::<[Uuid; 2], BTreeSet<Uuid>>::new();
    let mut talents = BTreeMap::<[Uuid; 2], BTreeSet<Uuid>>::new();
    for (subject, party) in pairs {
        match subject {
            Subject::License(id) => {
                licenses.entry(*party).or_default().insert(id.as_uuid());
                parties.entry([id.as_uuid(); 2]).or_default().extend(party);
            }
            Subject::Talent(id) => {
                talents.entry(*party).or_default().insert(id.as_uuid());
            }
        }
    }
    let (way, of_licenses) =
        if licenses.len() <= parties.len() { (LICENSES, licenses) } else { (PARTIES, parties) };
    let of_licenses = of_licenses.into_iter().map(|(one, many)| (way, one, many));
    let of_talents = talents.into_iter().map(|(one, many)| (TALENTS, one, many));
    let all = of_licenses.chain(of_talents);
    all.map(|(way, one, many)| Group { way, one, many: many.into_iter().collect() }).collect()
}

fn keys(ids: &[LicenseId]) -> Vec<Uuid> {
    ids.iter().map(|it| it.as_uuid()).collect()
}

/// How far the choices for one key are behind those for several: looking up one is cheaper.
fn single(keys: &[Uuid]) -> usize {
    if keys.len() == 1 { WAYS } else { 0 }
}

fn one_or_many(keys: &[Uuid]) -> Value<'_> {
    if let [one] = keys { Value::Uuid(*one) } else { Value::Uuids(keys) }
}

fn read_grant(row: &Row<'_>) -> Result<(GrantId, HeldGrant)> {
    let year = u16::try_from(row.get::<u32>("year")?).map_err(fault)?;
    // The other terms do not matter for decisions.
    let coverage: Coverage = from_json(&row.get::<String>("terms")?)?;
    let number = GrantNumber { year, serial: row.get("serial")? };
    let facts = GrantFacts { number, coverage, revoked_at: row.get("revoked_at")? };
    let (license, licensee, accepted_at) =
        (row.get("license_id")?, row.get("licensee_id")?, row.get("created_at")?);
    Ok((row.get("grant_id")?, HeldGrant { license, licensee, accepted_at, facts }))
}

fn read_version(row: &Row<'_>) -> Result<(u32, PastLicense)> {
    let facts = if row.get("deleted")? { None } else { Some(facts(row)?) };
    Ok((
        row.get("version")?,
        PastLicense { id: row.get("license_id")?, since: row.get("since")?, facts },
    ))
}

fn read_period(row: &Row<'_>) -> Result<HeldPeriod> {
    let period = Period { from: row.get("held_from")?, until: row.get("held_until")? };
    Ok(HeldPeriod {
        license: row.get("license_id")?,
        grantee: row.get("grantee_id")?,
        period,
        claimed: row.get("claimed")?,
    })
}

fn facts(row: &Row<'_>) -> Result<LicenseFacts> {
    Ok(LicenseFacts {
        status: row.get::<String>("status")?.parse().map_err(fault)?,
        uses: from_json(&row.get::<String>("uses")?)?,
        territories: from_json(&row.get::<String>("territories")?)?,
        valid_from: row.get("valid_from")?,
        expires_at: row.get("expires_at")?,
    })
}
