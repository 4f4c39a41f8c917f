//! Requests for grants between a tenant that asks and the tenant that owns the license (contract-2
//! section 21). Both see the same thread of offers and messages.
//!
//! Units of work lock in one order, so that two of them cannot deadlock: talent, license, request,
//! grant.

mod accept;
mod close;
mod create;
mod lapse;
mod message;
mod offer;
mod read;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::grant::Party;
use grantor_domain::id::{RequestId, TenantId};
use grantor_domain::permission::PermissionRole;
use grantor_domain::request::{Offer, OfferStatus, REQUEST_TIME, Request, RequestStatus};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::reader;
pub use grantor_storage::record_index::RequestSearch;
use grantor_storage::request::{self, RequestRecord};
pub use grantor_storage::request::{PartyName, RequestFilter};
use grantor_storage::{Tx, license, user};
use serde_json::{Value, json};

pub use self::accept::accept;
pub use self::close::{decline, withdraw};
use self::create::already_live;
pub use self::create::create;
pub use self::lapse::lapse;
use self::lapse::lapse_of_license;
use self::message::author;
pub use self::message::{mark_read, send};
pub use self::offer::{Licensee, OfferDraft, offer, offer_on_license};
pub use self::read::{
    LiveRequest, RequestThread, RequestView, find_blocking, find_exclusive, find_live,
    find_overlap, get, list, search, unread,
};
use crate::act::UnitOfWork;
use crate::identity::access::TenantCaller;
use crate::licensing::grant::{GrantView, view_json};
use crate::organizations::rights;

/// The side that a caller is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) party: Party,
    /// Whether the caller may do more than write messages: someone with a licensor permission
    /// speaks for the owner, but does not bind it.
    pub(crate) binds: bool,
}

/// Returns the side that a caller is on. Others learn nothing about the request.
pub(crate) fn side(tx: &mut Tx<'_>, caller: TenantCaller, request: &Request) -> Result<Side> {
    if caller.tenant == request.owner {
        return Ok(Side { party: Party::Owner, binds: true });
    }
    if request.asker == Some(caller.tenant) || is_addressee(tx, caller, request)? {
        return Ok(Side { party: Party::Asker, binds: true });
    }
    match reader::find(tx, caller.reader(), request.license)? {
        Some(entry) if entry.role == PermissionRole::Licensor => {
            Ok(Side { party: Party::Owner, binds: false })
        }
        _ => Err(not_found()),
    }
}

/// Whether an offer waits for the caller's own email address.
fn is_addressee(tx: &mut Tx<'_>, caller: TenantCaller, request: &Request) -> Result<bool> {
    let (None, Some(email)) = (request.asker, &request.email) else { return Ok(false) };
    let user = user::find(tx, caller.user)?;
    let key = Email::parse(email).ok().map(|it| it.key());
    Ok(user.is_some_and(|it| Some(it.email_key) == key))
}

/// Locks a request with everything an act on it decides about, and returns the caller's side.
pub(crate) fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: RequestId,
) -> Result<(RequestRecord, Side)> {
    let found = request::find(unit.tx, id)?.ok_or_else(not_found)?;
    side(unit.tx, caller, &found.request)?;
    grantor_storage::talent::lock(unit.tx, found.request.talent)?;
    license::lock(unit.tx, found.request.license)?;
    let found = request::claim(unit.tx, id)?.ok_or_else(not_found)?;
    let side = side(unit.tx, caller, &found.request)?;
    Ok((found, side))
}

