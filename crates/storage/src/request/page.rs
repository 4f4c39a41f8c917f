//! Pages of the requests that someone sees in a tenant, the last changed first.

use std::cmp::Reverse;

use grantor_domain::Timestamp;
use grantor_domain::grant::Party;
use grantor_domain::id::{LicenseId, RequestId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::request::RequestStatus;

use super::{RequestRecord, address, load};
use crate::merge;
use crate::party_count::{self, PartyList};
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total, Window};
use crate::value::params;
use crate::{Result, Row, Tx};

/// Which requests are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestFilter {
    /// Those on one side of the tenant; both if not given.
    pub role: Option<Party>,
    /// Those with a stored status.
    pub status: Option<RequestStatus>,
    /// Those for one license.
    pub license: Option<LicenseId>,
}

/// Who looks at requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// The tenant, whose requests are listed.
    pub tenant: TenantId,
    /// The person's normalized email address: offers to it are listed, too.
    pub email_key: Option<String>,
}

/// A request in a list, by its sort key.
pub(super) type Key = (Timestamp, RequestId);

/// Returns a page of the requests that a viewer sees.
pub fn page(
    tx: &mut Tx<'_>,
    viewer: &Viewer,
    filter: RequestFilter,
    page: Page,
) -> Result<Listing<RequestRecord>> {
    let sides = match filter.role {
        Some(role) => vec![role],
        None => Party::ALL.to_vec(),
    };
    if let Some(listing) = one_sided(tx, viewer, &sides, filter, page)? {
        return Ok(listing);
    }
    // Offers to an address are a list of their own, after those of the sides.
    let addressed = usize::from(sides.contains(&Party::Asker));
    let keys = merge::page(page, sides.len() + addressed, |at, limit, offset| {
        let keys = match sides.get(at) {
            Some(side) => list(tx, viewer.tenant, *side, filter, (limit, offset))?,
            None => after(offset, address::list(tx, viewer, filter, limit + offset)?),
        };
        Ok(keys.into_iter().map(Reverse).collect())
    })?;
    let ids: Vec<RequestId> = keys.into_iter().map(|Reverse((_, id))| id).collect();
    let mut found = load(tx, &ids)?;
    found.sort_by_key(|it| ids.iter().position(|id| *id == it.request.id));
    total::listing(page, found, || count(tx, viewer, &sides, filter))
}

/// Returns a page of a tenant that is on one side of all its requests, as most are: a few rows of
/// one index, however long the list is. `None` if lists must be merged or are not counted.
fn one_sided(
    tx: &mut Tx<'_>,
    viewer: &Viewer,
    sides: &[Party],
    filter: RequestFilter,
    page: Page,
) -> Result<Option<Listing<RequestRecord>>> {
    let has_offers =
        sides.contains(&Party::Asker) && !address::list(tx, viewer, filter, 1)?.is_empty();
    if filter.license.is_some() || has_offers {
        return Ok(None);
    }
    let mut counts = Vec::new();
    for party in sides {
        counts.push((*party, counted(tx, viewer.tenant, *party, filter)?));
    }
    counts.retain(|(_, total)| *total > 0);
    let (party, total) = match counts.as_slice() {
        [] => return Ok(Some(Listing::new(page, vec![], 0))),
        [only] => *only,
        _ => return Ok(None),
    };
    let keys = match total::window(page, total) {
        Some(window) => ordered(tx, viewer.tenant, party, filter.status, window)?,
        None => vec![],
    };
    let ids: Vec<_> = keys.into_iter().map(|(_, id)| id).collect();
    let mut found = load(tx, &ids)?;
    found.sort_by_key(|it| Reverse((it.request.updated_at, it.request.id)));
    Ok(Some(Listing::new(page, found, total)))
}

/// The total: from the counters, or counted up to a limit among the requests for one license and
/// the offers to the viewer's address.
fn count(
    tx: &mut Tx<'_>,
    viewer: &Viewer,
    sides: &[Party],
    filter: RequestFilter,
) -> Result<Total> {
    let tenant = viewer.tenant;
    let (mut total, mut more) = (0, false);
    if sides.contains(&Party::Asker) {
        total += address::list(tx, viewer, filter, i64::from(BOUND))?.len() as u64;
    }
    for side in sides {
        total += match (side, filter.license) {
            (_, Some(_)) => {
                let listed = list(tx, tenant, *side, filter, (i64::from(BOUND), 0))?.len();
                more |= listed >= BOUND as usize;
                listed as u64
            }
            (party, None) => counted(tx, tenant, *party, filter)?,
        };
    }
    Ok(if more { Total::About(total) } else { Total::Exact(total) })
}

