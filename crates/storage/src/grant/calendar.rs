//! A tenant's grants in a period, and the talents they are for.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::{GrantId, TalentId, TenantId};

use super::territory::side;
use super::{GrantRecord, load};
use crate::request::fault;
use crate::statement::sql_choice;
use crate::value::params;
use crate::{Result, Row, Tx};

/// How many grants each list is read for. This limits the cost of a calendar, however many grants a
/// tenant has.
const READ: u32 = 1_000;

/// How many grants a calendar has.
const SHOWN: usize = 200;

/// Which grants a calendar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarFilter {
    /// Those on one side of the tenant; both if not given.
    pub role: Option<Party>,
    /// Those with a stored status.
    pub status: Option<GrantStatus>,
    /// Those of one talent.
    pub talent: Option<TalentId>,
    /// Those that have not ended at this time.
    pub from: Timestamp,
    /// Those that start before this time.
    pub to: Timestamp,
}

/// The grants of a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar<T> {
    /// The grants, by talent and start.
    pub grants: Vec<T>,
    /// Whether there may be more grants in the period. Those that end first are shown.
    pub more: bool,
}

/// A grant that may be shown.
pub(super) struct Candidate {
    pub(super) id: GrantId,
    starts_at: Timestamp,
    ends_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    status: GrantStatus,
}

impl Candidate {
    /// Whether the grant is in effect at some time of the period.
    fn matches(&self, filter: &CalendarFilter) -> bool {
        let until = [self.ends_at, self.revoked_at].into_iter().flatten().min();
        self.starts_at < filter.to
            && until.is_none_or(|it| it > filter.from && it > self.starts_at)
            && filter.status.is_none_or(|it| it == self.status)
    }
}

/// Returns a tenant's grants that are in effect at some time of a period.
pub fn calendar(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: CalendarFilter,
) -> Result<Calendar<GrantRecord>> {
    let (mut found, mut more) = in_period(tx, tenant, &filter)?;
    // Grants without an end come last.
    found.sort_by_key(|it| (it.ends_at.is_none(), it.ends_at, it.id));
    found.dedup_by_key(|it| it.id);
    more |= found.len() > SHOWN;
    let ids: Vec<_> = found.iter().take(SHOWN).map(|it| it.id).collect();
    let mut grants = load(tx, &ids)?;
    grants.sort_by(|one, other| {
        let key = |it: &GrantRecord| (it.grant.talent, it.grant.terms.coverage.starts_at);
        let by_name = one.talent_name.cmp(&other.talent_name);
        by_name.then(key(one).cmp(&key(other))).then(one.grant.id.cmp(&other.grant.id))
    });
    Ok(Calendar { grants, more })
}

/// The grants that are in effect at some time of a period, and whether there may be more. A grant
/// between two sides of the tenant is listed twice.
pub(super) fn in_period(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: &CalendarFilter,
) -> Result<(Vec<Candidate>, bool)> {
    let (mut found, mut more) = (Vec::new(), false);
    for party in sides(filter.role) {
        for list in lists(tx, tenant, party, filter)? {
            more |= list.len() == READ as usize;
            found.extend(list.into_iter().filter(|it| it.matches(filter)));
        }
    }
    Ok((found, more))
}

pub(super) fn sides(role: Option<Party>) -> Vec<Party> {
    role.map_or_else(|| Party::ALL.to_vec(), |it| vec![it])
}

/// The lists that contain all grants of the period: those of the talent, or those that end after the
/// period begins and those without an end.
fn lists(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    filter: &CalendarFilter,
) -> Result<Vec<Vec<Candidate>>> {
    match filter.talent {
        Some(talent) => Ok(vec![list_of_talent(tx, tenant, party, talent)?]),
        None => Ok(vec![
            list_ending(tx, tenant, party, filter.from)?,
            list_without_end(tx, tenant, party)?,
        ]),
    }
}