/// Refuses a caller whose role does not allow binding their side, or who may only write messages.
pub(crate) fn require_binding(
    unit: &mut UnitOfWork<'_, '_>,
    request: &Request,
    side: Side,
) -> Result<()> {
    if !side.binds {
        let message = "Only the owner of the license can do this; you can write messages";
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    match side.party {
        Party::Asker => rights::require(unit, Right::RequestLicenses),
        Party::Owner => {
            let of = (request.owner, request.talent);
            rights::require_for_talent(unit, Right::ManageLicenses, of)
        }
    }
}

/// Tells an asker who responds to an offer that the owner has withdrawn it.
pub(crate) fn refuse_withdrawn(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    side: Side,
) -> Result<()> {
    let open = record.request.status_at(unit.now) == RequestStatus::Open;
    if side.party == Party::Owner || !open {
        return Ok(());
    }
    match request::last_offer_status(unit.tx, record.request.id)? {
        Some(OfferStatus::Withdrawn) => {
            Err(Error::conflict(format!("{} withdrew the offer", record.owner.name)))
        }
        _ => Ok(()),
    }
}

/// Stores the next state of a claimed request.
pub(crate) fn save(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Request,
    status: RequestStatus,
    change: impl FnOnce(&mut Request),
) -> Result<Request> {
    let mut after = before.clone();
    after.status = status;
    after.version = before.version.saturating_add(1);
    after.updated_at = unit.now;
    change(&mut after);
    if !status.is_live() {
        after.closed_at = Some(unit.now.min(after.lapses_at));
        after.closed_by = (status != RequestStatus::Lapsed).then(|| author(unit.actor));
    }
    request::update(unit.tx, before, &after)?;
    Ok(after)
}

/// The tenant that becomes the asker when someone acts on an offer to their email address.
pub(crate) fn claiming(side: Side, caller: TenantCaller) -> Option<TenantId> {
    (side.party == Party::Asker).then_some(caller.tenant)
}

/// Makes the caller's tenant the asker of an offer to their email address, while the offer stays
/// open. Returns the request, and the events of requests that lapsed before.
pub(crate) fn bind(
    unit: &mut UnitOfWork<'_, '_>,
    record: RequestRecord,
    side: Side,
    caller: TenantCaller,
) -> Result<(RequestRecord, Vec<NewEvent>)> {
    let request = &record.request;
    let Some(tenant) = claiming(side, caller).filter(|_| request.is_unclaimed()) else {
        return Ok((record, vec![]));
    };
    let events = lapse_of_license(unit, request.license)?;
    if let Some(id) = request::find_live(unit.tx, request.license, tenant, unit.now)? {
        return Err(already_live(id));
    }
    let offer = request::open_offer(unit.tx, request.id)?;
    let end = offer.map_or_else(|| unit.now.plus(REQUEST_TIME), |it| it.expires_at);
    let after = save(unit, request, request.status, |it| {
        it.asker = Some(tenant);
        it.lapses_at = end;
    })?;
    let record = request::find(unit.tx, after.id)?.ok_or_else(not_found)?;
    Ok((record, events))
}

/// Creates an event about a request for both parties.
pub(crate) fn request_event(
    unit: &UnitOfWork<'_, '_>,
    kind: EventType,
    record: &RequestRecord,
    offer: Option<&Offer>,
    grant: Option<&GrantView>,
) -> NewEvent {
    let request = &record.request;
    let mut data = json!({
        "license_id": request.license,
        "request": summary(record, unit.now),
    });
    if let Some(offer) = offer {
        data["offer"] = offer_json(offer);
    }
    if let Some(grant) = grant {
        data["grant"] = view_json(grant);
    }
    NewEvent {
        kind,
        owner: request.owner,
        license: Some(request.license),
        resource_version: request.version,
        data,
        recipients: request.asker.into_iter().chain([request.owner]).collect(),
        receiver: None,
    }
}

/// A request as events show it.
fn summary(record: &RequestRecord, now: grantor_domain::Timestamp) -> Value {
    let request = &record.request;
    let asker = match &record.asker {
        Some(asker) => json!({ "id": asker.id, "name": asker.name, "type": asker.kind.name() }),
        None => json!({ "email": request.email, "status": "pending" }),
    };
    json!({
        "id": request.id,
        "license_id": request.license,
        "license_title": record.license_title,
        "talent": { "id": request.talent, "name": record.talent_name },
        "asker": asker,
        "owner": {
            "id": record.owner.id, "name": record.owner.name, "type": record.owner.kind.name(),
        },
        "status": request.status_at(now),
        "uses": request.coverage.uses,
        "territories": request.coverage.territories,
        "starts_at": request.coverage.starts_at,
        "ends_at": request.coverage.ends_at,
        "purpose": request.purpose,
        "channels": request.channels,
        "budget": request.budget,
        "reason": request.reason,
        "created_at": request.created_at,
        "updated_at": request.updated_at,
    })
}

fn offer_json(offer: &Offer) -> Value {
    json!({
        "id": offer.id,
        "terms": offer.terms,
        "terms_hash": offer.terms_hash,
        "license_version": offer.license_version,
        "status": offer.status,
        "expires_at": offer.expires_at,
        "created_at": offer.created_at,
    })
}

pub(crate) fn resource(record: &RequestRecord) -> Resource {
    let name = Some(record.license_title.clone());
    Resource { kind: "request", id: Some(record.request.id.to_string()), name }
}

pub(crate) fn not_found() -> Error {
    Error::not_found("Request")
}
