//! Reading grants as one of their parties.

use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::{GrantId, TalentId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Result, Timestamp};
use grantor_storage::grant::{
    self, Calendar, CalendarFilter, GrantFilter, GrantRecord, TerritoryCount,
};
use grantor_storage::record_index::{GrantSearch, search_grants};

use super::not_found;
use crate::App;
use crate::identity::access::TenantCaller;

/// A grant as one party sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantView {
    /// The grant with its names.
    pub record: GrantRecord,
    /// The party that sees it.
    pub party: Party,
    /// The current status.
    pub status: GrantStatus,
}

impl GrantView {
    pub(crate) fn new(record: GrantRecord, party: Party, now: Timestamp) -> Self {
        let status = record.grant.status_at(now);
        Self { record, party, status }
    }

    /// Who revoked the grant, if somebody did: the person for the licensor's side, and the licensor
    /// for the licensee.
    #[must_use]
    pub fn revoked_by(&self) -> Option<&str> {
        let GrantRecord { grant, licensor, .. } = &self.record;
        let person = grant.revoked_by_name.as_deref().filter(|_| self.party == Party::Owner);
        grant.revoked_at.map(|_| person.unwrap_or(&licensor.name))
    }
}

/// Returns a page of the caller's grants, newest first.
pub async fn list(
    app: &App,
    caller: TenantCaller,
    filter: GrantFilter,
    page: Page,
) -> Result<Listing<GrantView>> {
    let (now, tenant) = (app.clock.now(), caller.tenant);
    app.store
        .read(move |tx| {
            let found = grant::page(tx, tenant, filter, page)?;
            Ok(found.map(|it| {
                let party = it.grant.party(tenant).unwrap_or(Party::Asker);
                GrantView::new(it, party, now)
            }))
        })
        .await
}

/// Returns a page of the caller's grants that match a search.
pub async fn search(
    app: &App,
    caller: TenantCaller,
    search: GrantSearch,
    page: Page,
) -> Result<Listing<GrantView>> {
    let (now, tenant) = (app.clock.now(), caller.tenant);
    app.store
        .read(move |tx| {
            let found = search_grants(tx, tenant, &search, page)?;
            Ok(found.map(|it| {
                let party = it.grant.party(tenant).unwrap_or(Party::Asker);
                GrantView::new(it, party, now)
            }))
        })
        .await
}

/// Returns a grant to one of its parties.
pub async fn get(app: &App, caller: TenantCaller, id: GrantId) -> Result<GrantView> {
    let (now, tenant) = (app.clock.now(), caller.tenant);
    app.store
        .read(move |tx| {
            let record = grant::find(tx, id)?.ok_or_else(not_found)?;
            let party = record.grant.party(tenant).ok_or_else(not_found)?;
            Ok(GrantView::new(record, party, now))
        })
        .await
}

/// Returns the caller's grants that are in effect at some time of a period, by talent.
pub async fn calendar(
    app: &App,
    caller: TenantCaller,
    filter: CalendarFilter,
) -> Result<Calendar<GrantView>> {
    let (now, tenant) = (app.clock.now(), caller.tenant);
    app.store
        .read(move |tx| {
            let Calendar { grants, more } = grant::calendar(tx, tenant, filter)?;
            let view = |it: GrantRecord| {
                let party = it.grant.party(tenant).unwrap_or(Party::Asker);
                GrantView::new(it, party, now)
            };
            Ok(Calendar { grants: grants.into_iter().map(view).collect(), more })
        })
        .await
}

/// Counts the caller's grants that are in effect at a time, by territory: for each side, the exclusive
/// and the other ones. Only those for one talent if it is given.
pub async fn count_by_territory(
    app: &App,
    caller: TenantCaller,
    role: Option<Party>,
    talent: Option<TalentId>,
    at: Timestamp,
) -> Result<Vec<TerritoryCount>> {
    let tenant = caller.tenant;
    app.store
        .read(move |tx| {
            let mut counts = Vec::new();
            for party in Party::ALL.into_iter().filter(|it| role.is_none_or(|role| role == *it)) {
                if let Some(talent) = talent {
                    counts.extend(grant::count_of_talent(tx, tenant, party, talent, at)?);
                    continue;
                }
                for exclusive in [true, false] {
                    counts.extend(grant::count_by_territory(tx, tenant, party, exclusive, at)?);
                }
            }
            Ok(counts)
        })
        .await
}

/// Lists the talents that the caller has grants for, by name, at most `at_most` for each side.
pub async fn list_talents(
    app: &App,
    caller: TenantCaller,
    role: Option<Party>,
    at_most: u32,
) -> Result<Vec<(TalentId, String)>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(grant::list_talents(tx, tenant, role, at_most)?)).await
}