fn list_of_talent(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    talent: TalentId,
) -> Result<Vec<Candidate>> {
    tx.query(
        sql_choice!(
            side(party),
            "SELECT grant_id, starts_at, ends_at, revoked_at, status FROM grants WHERE ",
            ["licensee_id", "licensor_id"],
            " = $1 AND talent_id = $2 ORDER BY grant_id DESC LIMIT $3"
        ),
        params![tenant, talent, READ],
        candidate,
    )
}

fn list_ending(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    from: Timestamp,
) -> Result<Vec<Candidate>> {
    tx.query(
        sql_choice!(
            side(party),
            "SELECT grant_id, starts_at, ends_at, revoked_at, status FROM grants WHERE ",
            ["licensee_id", "licensor_id"],
            " = $1 AND ends_at > $2 ORDER BY ends_at, grant_id LIMIT $3"
        ),
        params![tenant, from, READ],
        candidate,
    )
}

/// The order names the end, because PostgreSQL does not know that it is the same for all of them.
fn list_without_end(tx: &mut Tx<'_>, tenant: TenantId, party: Party) -> Result<Vec<Candidate>> {
    tx.query(
        sql_choice!(
            side(party),
            "SELECT grant_id, starts_at, ends_at, revoked_at, status FROM grants WHERE ",
            ["licensee_id", "licensor_id"],
            " = $1 AND ends_at IS NULL ORDER BY ends_at DESC, grant_id DESC LIMIT $2"
        ),
        params![tenant, READ],
        candidate,
    )
}

fn candidate(row: &Row<'_>) -> Result<Candidate> {
    Ok(Candidate {
        id: row.get("grant_id")?,
        starts_at: row.get("starts_at")?,
        ends_at: row.get("ends_at")?,
        revoked_at: row.get("revoked_at")?,
        status: row.get::<String>("status")?.parse().map_err(fault)?,
    })
}

/// Lists the talents that a tenant has grants for, by name, at most `at_most` for each side. The
/// statement skips from talent to talent in the index, and counts them itself: PostgreSQL may read all
/// before it joins their names.
pub fn list_talents(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    role: Option<Party>,
    at_most: u32,
) -> Result<Vec<(TalentId, String)>> {
    let mut talents = BTreeMap::new();
    for party in sides(role) {
        let found: Vec<(TalentId, String)> = tx.query(
            sql_choice!(
                side(party),
                "WITH RECURSIVE ",
                [
                    "held (talent_id, number) AS (
                       SELECT (SELECT talent_id FROM grants WHERE licensee_id = $1
                               ORDER BY talent_id LIMIT 1), CAST(1 AS bigint)
                       UNION ALL
                       SELECT (SELECT g.talent_id FROM grants g
                               WHERE g.licensee_id = $1 AND g.talent_id > h.talent_id
                               ORDER BY g.talent_id LIMIT 1), h.number + 1
                       FROM held h WHERE h.talent_id IS NOT NULL AND h.number < $2)",
                    "held (talent_id, number) AS (
                       SELECT (SELECT talent_id FROM grants WHERE licensor_id = $1
                               ORDER BY talent_id LIMIT 1), CAST(1 AS bigint)
                       UNION ALL
                       SELECT (SELECT g.talent_id FROM grants g
                               WHERE g.licensor_id = $1 AND g.talent_id > h.talent_id
                               ORDER BY g.talent_id LIMIT 1), h.number + 1
                       FROM held h WHERE h.talent_id IS NOT NULL AND h.number < $2)",
                ],
                " SELECT t.talent_id, t.fullname FROM held h CROSS JOIN talents t
                 WHERE t.talent_id = h.talent_id"
            ),
            params![tenant, at_most],
            |row| Ok((row.get("talent_id")?, row.get("fullname")?)),
        )?;
        talents.extend(found);
    }
    let mut talents: Vec<_> = talents.into_iter().collect();
    talents.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(talents)
}
