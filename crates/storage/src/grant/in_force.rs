//! The grants that are in force at a moment. No index has all periods, so a limited number of grants is
//! read of those that end after the moment, the first to end first. The map counts the same ones.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::{GrantId, TalentId, TenantId};
use grantor_domain::license::Territory;
use grantor_domain::page::{Listing, Page};

use super::calendar::{CalendarFilter, in_period, sides};
use super::territory::{COUNTED, TerritoryCount};
use super::{GrantFilter, GrantRecord, load};
use crate::request::fault;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Returns a page of the grants that are in force at a moment, newest first.
pub(super) fn page(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: &GrantFilter,
    at: Timestamp,
    page: Page,
) -> Result<Listing<GrantRecord>> {
    let (mut ids, more) = match (filter.talent, filter.territory) {
        (None, Some(territory)) => in_territory(tx, tenant, filter, territory, at)?,
        _ => of_day(tx, tenant, filter, at)?,
    };
    ids.sort_unstable_by_key(|it| Reverse(*it));
    ids.dedup();
    if filter.license.is_some() || filter.talent.is_some() || filter.ends_before.is_some() {
        let mut matching = load(tx, &ids)?;
        matching.retain(|it| matches(it, filter));
        ids = matching.into_iter().map(|it| it.grant.id).collect();
        ids.sort_unstable_by_key(|it| Reverse(*it));
    }
    let total = ids.len() as u64;
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let shown: Vec<_> = ids.into_iter().skip(skipped).take(page.size() as usize).collect();
    let mut found = load(tx, &shown)?;
    found.sort_by_key(|it| Reverse(it.grant.id));
    Ok(if more { Listing::estimated(page, found, total) } else { Listing::new(page, found, total) })
}

/// Whether a grant has what the lists do not look at.
fn matches(record: &GrantRecord, filter: &GrantFilter) -> bool {
    let (grant, coverage) = (&record.grant, &record.grant.terms.coverage);
    let ends_in_time = |end: Timestamp| coverage.ends_at.is_some_and(|it| it < end);
    filter.license.is_none_or(|it| it == grant.license)
        && filter.territory.is_none_or(|it| coverage.territories.allow(it))
        && filter.ends_before.is_none_or(ends_in_time)
}

/// The grants at a moment, of all territories.
fn of_day(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: &GrantFilter,
    at: Timestamp,
) -> Result<(Vec<GrantId>, bool)> {
    let period = CalendarFilter {
        role: filter.role,
        status: filter.status,
        talent: filter.talent,
        from: at,
        to: at.plus(Duration::from_micros(1)),
    };
    let (found, more) = in_period(tx, tenant, &period)?;
    Ok((found.into_iter().map(|it| it.id).collect(), more))
}

/// The grants at a moment that apply in a territory, including worldwide ones.
fn in_territory(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: &GrantFilter,
    territory: Territory,
    at: Timestamp,
) -> Result<(Vec<GrantId>, bool)> {
    let (mut ids, mut more) = (Vec::new(), false);
    let world = (!territory.is_world()).then_some(Territory::WORLD);
    for place in std::iter::once(territory).chain(world) {
        for party in sides(filter.role) {
            for exclusive in [true, false] {
                let list = ending_after(tx, (tenant, party), place, exclusive, at)?;
                more |= list.len() == COUNTED as usize;
                let begun = list.into_iter().filter(|it| it.1 <= at);
                let with_status = begun.filter(|it| filter.status.is_none_or(|one| one == it.2));
                ids.extend(with_status.map(|it| it.0));
            }
        }
    }
    Ok((ids, more))
}

/// The grants of one side that end after a moment, with their start and stored status.
fn ending_after(
    tx: &mut Tx<'_>,
    (tenant, party): (TenantId, Party),
    territory: Territory,
    exclusive: bool,
    at: Timestamp,
) -> Result<Vec<(GrantId, Timestamp, GrantStatus)>> {
    tx.query(
        sql!(
            "SELECT grant_id, starts_at, status FROM grant_territories
             WHERE tenant_id = $1 AND party = $2 AND territory = $3 AND exclusive = $4
               AND until > $5
             ORDER BY until LIMIT $6"
        ),
        params![tenant, party.name(), territory.as_str(), exclusive, at, COUNTED],
        |row| {
            let status = row.get::<String>("status")?.parse().map_err(fault)?;
            Ok((row.get("grant_id")?, row.get("starts_at")?, status))
        },
    )
}

/// Counts the grants for one talent that one side of a tenant has at a moment, by territory.
pub fn count_of_talent(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    talent: TalentId,
    at: Timestamp,
) -> Result<Vec<TerritoryCount>> {
    let filter = GrantFilter { role: Some(party), talent: Some(talent), ..GrantFilter::default() };
    let (ids, more) = of_day(tx, tenant, &filter, at)?;
    let mut counts = HashMap::<(Territory, bool), TerritoryCount>::new();
    for GrantRecord { grant, .. } in load(tx, &ids)? {
        let (coverage, exclusive) = (&grant.terms.coverage, grant.terms.exclusive);
        let until = [coverage.ends_at, grant.revoked_at].into_iter().flatten().min();
        let territories = coverage.territories.as_slice();
        let world = territories.iter().find(|it| it.is_world()).map(std::slice::from_ref);
        for territory in world.unwrap_or(territories) {
            let begun = TerritoryCount { territory: *territory, exclusive, grants: 0, more, until };
            let count = counts.entry((*territory, exclusive)).or_insert(begun);
            count.grants += 1;
            count.until = count.until.zip(until).map(|(one, other)| one.max(other));
        }
    }
    Ok(counts.into_values().collect())
}
