//! Requests that nobody acted on in time. Responses show them as lapsed right away; this stores the
//! status and emits the event, once.

use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{LicenseId, RequestId};
use grantor_domain::request::{OfferStatus, RequestStatus};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::request::{self, RequestRecord};

use super::{not_found, request_event, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::licensing::notice;
use crate::{App, Context};

/// The batch size.
const AT_ONCE: u32 = 200;

/// Stores the status of all requests that have lapsed and returns their number.
pub async fn lapse(app: &App, context: &Context) -> Result<u64> {
    let mut lapsed = 0;
    loop {
        let now = app.clock.now();
        let found = app.store.read(move |tx| request::list_lapsed(tx, now, AT_ONCE)).await;
        let found = found.map_err(Error::from)?;
        for id in &found {
            match app.act(context, Lapse { id: *id }).await {
                Ok(()) => lapsed += 1,
                // Another node or a party was first.
                Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::NotFound) => {
                }
                Err(error) => return Err(error),
            }
        }
        if found.len() < AT_ONCE as usize {
            return Ok(lapsed);
        }
    }
}

/// Stores the status of a license's lapsed requests, so that the same parties can begin anew.
pub(super) fn lapse_of_license(
    unit: &mut UnitOfWork<'_, '_>,
    license: LicenseId,
) -> Result<Vec<NewEvent>> {
    let ids = request::list_lapsed_of_license(unit.tx, license, unit.now)?;
    // All are locked before the first count changes, so that two units of work cannot deadlock.
    let mut claimed = Vec::new();
    for id in ids {
        claimed.extend(request::claim(unit.tx, id)?);
    }
    // Another node may have been first with some.
    claimed.retain(|it| it.request.status_at(unit.now) != it.request.status);
    let events = claimed.into_iter().map(|it| Ok(store(unit, it)?.1));
    events.collect()
}

/// Stores a request, with its open offer, as lapsed.
pub(super) fn store(
    unit: &mut UnitOfWork<'_, '_>,
    mut record: RequestRecord,
) -> Result<(RequestRecord, NewEvent)> {
    let mut offer = request::open_offer(unit.tx, record.request.id)?;
    if let Some(offer) = &mut offer {
        offer.status = OfferStatus::Lapsed;
        request::set_offer_status(unit.tx, offer.id, offer.status)?;
    }
    record.request = save(unit, &record.request, RequestStatus::Lapsed, |_| {})?;
    notice::lapsed(unit, &record, offer.is_some())?;
    let event = request_event(unit, EventType::RequestLapsed, &record, offer.as_ref(), None);
    Ok((record, event))
}

struct Lapse {
    id: RequestId,
}

impl Act for Lapse {
    type Permit = RequestRecord;
    type Output = ();
    const ACTION: &'static str = "request.lapse";

    /// Runs on the schedule of every node; only the first node stores the status.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<RequestRecord> {
        let record = request::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        if record.request.status_at(unit.now) == record.request.status {
            return Err(Error::conflict("The request has not lapsed"));
        }
        Ok(record)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, record: RequestRecord) -> Result<Done<()>> {
        let (record, event) = store(unit, record)?;
        let mut done = Done::new((), resource(&record), "A request lapsed").with_event(event);
        done.tenant = Some(record.request.owner);
        Ok(done.for_license(record.request.license))
    }
}
