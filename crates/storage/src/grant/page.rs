//! Pages of a tenant's grants, newest first.

mod in_territory;

use std::cmp::Reverse;

use grantor_domain::Timestamp;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::{GrantId, LicenseId, TalentId, TenantId};
use grantor_domain::license::Territory;
use grantor_domain::page::{Listing, Page};

use self::in_territory::{count_in_territory, in_territory};
use super::territory::side;
use super::{GrantRecord, in_force, load};
use crate::merge;
use crate::party_count::{self, PartyList};
use crate::statement::sql_choice;
use crate::total::{self, BOUND, Total, Window};
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// Up to this many grants are loaded and sorted, instead of walking through the list.
const FEW: u32 = 500;

/// Which grants are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantFilter {
    /// Those on one side of the tenant; both if not given.
    pub role: Option<Party>,
    /// Those with a stored status.
    pub status: Option<GrantStatus>,
    /// Those under one license.
    pub license: Option<LicenseId>,
    /// Those of one talent.
    pub talent: Option<TalentId>,
    /// Those that apply in a territory. Worldwide grants apply in each.
    pub territory: Option<Territory>,
    /// Those that end before a moment.
    pub ends_before: Option<Timestamp>,
    /// Those that are in force at a moment.
    pub in_force_at: Option<Timestamp>,
}

impl GrantFilter {
    /// Whether the counters do not know the total.
    fn is_narrow(&self) -> bool {
        self.license.is_some()
            || self.talent.is_some()
            || self.territory.is_some()
            || self.ends_before.is_some()
    }

    /// The end before which grants must end, if nothing but the status narrows the list besides.
    fn only_end(&self) -> Option<Timestamp> {
        let more = self.license.is_some() || self.talent.is_some() || self.territory.is_some();
        self.ends_before.filter(|_| !more)
    }

    /// The territory, if nothing but the status narrows the list besides.
    fn only_territory(&self) -> Option<Territory> {
        let more = self.license.is_some() || self.talent.is_some() || self.ends_before.is_some();
        self.territory.filter(|_| !more)
    }

    /// The name of the status, or nothing for any.
    fn status_name(&self) -> &'static str {
        self.status.map_or("", GrantStatus::name)
    }
}

/// Returns a page of a tenant's grants.
pub fn page(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: GrantFilter,
    page: Page,
) -> Result<Listing<GrantRecord>> {
    if let Some(at) = filter.in_force_at {
        return in_force::page(tx, tenant, &filter, at, page);
    }
    let sides = match filter.role {
        Some(role) => vec![role],
        None => Party::ALL.to_vec(),
    };
    if let Some(listing) = one_sided(tx, tenant, &sides, filter, page)? {
        return Ok(listing);
    }
    let ids = merge::page(page, sides.len(), |at, limit, offset| {
        let ids = list(tx, tenant, sides[at], filter, Part { limit, offset })?;
        Ok(ids.into_iter().map(Reverse).collect())
    })?;
    let ids: Vec<GrantId> = ids.into_iter().map(|Reverse(id)| id).collect();
    let mut found = load(tx, &ids)?;
    found.sort_by_key(|it| Reverse(it.grant.id));
    total::listing(page, found, || count(tx, tenant, &sides, filter))
}

/// Returns a page of a tenant that is on one side of all its grants, as most are: a few rows of one
/// index, however long the list is. `None` if lists must be merged or are not counted.
fn one_sided(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    sides: &[Party],
    filter: GrantFilter,
    page: Page,
) -> Result<Option<Listing<GrantRecord>>> {
    if filter.is_narrow() {
        return Ok(None);
    }
    let mut counted = Vec::new();
    for party in sides {
        counted.push((*party, counter(tx, tenant, *party, filter)?));
    }
    counted.retain(|(_, total)| *total > 0);
    let (party, total) = match counted.as_slice() {
        [] => return Ok(Some(Listing::new(page, vec![], 0))),
        [only] => *only,
        _ => return Ok(None),
    };
    let ids = match total::window(page, total) {
        Some(window) => ordered(tx, tenant, party, filter.status, window)?,
        None => vec![],
    };
    let mut found = load(tx, &ids)?;
    found.sort_by_key(|it| Reverse(it.grant.id));
    Ok(Some(Listing::new(page, found, total)))
}

