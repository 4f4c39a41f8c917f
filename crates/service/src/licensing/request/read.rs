//! Reading requests as one of their parties.

use grantor_domain::Timestamp;
use grantor_domain::grant::{Beyond, GrantTerms, Party};
use grantor_domain::id::{GrantId, LicenseId, RequestId, TalentId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::request::{Message, Offer, OfferStatus, Request, RequestStatus};
use grantor_domain::role::{Reach, Right, reach};
use grantor_domain::scope::Scope;
use grantor_domain::{Error, Result};
use grantor_storage::grant::BlockingGrant;
use grantor_storage::party_count::{self, PartyList};
use grantor_storage::record_index::{RequestSearch, search_requests};
use grantor_storage::request::{self, RequestFilter, RequestRecord, Viewer};
use grantor_storage::{Tx, grant, license, talent, team, user};

use super::{Side, not_found, side};
use crate::App;
use crate::identity::access::TenantCaller;

/// The number of messages that a thread shows, the newest.
const MESSAGES: u32 = 500;

/// A request as one party sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestView {
    /// The request with its names.
    pub record: RequestRecord,
    /// The party that sees it.
    pub party: Party,
    /// The current status.
    pub status: RequestStatus,
    /// Whether the caller may make, accept, decline and withdraw offers for their side, instead of
    /// only reading and, with a licensor permission, writing messages.
    pub may_act: bool,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
}

impl RequestView {
    pub(crate) fn new(record: RequestRecord, party: Party, may_act: bool, now: Timestamp) -> Self {
        let (status, closed_at) = (record.request.status_at(now), record.request.ended_at(now));
        Self { record, party, status, may_act, closed_at }
    }

    /// The side that closed it; `None` while it is live and if it lapsed.
    #[must_use]
    pub fn closed_by(&self, offers: &[Offer]) -> Option<Party> {
        let declined = offers.last().is_some_and(|it| it.status == OfferStatus::Declined);
        match self.status {
            RequestStatus::Accepted | RequestStatus::Withdrawn => Some(Party::Asker),
            RequestStatus::Declined if declined => Some(Party::Asker),
            RequestStatus::Declined => Some(Party::Owner),
            RequestStatus::Open | RequestStatus::Offered | RequestStatus::Lapsed => None,
        }
    }
}

/// A request with everything said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestThread {
    /// The request.
    pub view: RequestView,
    /// All offers, oldest first.
    pub offers: Vec<Offer>,
    /// The newest messages, oldest first.
    pub messages: Vec<Message>,
    /// What was asked for and the license does not include.
    pub beyond: Beyond,
    /// The grant, if an offer was accepted.
    pub grant: Option<GrantId>,
}

/// Returns a page of the caller's requests, the last changed first: those of their tenant, and
/// offers to their email address.
pub async fn list(
    app: &App,
    caller: TenantCaller,
    filter: RequestFilter,
    page: Page,
) -> Result<Listing<RequestView>> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let viewer = viewer(tx, caller)?;
            let found = request::page(tx, &viewer, filter, page)?;
            views(tx, caller, found, now)
        })
        .await
}

/// Returns a page of the caller's requests that match a search of the console.
pub async fn search(
    app: &App,
    caller: TenantCaller,
    search: RequestSearch,
    page: Page,
) -> Result<Listing<RequestView>> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let viewer = viewer(tx, caller)?;
            let found = search_requests(tx, &viewer, &search, page)?;
            views(tx, caller, found, now)
        })
        .await
}

/// Listed requests as the caller sees them.
fn views(
    tx: &mut Tx<'_>,
    caller: TenantCaller,
    found: Listing<RequestRecord>,
    now: Timestamp,
) -> Result<Listing<RequestView>> {
    let mut allowed = Vec::with_capacity(found.items.len());
    for it in &found.items {
        allowed.push(may_act(tx, caller, &it.request, listed_side(caller, &it.request))?);
    }
    let mut allowed = allowed.into_iter();
    Ok(found.map(|it| {
        let party = listed_side(caller, &it.request).party;
        RequestView::new(it, party, allowed.next().unwrap_or(false), now)
    }))
}

