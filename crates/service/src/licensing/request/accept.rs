//! Accepting an offer, which makes a grant.

use grantor_domain::event::EventType;
use grantor_domain::grant::{Grant, GrantStatus, Party};
use grantor_domain::id::{OfferId, RequestId};
use grantor_domain::license::License;
use grantor_domain::request::{Offer, OfferStatus, RequestAct, RequestStatus};
use grantor_domain::{Error, Result};
use grantor_storage::request::{self, RequestRecord};
use grantor_storage::{grant, license};

use super::message::author;
use super::offer::recheck;
use super::{claim, lapse, refuse_withdrawn, request_event, require_binding, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::grant::{GrantView, exclusivity, refresh_reader, status_entry};
use crate::licensing::notice;
use crate::{App, Context};

/// Accepts the open offer, if it still has exactly the terms with this hash. Again: the same grant.
pub async fn accept(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
    terms_hash: String,
) -> Result<GrantView> {
    app.act(context, Accept { caller, id, terms_hash }).await?
}

struct Accept {
    caller: TenantCaller,
    id: RequestId,
    terms_hash: String,
}

/// What accepting leads to.
enum Permit {
    /// The grant that was made before.
    Again(Box<GrantView>, RequestRecord),
    /// The license no longer allows the terms.
    Lapses(RequestRecord, Error),
    /// An exclusive grant is in the way of the offer; its number.
    Blocked(RequestRecord, OfferId, String),
    /// A new grant.
    Grant(RequestRecord, Box<Offer>, Box<License>),
}

impl Act for Accept {
    type Permit = Permit;
    type Output = Result<GrantView>;
    const ACTION: &'static str = "request.accept";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Permit> {
        let (record, side) = claim(unit, self.caller, self.id)?;
        require_binding(unit, &record.request, side)?;
        let status = record.request.status_at(unit.now);
        if status == RequestStatus::Accepted && side.party == Party::Asker {
            return self.again(unit, record);
        }
        refuse_withdrawn(unit, &record, side)?;
        RequestAct::Accept.apply(side.party, status)?;
        let open = request::open_offer(unit.tx, self.id)?;
        let offer = open.ok_or_else(|| Error::conflict("The request has no open offer"))?;
        if offer.terms_hash != self.terms_hash {
            return Err(other_terms(&offer));
        }
        let license = license::find(unit.tx, record.request.license)?.map(|it| it.license);
        if let Err(error) = recheck(unit, license.as_ref(), &offer.terms) {
            return Ok(Permit::Lapses(record, error));
        }
        let talent = record.request.talent;
        if let Some(other) = exclusivity::conflict(unit.tx, talent, &offer.terms, unit.now)? {
            return Ok(Permit::Blocked(record, offer.id, other.number.to_string()));
        }
        let license = license.ok_or_else(|| Error::not_found("License"))?;
        Ok(Permit::Grant(record, Box::new(offer), Box::new(license)))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Permit,
    ) -> Result<Done<Result<GrantView>>> {
        match permit {
            Permit::Again(grant, record) => {
                Ok(Done::new(Ok(*grant), resource(&record), "An offer was already accepted"))
            }
            Permit::Lapses(record, error) => {
                let (record, event) = lapse::store(unit, record)?;
                let license = record.request.license;
                let done = Done::new(Err(error), resource(&record), "An accepted offer had lapsed");
                Ok(done.refused().for_license(license).with_event(event))
            }
            Permit::Blocked(record, offer, number) => {
                exclusivity::tell_of_blocked_offer(unit, &record, offer, &number)?;
                let message =
                    "This offer overlaps with another grant of the talent; ask the licensor";
                let error = Error::conflict(message);
                let told = "An offer could not be accepted because of another grant of the talent";
                let done = Done::new(Err(error), resource(&record), told).refused();
                Ok(done.for_license(record.request.license))
            }
            Permit::Grant(record, offer, license) => self.grant(unit, record, &offer, &license),
        }
    }
}

impl Accept {
    /// Returns the grant of an offer that was accepted before, if the same terms are meant.
    fn again(&self, unit: &mut UnitOfWork<'_, '_>, record: RequestRecord) -> Result<Permit> {
        let id = grant::find_of_request(unit.tx, self.id)?;
        let found = id.map(|id| grant::find(unit.tx, id)).transpose()?.flatten();
        let found = found.ok_or_else(|| Error::not_found("Grant"))?;
        if found.grant.terms_hash != self.terms_hash {
            return Err(Error::conflict("Other terms were accepted")
                .with_detail("terms_hash", &found.grant.terms_hash));
        }
        Ok(Permit::Again(Box::new(GrantView::new(found, Party::Asker, unit.now)), record))
    }

    fn grant(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut record: RequestRecord,
        offer: &Offer,
        license: &License,
    ) -> Result<Done<Result<GrantView>>> {
        let grant = Grant {
            id: unit.ids.at(unit.now),
            request: self.id,
            license: license.id,
            license_version: offer.license_version,
            talent: license.talent,
            licensor: license.tenant,
            licensee: self.caller.tenant,
            number: grant::next_number(unit.tx, license.tenant, unit.now.year())?,
            status: GrantStatus::at(&offer.terms.coverage, None, unit.now),
            terms: offer.terms.clone(),
            terms_hash: offer.terms_hash.clone(),
            accepted_by: self.caller.user,
            accepted_by_name: author(unit.actor),
            status_entry: status_entry(unit)?,
            created_at: unit.now,
            revoked_at: None,
            revoke_reason: None,
            revoked_by_name: None,
        };
        grant::insert(unit.tx, &grant)?;
        request::set_offer_status(unit.tx, offer.id, OfferStatus::Accepted)?;
        let tenant = self.caller.tenant;
        save(unit, &record.request, RequestStatus::Accepted, |it| {
            it.asker = Some(tenant);
            it.mark_answered_by(Party::Asker);
        })?;
        record = request::find(unit.tx, self.id)?.ok_or_else(super::not_found)?;
        if grant.status == GrantStatus::Active {
            refresh_reader(unit, license, tenant)?;
        }
        let found = grant::find(unit.tx, grant.id)?.ok_or_else(|| Error::not_found("Grant"))?;
        notice::grant_made(unit, &found)?;
        exclusivity::tell_later(unit, &grant)?;
        let view = GrantView::new(found, Party::Asker, unit.now);
        let kind = EventType::GrantCreated;
        let event = request_event(unit, kind, &record, None, Some(&view));
        let message = format!("Grant {} was made", grant.number);
        let done = Done::new(Ok(view), resource(&record), message).with_event(event);
        Ok(done.for_license(license.id))
    }
}

/// Nobody accepts terms they have not read.
fn other_terms(offer: &Offer) -> Error {
    Error::conflict("The open offer has other terms; read them and accept them by their hash")
        .with_detail("terms_hash", &offer.terms_hash)
}