fn counter(tx: &mut Tx<'_>, tenant: TenantId, party: Party, filter: GrantFilter) -> Result<u64> {
    let list = match party {
        Party::Asker => PartyList::GrantsHeld,
        Party::Owner => PartyList::GrantsGiven,
    };
    party_count::get(tx, tenant, list, filter.status.map(GrantStatus::name))
}

/// Grants of one side in the order of an index, in either direction.
fn ordered(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    status: Option<GrantStatus>,
    Window { backwards, limit, offset }: Window,
) -> Result<Vec<GrantId>> {
    let way = side(party) + if backwards { 2 } else { 0 };
    match status {
        None => tx.query(
            sql_choice!(
                way,
                "SELECT grant_id FROM grants WHERE ",
                [
                    "licensee_id = $1 ORDER BY grant_id DESC",
                    "licensor_id = $1 ORDER BY grant_id DESC",
                    "licensee_id = $1 ORDER BY grant_id",
                    "licensor_id = $1 ORDER BY grant_id",
                ],
                " LIMIT $2 OFFSET $3"
            ),
            params![tenant, limit, offset],
            id,
        ),
        Some(status) => tx.query(
            sql_choice!(
                way,
                "SELECT grant_id FROM grants WHERE status = $4 AND ",
                [
                    "licensee_id = $1 ORDER BY grant_id DESC",
                    "licensor_id = $1 ORDER BY grant_id DESC",
                    "licensee_id = $1 ORDER BY grant_id",
                    "licensor_id = $1 ORDER BY grant_id",
                ],
                " LIMIT $2 OFFSET $3"
            ),
            params![tenant, limit, offset, status.name()],
            id,
        ),
    }
}

fn count(tx: &mut Tx<'_>, tenant: TenantId, sides: &[Party], filter: GrantFilter) -> Result<Total> {
    let (mut total, mut more) = (0, false);
    for side in sides {
        total += if filter.is_narrow() {
            let counted = match filter.only_end() {
                Some(end) => count_ending(tx, tenant, *side, end, filter)?,
                None if filter.only_territory().is_some() => {
                    count_in_territory(tx, tenant, *side, filter)?
                }
                None => narrow(tx, tenant, *side, filter, i64::from(BOUND))?.len() as u64,
            };
            more |= counted >= u64::from(BOUND);
            counted
        } else {
            counter(tx, tenant, *side, filter)?
        };
    }
    Ok(if more { Total::About(total) } else { Total::Exact(total) })
}

/// A part of the grants of one side.
#[derive(Clone, Copy)]
struct Part {
    limit: i64,
    offset: i64,
}

fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    side: Party,
    filter: GrantFilter,
    Part { limit, offset }: Part,
) -> Result<Vec<GrantId>> {
    if filter.is_narrow() {
        let mut ids = narrow(tx, tenant, side, filter, limit + offset)?;
        ids.sort_unstable_by_key(|it| Reverse(*it));
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX).min(ids.len());
        return Ok(ids.split_off(skipped));
    }
    let window = Window { backwards: false, limit, offset };
    ordered(tx, tenant, side, filter.status, window)
}

/// Lists grants by license, talent, territory or end.
fn narrow(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    filter: GrantFilter,
    at_most: i64,
) -> Result<Vec<GrantId>> {
    if let (None, None, Some(place)) = (filter.license, filter.talent, filter.territory) {
        return in_territory(tx, tenant, party, place, filter, at_most);
    }
    if let Some(end) = filter.only_end()
        && let Some(few) = ending(tx, tenant, party, end, filter)?
    {
        return Ok(few);
    }
    in_order(tx, tenant, party, filter, at_most)
}

