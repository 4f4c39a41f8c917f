//! Grants that apply in a territory.

use grantor_domain::grant::Party;
use grantor_domain::id::{GrantId, TenantId};
use grantor_domain::license::Territory;

use super::{GrantFilter, id};
use crate::statement::sql_choice;
use crate::total::BOUND;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Counts the grants that apply in a territory, up to [`BOUND`] in it and as many worldwide ones.
pub(super) fn count_in_territory(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    filter: GrantFilter,
) -> Result<u64> {
    let mut total = 0;
    for place in filter.territory.into_iter().flat_map(places) {
        let counted: Option<u32> = tx.find(
            sql_choice!(
                usize::from(filter.status.is_some()),
                "SELECT count(*) FROM (SELECT grant_id FROM grant_territories WHERE ",
                ["$5 = ''", "status = $5"],
                " AND tenant_id = $1 AND party = $3 AND territory = $4 LIMIT $2) found"
            ),
            params![tenant, BOUND, party.name(), place.as_str(), filter.status_name()],
            only_column,
        )?;
        total += counted.map_or(0, u64::from);
    }
    Ok(total)
}

/// A territory, and the world, which includes it.
fn places(territory: Territory) -> impl Iterator<Item = Territory> {
    let world = (!territory.is_world()).then_some(Territory::WORLD);
    std::iter::once(territory).chain(world)
}

/// Lists the grants that apply in a territory, including worldwide ones. Their end is not among the
/// columns of territories.
pub(super) fn in_territory(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    territory: Territory,
    filter: GrantFilter,
    at_most: i64,
) -> Result<Vec<GrantId>> {
    let way = usize::from(filter.status.is_some()) + 2 * usize::from(filter.ends_before.is_some());
    let (status, end) = (filter.status_name(), filter.ends_before);
    let mut ids = Vec::new();
    for place in places(territory) {
        ids.extend(tx.query(
            sql_choice!(
                way,
                "SELECT t.grant_id FROM grant_territories t",
                [
                    " WHERE $5 = '' AND CAST($6 AS bigint) IS NULL",
                    " WHERE t.status = $5 AND CAST($6 AS bigint) IS NULL",
                    " CROSS JOIN grants g
                     WHERE $5 = '' AND g.grant_id = t.grant_id AND g.ends_at < $6",
                    " CROSS JOIN grants g
                     WHERE t.status = $5 AND g.grant_id = t.grant_id AND g.ends_at < $6",
                ],
                " AND t.tenant_id = $1 AND t.party = $3 AND t.territory = $4
                 ORDER BY t.grant_id DESC LIMIT $2"
            ),
            params![tenant, at_most, party.name(), place.as_str(), status, end],
            id,
        )?);
    }
    Ok(ids)
}
