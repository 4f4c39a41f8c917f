//! Pages of a tenant's grants, newest first.

use std::cmp::Reverse;

use grantor_domain::Timestamp;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::{GrantId, LicenseId, TalentId, TenantId};
use grantor_domain::license::Territory;
use grantor_domain::page::{Listing, Page};

use super::territory::side;
use super::{GrantRecord, load};
use crate::party_count::{self, PartyList};
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total, Window};
use crate::value::params;
use crate::{Result, Row, Tx};

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
}

impl GrantFilter {
    /// Whether the counters do not know the total.
    fn is_narrow(&self) -> bool {
        self.license.is_some()
            || self.talent.is_some()
            || self.territory.is_some()
            || self.ends_before.is_some()
    }
}

/// Returns a page of a tenant's grants.
pub fn page(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: GrantFilter,
    page: Page,
) -> Result<Listing<GrantRecord>> {
    let sides = match filter.role {
        Some(role) => vec![role],
        None => Party::ALL.to_vec(),
    };
    if let Some(listing) = one_sided(tx, tenant, &sides, filter, page)? {
        return Ok(listing);
    }
    let reach = page.offset() + i64::from(page.size()) + 1;
    let mut ids = Vec::new();
    for side in &sides {
        ids.extend(list(tx, tenant, *side, filter, reach)?);
    }
    ids.sort_unstable_by_key(|it| Reverse(*it));
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX).min(ids.len());
    let ids = ids.split_off(skipped);
    let ids = &ids[..ids.len().min(page.size() as usize + 1)];
    let mut found = load(tx, ids)?;
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
            let listed = list(tx, tenant, *side, filter, i64::from(BOUND))?.len();
            more |= listed >= BOUND as usize;
            listed as u64
        } else {
            counter(tx, tenant, *side, filter)?
        };
    }
    Ok(if more { Total::About(total) } else { Total::Exact(total) })
}

fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    side: Party,
    filter: GrantFilter,
    at_most: i64,
) -> Result<Vec<GrantId>> {
    if filter.is_narrow() {
        return narrow(tx, tenant, side, filter, at_most);
    }
    let window = Window { backwards: false, limit: at_most, offset: 0 };
    ordered(tx, tenant, side, filter.status, window)
}

/// Lists grants by license, talent, territory or end, with the other conditions checked row by row.
fn narrow(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    filter: GrantFilter,
    at_most: i64,
) -> Result<Vec<GrantId>> {
    match (filter.license, filter.talent, filter.territory, filter.ends_before) {
        (None, None, Some(place), _) => {
            return in_territory(tx, tenant, party, place, filter, at_most);
        }
        (None, None, None, Some(end)) => {
            if let Some(few) = ending(tx, tenant, party, end, filter.status)? {
                return Ok(few);
            }
        }
        _ => {}
    }
    let way = match (filter.license, filter.talent) {
        (Some(_), _) => 0,
        (None, Some(_)) => 2,
        (None, None) => 4,
    };
    let (status, before, open) = conditions(filter);
    let territory = filter.territory.as_ref().map_or("", Territory::as_str);
    tx.query(
        sql_choice!(
            way + side(party),
            "SELECT g.grant_id FROM grants g WHERE ",
            [
                "g.licensee_id = $1 AND g.license_id = $6",
                "g.licensor_id = $1 AND g.license_id = $6",
                "g.licensee_id = $1 AND g.talent_id = $7",
                "g.licensor_id = $1 AND g.talent_id = $7",
                "g.licensee_id = $1",
                "g.licensor_id = $1",
            ],
            " AND ($3 = '' OR g.status = $3)
               AND (g.ends_at < $4 OR (g.ends_at IS NULL AND $5))
               AND g.license_id = coalesce($6, g.license_id)
               AND g.talent_id = coalesce($7, g.talent_id)
               AND ($8 = '' OR EXISTS (
                 SELECT 1 FROM grant_territories t
                 WHERE t.tenant_id = $1 AND t.party = $9 AND t.territory IN ($8, 'WORLD')
                   AND t.grant_id = g.grant_id))
             ORDER BY g.grant_id DESC LIMIT $2"
        ),
        params![
            tenant,
            at_most,
            status,
            before,
            open,
            filter.license,
            filter.talent,
            territory,
            party.name(),
        ],
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
    status: Option<GrantStatus>,
) -> Result<Option<Vec<GrantId>>> {
    let found: Vec<(GrantId, String)> = tx.query(
        sql_choice!(
            side(party),
            "SELECT grant_id, status FROM grants WHERE ",
            ["licensee_id", "licensor_id"],
            " = $1 AND ends_at < $2 ORDER BY ends_at DESC LIMIT $3"
        ),
        params![tenant, end, FEW + 1],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if found.len() > FEW as usize {
        return Ok(None);
    }
    let of_status = found.into_iter().filter(|(_, it)| status.is_none_or(|name| name.name() == it));
    Ok(Some(of_status.map(|(id, _)| id).collect()))
}

/// Lists the grants that apply in a territory, including worldwide ones.
fn in_territory(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    territory: Territory,
    filter: GrantFilter,
    at_most: i64,
) -> Result<Vec<GrantId>> {
    let (status, before, open) = conditions(filter);
    let mut ids = Vec::new();
    let world = (!territory.is_world()).then_some(Territory::WORLD);
    for place in std::iter::once(territory).chain(world) {
        ids.extend(tx.query(
            sql!(
                "SELECT t.grant_id FROM grant_territories t CROSS JOIN grants g
                 WHERE t.tenant_id = $1 AND t.party = $6 AND t.territory = $7
                   AND g.grant_id = t.grant_id AND ($3 = '' OR g.status = $3)
                   AND (g.ends_at < $4 OR (g.ends_at IS NULL AND $5))
                 ORDER BY t.grant_id DESC LIMIT $2"
            ),
            params![tenant, at_most, status, before, open, party.name(), place.as_str()],
            id,
        )?);
    }
    Ok(ids)
}

/// The status, or nothing for any; the latest end; and whether grants without an end match.
fn conditions(filter: GrantFilter) -> (&'static str, Timestamp, bool) {
    let status = filter.status.map_or("", GrantStatus::name);
    let before = filter.ends_before.unwrap_or(Timestamp::from_micros(i64::MAX));
    (status, before, filter.ends_before.is_none())
}

fn id(row: &Row<'_>) -> Result<GrantId> {
    row.get(0)
}