/// Lists grants by license or talent and status in the order of an index, with the other conditions
/// checked row by row.
fn in_order(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    filter: GrantFilter,
    at_most: i64,
) -> Result<Vec<GrantId>> {
    let by = match (filter.license, filter.talent) {
        (Some(_), _) => 0,
        (None, Some(_)) => 2,
        (None, None) => 4,
    };
    let way = by + side(party) + if filter.status.is_some() { 6 } else { 0 };
    let open = filter.ends_before.is_none();
    let before = filter.ends_before.unwrap_or(Timestamp::from_micros(i64::MAX));
    let place = filter.territory.as_ref().map_or("", Territory::as_str);
    let (status, name) = (filter.status_name(), party.name());
    let (license, talent) = (filter.license, filter.talent);
    tx.query(
        sql_choice!(
            way,
            "SELECT g.grant_id FROM grants g WHERE ",
            [
                "g.licensee_id = $1 AND $3 = '' AND g.license_id = $6
                   AND g.talent_id = coalesce($7, g.talent_id)",
                "g.licensor_id = $1 AND $3 = '' AND g.license_id = $6
                   AND g.talent_id = coalesce($7, g.talent_id)",
                "g.licensee_id = $1 AND $3 = '' AND CAST($6 AS uuid) IS NULL AND g.talent_id = $7",
                "g.licensor_id = $1 AND $3 = '' AND CAST($6 AS uuid) IS NULL AND g.talent_id = $7",
                "g.licensee_id = $1 AND $3 = '' AND CAST($6 AS uuid) IS NULL
                   AND CAST($7 AS uuid) IS NULL",
                "g.licensor_id = $1 AND $3 = '' AND CAST($6 AS uuid) IS NULL
                   AND CAST($7 AS uuid) IS NULL",
                "g.licensee_id = $1 AND g.status = $3 AND g.license_id = $6
                   AND g.talent_id = coalesce($7, g.talent_id)",
                "g.licensor_id = $1 AND g.status = $3 AND g.license_id = $6
                   AND g.talent_id = coalesce($7, g.talent_id)",
                "g.licensee_id = $1 AND g.status = $3 AND CAST($6 AS uuid) IS NULL
                   AND g.talent_id = $7",
                "g.licensor_id = $1 AND g.status = $3 AND CAST($6 AS uuid) IS NULL
                   AND g.talent_id = $7",
                "g.licensee_id = $1 AND g.status = $3 AND CAST($6 AS uuid) IS NULL
                   AND CAST($7 AS uuid) IS NULL",
                "g.licensor_id = $1 AND g.status = $3 AND CAST($6 AS uuid) IS NULL
                   AND CAST($7 AS uuid) IS NULL",
            ],
            " AND (g.ends_at < $4 OR (g.ends_at IS NULL AND $5))
               AND ($8 = '' OR EXISTS (
                 SELECT 1 FROM grant_territories t
                 WHERE t.tenant_id = $1 AND t.party = $9 AND t.territory IN ($8, 'WORLD')
                   AND t.grant_id = g.grant_id))
             ORDER BY g.grant_id DESC LIMIT $2"
        ),
        params![tenant, at_most, status, before, open, license, talent, place, name],
        id,
    )
}

/// Lists the grants that end before a moment, if they are few. Among many, those on a page are found
/// sooner in the order of the list.
fn ending(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    end: Timestamp,
    filter: GrantFilter,
) -> Result<Option<Vec<GrantId>>> {
    let found: Vec<GrantId> = tx.query(
        sql_choice!(
            side(party) + if filter.status.is_some() { 2 } else { 0 },
            "SELECT grant_id FROM grants WHERE ",
            [
                "licensee_id = $1 AND $4 = ''",
                "licensor_id = $1 AND $4 = ''",
                "licensee_id = $1 AND status = $4",
                "licensor_id = $1 AND status = $4",
            ],
            " AND ends_at < $2 ORDER BY ends_at DESC LIMIT $3"
        ),
        params![tenant, end, FEW + 1, filter.status_name()],
        id,
    )?;
    Ok((found.len() <= FEW as usize).then_some(found))
}

/// Counts up to [`BOUND`] grants that end before a moment.
fn count_ending(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    end: Timestamp,
    filter: GrantFilter,
) -> Result<u64> {
    let counted: Option<u32> = tx.find(
        sql_choice!(
            side(party) + if filter.status.is_some() { 2 } else { 0 },
            "SELECT count(*) FROM (SELECT grant_id FROM grants WHERE ",
            [
                "licensee_id = $1 AND $4 = ''",
                "licensor_id = $1 AND $4 = ''",
                "licensee_id = $1 AND status = $4",
                "licensor_id = $1 AND status = $4",
            ],
            " AND ends_at < $2 ORDER BY ends_at DESC LIMIT $3) found"
        ),
        params![tenant, end, BOUND, filter.status_name()],
        only_column,
    )?;
    Ok(counted.map_or(0, u64::from))
}

fn id(row: &Row<'_>) -> Result<GrantId> {
    only_column(row)
}
