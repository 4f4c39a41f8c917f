//! Where grants apply: one row for each party, grant and territory, so that a map and the check for
//! exclusive grants need not read the terms of every grant.

use grantor_domain::Timestamp;
use grantor_domain::grant::{Grant, GrantStatus, Party};
use grantor_domain::id::{GrantId, TenantId};
use grantor_domain::license::Territory;

use crate::request::fault;
use crate::statement::{sql, sql_choice};
use crate::value::{padded, params};
use crate::{Result, Row, Tx};

/// How many territories one statement inserts.
const AT_ONCE: usize = 20;

/// How many grants a map counts in each territory, of those that end first. This limits its cost,
/// however many grants a party has.
pub(super) const COUNTED: u32 = 500;

/// The stored end of a grant without an end.
pub(super) const NEVER: Timestamp = Timestamp::from_micros(i64::MAX);

/// The grants of a party in one territory at one time, either the exclusive or the other ones.
/// Worldwide grants count only for the territory `WORLD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerritoryCount {
    /// The territory.
    pub territory: Territory,
    /// Whether these are the exclusive grants.
    pub exclusive: bool,
    /// The number of grants.
    pub grants: u64,
    /// Whether there may be more grants than were counted.
    pub more: bool,
    /// The latest end of the counted grants; `None` if one has no end.
    pub until: Option<Timestamp>,
}

/// Inserts the territories of a new grant, for both parties.
pub(super) fn insert(tx: &mut Tx<'_>, grant: &Grant) -> Result<()> {
    let territories = grant.terms.coverage.territories.as_slice();
    let world = territories.iter().find(|it| it.is_world()).map(std::slice::from_ref);
    let codes: Vec<_> = world.unwrap_or(territories).iter().map(Territory::as_str).collect();
    for chunk in codes.chunks(AT_ONCE) {
        for party in Party::ALL {
            tx.execute(
                sql_choice!(
                    side(party),
                    "INSERT INTO grant_territories (tenant_id, party, territory, grant_id,
                       exclusive, starts_at, until, talent_id, status)
                     SELECT ",
                    ["g.licensee_id, 'asker'", "g.licensor_id, 'owner'"],
                    ", places.territory, g.grant_id, g.exclusive, g.starts_at,
                       coalesce(g.ends_at, $2), g.talent_id, g.status
                     FROM (SELECT $3 AS territory UNION SELECT $4 UNION SELECT $5 UNION SELECT $6
                       UNION SELECT $7 UNION SELECT $8 UNION SELECT $9 UNION SELECT $10
                       UNION SELECT $11 UNION SELECT $12 UNION SELECT $13 UNION SELECT $14
                       UNION SELECT $15 UNION SELECT $16 UNION SELECT $17 UNION SELECT $18
                       UNION SELECT $19 UNION SELECT $20 UNION SELECT $21 UNION SELECT $22) places
                     CROSS JOIN grants g WHERE g.grant_id = $1"
                ),
                &[params![grant.id, NEVER] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            )?;
        }
    }
    Ok(())
}

/// The position of a side in the choices of a statement.
pub(super) const fn side(party: Party) -> usize {
    match party {
        Party::Asker => 0,
        Party::Owner => 1,
    }
}

/// Stores the status of a grant for all territories.
pub(super) fn set_status(tx: &mut Tx<'_>, id: GrantId, status: GrantStatus) -> Result<()> {
    tx.execute(
        sql!("UPDATE grant_territories SET status = $2 WHERE grant_id = $1"),
        params![id, status.name()],
    )?;
    Ok(())
}

/// Ends a revoked grant in all territories.
pub(super) fn end(tx: &mut Tx<'_>, id: GrantId, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE grant_territories
             SET status = 'revoked', until = CASE WHEN until > $2 THEN $2 ELSE until END
             WHERE grant_id = $1"
        ),
        params![id, at],
    )?;
    Ok(())
}

/// Counts the grants that one side of a tenant has at a time, by territory. Territories with none
/// are left out. The statement skips from territory to territory in the index.
pub fn count_by_territory(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    exclusive: bool,
    at: Timestamp,
) -> Result<Vec<TerritoryCount>> {
    let counts = tx.query(
        sql!(
            "WITH RECURSIVE places (territory) AS (
               SELECT (SELECT territory FROM grant_territories
                       WHERE tenant_id = $1 AND party = $2 ORDER BY territory LIMIT 1)
               UNION ALL
               SELECT (SELECT t.territory FROM grant_territories t
                       WHERE t.tenant_id = $1 AND t.party = $2 AND t.territory > p.territory
                       ORDER BY t.territory LIMIT 1)
               FROM places p WHERE p.territory IS NOT NULL)
             SELECT p.territory,
               (SELECT count(*) FROM (
                  SELECT t.starts_at FROM grant_territories t
                  WHERE t.tenant_id = $1 AND t.party = $2 AND t.territory = p.territory
                    AND t.exclusive = $3 AND t.until > $4
                  ORDER BY t.until LIMIT $5) found) AS ahead,
               (SELECT count(*) FROM (
                  SELECT t.starts_at FROM grant_territories t
                  WHERE t.tenant_id = $1 AND t.party = $2 AND t.territory = p.territory
                    AND t.exclusive = $3 AND t.until > $4
                  ORDER BY t.until LIMIT $5) found WHERE found.starts_at <= $4) AS grants,
               (SELECT max(found.until) FROM (
                  SELECT t.starts_at, t.until FROM grant_territories t
                  WHERE t.tenant_id = $1 AND t.party = $2 AND t.territory = p.territory
                    AND t.exclusive = $3 AND t.until > $4
                  ORDER BY t.until LIMIT $5) found WHERE found.starts_at <= $4) AS until
             FROM places p WHERE p.territory IS NOT NULL"
        ),
        params![tenant, party.name(), exclusive, at, COUNTED],
        |row| read(row, exclusive),
    )?;
    Ok(counts.into_iter().filter(|it| it.grants > 0).collect())
}

fn read(row: &Row<'_>, exclusive: bool) -> Result<TerritoryCount> {
    let territory = Territory::parse(&row.get::<String>("territory")?).map_err(fault)?;
    let until: Option<Timestamp> = row.get("until")?;
    Ok(TerritoryCount {
        territory,
        exclusive,
        grants: u64::from(row.get::<u32>("grants")?),
        more: row.get::<u32>("ahead")? == COUNTED,
        until: until.filter(|it| *it < NEVER),
    })
}