fn counted(tx: &mut Tx<'_>, tenant: TenantId, party: Party, filter: RequestFilter) -> Result<u64> {
    let list = match party {
        Party::Asker => PartyList::RequestsMade,
        Party::Owner => PartyList::RequestsReceived,
    };
    party_count::get(tx, tenant, list, filter.status.map(RequestStatus::name))
}

fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    filter: RequestFilter,
    (limit, offset): (i64, i64),
) -> Result<Vec<Key>> {
    if let Some(license) = filter.license {
        let keys = of_license(tx, tenant, party, (license, filter.status), limit + offset)?;
        return Ok(after(offset, keys));
    }
    ordered(tx, tenant, party, filter.status, Window { backwards: false, limit, offset })
}

/// What follows the first keys.
fn after(offset: i64, mut keys: Vec<Key>) -> Vec<Key> {
    let skipped = usize::try_from(offset).unwrap_or(usize::MAX).min(keys.len());
    keys.split_off(skipped)
}

/// Requests of one side in the order of an index, in either direction.
fn ordered(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    status: Option<RequestStatus>,
    Window { backwards, limit, offset }: Window,
) -> Result<Vec<Key>> {
    let way = match (party, backwards) {
        (Party::Asker, false) => 0,
        (Party::Owner, false) => 1,
        (Party::Asker, true) => 2,
        (Party::Owner, true) => 3,
    };
    match status {
        None => tx.query(
            sql_choice!(
                way,
                "SELECT updated_at, request_id FROM requests WHERE ",
                [
                    "asker_id = $1 ORDER BY updated_at DESC, request_id DESC",
                    "owner_id = $1 ORDER BY updated_at DESC, request_id DESC",
                    "asker_id = $1 ORDER BY updated_at, request_id",
                    "owner_id = $1 ORDER BY updated_at, request_id",
                ],
                " LIMIT $2 OFFSET $3"
            ),
            params![tenant, limit, offset],
            key,
        ),
        Some(status) => tx.query(
            sql_choice!(
                way,
                "SELECT updated_at, request_id FROM requests WHERE status = $4 AND ",
                [
                    "asker_id = $1 ORDER BY updated_at DESC, request_id DESC",
                    "owner_id = $1 ORDER BY updated_at DESC, request_id DESC",
                    "asker_id = $1 ORDER BY updated_at, request_id",
                    "owner_id = $1 ORDER BY updated_at, request_id",
                ],
                " LIMIT $2 OFFSET $3"
            ),
            params![tenant, limit, offset, status.name()],
            key,
        ),
    }
}

/// Requests for one license. An asker has few; of many that the owner has, those with a status are
/// in an index.
fn of_license(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    (license, status): (LicenseId, Option<RequestStatus>),
    at_most: i64,
) -> Result<Vec<Key>> {
    match (party, status) {
        (Party::Asker, status) => tx.query(
            sql!(
                "SELECT updated_at, request_id FROM requests
                 WHERE license_id = $3 AND asker_id = $1 AND ($4 = '' OR status = $4)
                 ORDER BY updated_at DESC, request_id DESC LIMIT $2"
            ),
            params![tenant, at_most, license, status.map_or("", RequestStatus::name)],
            key,
        ),
        (Party::Owner, None) => tx.query(
            sql!(
                "SELECT updated_at, request_id FROM requests
                 WHERE license_id = $3 AND owner_id = $1
                 ORDER BY updated_at DESC, request_id DESC LIMIT $2"
            ),
            params![tenant, at_most, license],
            key,
        ),
        (Party::Owner, Some(status)) => tx.query(
            sql!(
                "SELECT updated_at, request_id FROM requests
                 WHERE license_id = $3 AND owner_id = $1 AND status = $4
                 ORDER BY updated_at DESC, request_id DESC LIMIT $2"
            ),
            params![tenant, at_most, license, status.name()],
            key,
        ),
    }
}

pub(super) fn key(row: &Row<'_>) -> Result<Key> {
    Ok((row.get("updated_at")?, row.get("request_id")?))
}
