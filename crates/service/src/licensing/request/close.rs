//! Declining and withdrawing.

use std::marker::PhantomData;

use grantor_domain::Result;
use grantor_domain::event::EventType;
use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::request::{Offer, OfferStatus, REQUEST_TIME, RequestAct, RequestStatus};
use grantor_storage::request::{self, RequestRecord};

use super::{
    RequestView, Side, claim, claiming, not_found, refuse_withdrawn, request_event,
    require_binding, resource, save,
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
    let reason = Some(reason);
    app.act(context, Close::<Declining> { caller, id, reason, closing: PhantomData }).await
}

/// Withdraws the open offer (as its owner) or the request (as its asker).
pub async fn withdraw(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
) -> Result<RequestView> {
    app.act(context, Close::<Withdrawing> { caller, id, reason: None, closing: PhantomData }).await
}

/// A claimed request, the caller's side, and the status after the act.
type Permit = (RequestRecord, Side, RequestStatus);

/// How an offer or request is closed.
trait Closing: Send + Sync + 'static {
    /// The action name in the log.
    const ACTION: &'static str;
    const ACT: RequestAct;
    const EVENT: EventType;
    /// Refuses what a party can no longer do.
    fn check(unit: &mut UnitOfWork<'_, '_>, record: &RequestRecord, side: Side) -> Result<()>;
    /// Closes the open offer.
    fn close(unit: &mut UnitOfWork<'_, '_>, offer: &mut Offer, by: Party) -> Result<()>;
    /// What the log says if the party closes it.
    fn message(party: Party) -> &'static str;
    /// Tells the other party.
    fn tell(unit: &mut UnitOfWork<'_, '_>, record: &RequestRecord, by: Party) -> Result<()>;
}

struct Declining;

impl Closing for Declining {
    const ACTION: &'static str = "request.decline";
    const ACT: RequestAct = RequestAct::Decline;
    const EVENT: EventType = EventType::RequestDeclined;

    fn check(unit: &mut UnitOfWork<'_, '_>, record: &RequestRecord, side: Side) -> Result<()> {
        refuse_withdrawn(unit, record, side)
    }

    fn close(unit: &mut UnitOfWork<'_, '_>, offer: &mut Offer, _: Party) -> Result<()> {
        offer.status = OfferStatus::Declined;
        Ok(request::set_offer_status(unit.tx, offer.id, offer.status)?)
    }

    fn message(party: Party) -> &'static str {
        match party {
            Party::Owner => "A request was declined",
            Party::Asker => "An offer was declined",
        }
    }

    fn tell(unit: &mut UnitOfWork<'_, '_>, record: &RequestRecord, by: Party) -> Result<()> {
        notice::declined(unit, record, by)
    }
}

struct Withdrawing;

impl Closing for Withdrawing {
    const ACTION: &'static str = "request.withdraw";
    const ACT: RequestAct = RequestAct::Withdraw;
    const EVENT: EventType = EventType::RequestWithdrawn;

    fn check(_: &mut UnitOfWork<'_, '_>, _: &RequestRecord, _: Side) -> Result<()> {
        Ok(())
    }

    fn close(unit: &mut UnitOfWork<'_, '_>, offer: &mut Offer, by: Party) -> Result<()> {
        (offer.status, offer.withdrawn_by) = (OfferStatus::Withdrawn, Some(by));
        Ok(request::withdraw_offer(unit.tx, offer.id, by)?)
    }

    fn message(party: Party) -> &'static str {
        match party {
            Party::Owner => "An offer was withdrawn",
            Party::Asker => "A request was withdrawn",
        }
    }

    fn tell(unit: &mut UnitOfWork<'_, '_>, record: &RequestRecord, by: Party) -> Result<()> {
        notice::withdrawn(unit, record, by)
    }
}

/// Closes a request or its offer.
struct Close<C> {
    caller: TenantCaller,
    id: RequestId,
    reason: Option<String>,
    closing: PhantomData<C>,
}

impl<C: Closing> Act for Close<C> {
    type Permit = Permit;
    type Output = RequestView;
    const ACTION: &'static str = C::ACTION;

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Permit> {
        let (record, side) = claim(unit, self.caller, self.id)?;
        require_binding(unit, &record.request, side)?;
        C::check(unit, &record, side)?;
        let next = C::ACT.apply(side.party, record.request.status_at(unit.now))?;
        Ok((record, side, next))
    }

    /// Closes the open offer, if any, and stores the request. Whoever declines or withdraws an offer
    /// to their email address becomes its asker.
    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (record, side, next): Permit,
    ) -> Result<Done<RequestView>> {
        let mut offer = request::open_offer(unit.tx, record.request.id)?;
        if let Some(offer) = &mut offer {
            C::close(unit, offer, side.party)?;
        }
        let reopened = unit.now.plus(REQUEST_TIME);
        let after = save(unit, &record.request, next, |it| {
            it.asker = it.asker.or(claiming(side, self.caller));
            it.reason.clone_from(&self.reason);
            it.mark_answered_by(side.party);
            if next == RequestStatus::Open {
                it.lapses_at = it.end(reopened);
            }
        })?;
        let record = request::find(unit.tx, after.id)?.ok_or_else(not_found)?;
        C::tell(unit, &record, side.party)?;
        let event = request_event(unit, C::EVENT, &record, offer.as_ref(), None);
        let (resource, license) = (resource(&record), record.request.license);
        let view = RequestView::new(record, side.party, true, unit.now);
        let done = Done::new(view, resource, C::message(side.party));
        Ok(done.for_license(license).with_event(event))
    }
}