/// Returns a request with its offers and messages.
pub async fn get(app: &App, caller: TenantCaller, id: RequestId) -> Result<RequestThread> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let record = request::find(tx, id)?.ok_or_else(not_found)?;
            let side = side(tx, caller, &record.request)?;
            let may_act = may_act(tx, caller, &record.request, side)?;
            let license = license::find(tx, record.request.license)?;
            let beyond = license.map(|it| record.request.coverage.beyond(&it.license));
            Ok(RequestThread {
                offers: request::offers(tx, id)?,
                messages: request::messages(tx, id, MESSAGES)?,
                beyond: beyond.unwrap_or_default(),
                grant: grant::find_of_request(tx, id)?,
                view: RequestView::new(record, side.party, may_act, now),
            })
        })
        .await
}

/// Returns the grant that keeps the open offer of a request from being accepted, if there is one.
/// Only the owner of the license may learn which one it is.
pub async fn find_blocking(app: &App, thread: &RequestThread) -> Result<Option<BlockingGrant>> {
    let open = thread.offers.iter().rev().find(|it| it.status == OfferStatus::Open);
    let Some(offer) = open.filter(|_| thread.view.status.is_live()) else { return Ok(None) };
    find_overlap(app, thread.view.record.request.talent, offer.terms.clone()).await
}

/// Returns an exclusive grant that overlaps with what a request asks for, if there is one. Only the
/// owner of the license may learn which one it is.
pub async fn find_exclusive(app: &App, thread: &RequestThread) -> Result<Option<BlockingGrant>> {
    let request = &thread.view.record.request;
    let terms = GrantTerms {
        coverage: request.coverage.clone(),
        fee: None,
        exclusive: false,
        channels: vec![],
        conditions: String::new(),
        credit_line: None,
    };
    find_overlap(app, request.talent, terms).await
}

/// Returns a talent's grant that excludes these terms, if there is one. Only the owner of the license
/// may learn which one it is.
pub async fn find_overlap(
    app: &App,
    talent: TalentId,
    terms: GrantTerms,
) -> Result<Option<BlockingGrant>> {
    let now = app.clock.now();
    app.store.read(move |tx| Ok(grant::find_conflict(tx, talent, &terms, now)?)).await
}

/// What a caller already has for a license.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveRequest {
    /// A live request of the caller's tenant.
    Own(RequestId),
    /// A live offer to the caller's email address.
    ToAddress(RequestId),
}

/// Returns the live request of the caller's tenant for a license, or the live offer for it to the
/// caller's email address.
pub async fn find_live(
    app: &App,
    caller: TenantCaller,
    license: LicenseId,
) -> Result<Option<LiveRequest>> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            if let Some(id) = request::find_live(tx, license, caller.tenant, now)? {
                return Ok(Some(LiveRequest::Own(id)));
            }
            let Some(user) = user::find(tx, caller.user)? else { return Ok::<_, Error>(None) };
            let offer = request::find_live_unclaimed(tx, license, &user.email_key, now)?;
            Ok(offer.map(LiveRequest::ToAddress))
        })
        .await
}

/// Returns the number of requests, offers and messages that the caller's tenant has not read, with
/// those to the caller's email address.
pub async fn unread(app: &App, caller: TenantCaller) -> Result<u64> {
    app.store
        .read(move |tx| {
            let unread = party_count::get(tx, caller.tenant, PartyList::Unread, None)?;
            let viewer = viewer(tx, caller)?;
            Ok::<_, Error>(unread + request::unread_by_address(tx, &viewer)?)
        })
        .await
}

fn viewer(tx: &mut Tx<'_>, caller: TenantCaller) -> Result<Viewer> {
    let email_key = user::find(tx, caller.user)?.map(|it| it.email_key);
    Ok(Viewer { tenant: caller.tenant, email_key })
}

/// The caller's side of a request in their list, which has no requests of others.
fn listed_side(caller: TenantCaller, request: &Request) -> Side {
    let party = if request.owner == caller.tenant { Party::Owner } else { Party::Asker };
    Side { party, binds: true }
}

/// Whether a caller's scopes, role and teams allow them to act for their side.
fn may_act(tx: &mut Tx<'_>, caller: TenantCaller, request: &Request, side: Side) -> Result<bool> {
    if !side.binds || !caller.scopes.contains(Scope::LicenseWrite) {
        return Ok(false);
    }
    let right = match side.party {
        Party::Asker => Right::RequestLicenses,
        Party::Owner => Right::ManageLicenses,
    };
    match reach(caller.role, caller.tenant_type, right) {
        Ok(Reach::Tenant) => Ok(true),
        Ok(Reach::OwnTeams) => {
            let Some(team) = talent::team_of(tx, request.talent)? else { return Ok(false) };
            Ok(team::list_of_member(tx, caller.tenant, caller.user)?.contains(&team))
        }
        Err(_) => Ok(false),
    }
}
