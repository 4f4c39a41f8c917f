//! Declining and withdrawing.

use grantor_domain::Result;
use grantor_domain::event::EventType;
use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::request::{OfferStatus, REQUEST_TIME, RequestAct, RequestStatus};
use grantor_storage::request::{self, RequestRecord};

use super::{
    RequestView, Side, claim, claiming, not_found, request_event, require_binding, resource, save,
};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::notice;
use crate::{App, Context};

/// Declines a request (as its owner) or the open offer (as its asker).
pub async fn decline(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
    reason: String,
) -> Result<RequestView> {
    app.act(context, Decline { caller, id, reason }).await
}

/// Withdraws the open offer (as its owner) or the request (as its asker).
pub async fn withdraw(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
) -> Result<RequestView> {
    app.act(context, Withdraw { caller, id }).await
}

/// A claimed request, the caller's side, and the status after the act.
type Permit = (RequestRecord, Side, RequestStatus);

fn authorize(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: RequestId,
    act: RequestAct,
) -> Result<Permit> {
    let (record, side) = claim(unit, caller, id)?;
    require_binding(unit, &record.request, side)?;
    let next = act.apply(side.party, record.request.status_at(unit.now))?;
    Ok((record, side, next))
}

/// How an offer or request is closed.
struct Closing {
    event: EventType,
    offer: OfferStatus,
    reason: Option<String>,
    message: &'static str,
}

/// Closes the open offer, if any, and stores the request. Whoever declines or withdraws an offer to
/// their email address becomes its asker.
fn close(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    (record, side, next): Permit,
    closing: Closing,
) -> Result<Done<RequestView>> {
    let mut offer = request::open_offer(unit.tx, record.request.id)?;
    if let Some(offer) = &mut offer {
        offer.status = closing.offer;
        request::set_offer_status(unit.tx, offer.id, closing.offer)?;
    }
    let reopened = unit.now.plus(REQUEST_TIME);
    let after = save(unit, &record.request, next, |it| {
        it.asker = it.asker.or(claiming(side, caller));
        it.reason = closing.reason;
        if next == RequestStatus::Open {
            it.lapses_at = it.end(reopened);
        }
    })?;
    let record = request::find(unit.tx, after.id)?.ok_or_else(not_found)?;
    match closing.event {
        EventType::RequestDeclined => notice::declined(unit, &record, side.party)?,
        _ => notice::withdrawn(unit, &record, side.party)?,
    }
    let event = request_event(unit, closing.event, &record, offer.as_ref(), None);
    let (resource, license) = (resource(&record), record.request.license);
    let view = RequestView::new(record, side.party, true, unit.now);
    Ok(Done::new(view, resource, closing.message).for_license(license).with_event(event))
}

struct Decline {
    caller: TenantCaller,
    id: RequestId,
    reason: String,
}

impl Act for Decline {
    type Permit = Permit;
    type Output = RequestView;
    const ACTION: &'static str = "request.decline";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Permit> {
        authorize(unit, self.caller, self.id, RequestAct::Decline)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Permit,
    ) -> Result<Done<RequestView>> {
        let message = match permit.1.party {
            Party::Owner => "A request was declined",
            Party::Asker => "An offer was declined",
        };
        let closing = Closing {
            event: EventType::RequestDeclined,
            offer: OfferStatus::Declined,
            reason: Some(self.reason.clone()),
            message,
        };
        close(unit, self.caller, permit, closing)
    }
}

struct Withdraw {
    caller: TenantCaller,
    id: RequestId,
}

impl Act for Withdraw {
    type Permit = Permit;
    type Output = RequestView;
    const ACTION: &'static str = "request.withdraw";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Permit> {
        authorize(unit, self.caller, self.id, RequestAct::Withdraw)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Permit,
    ) -> Result<Done<RequestView>> {
        let message = match permit.1.party {
            Party::Owner => "An offer was withdrawn",
            Party::Asker => "A request was withdrawn",
        };
        let closing = Closing {
            event: EventType::RequestWithdrawn,
            offer: OfferStatus::Withdrawn,
            reason: None,
            message,
        };
        close(unit, self.caller, permit, closing)
    }
}
