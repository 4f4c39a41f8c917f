//! Asking for a grant.

use grantor_domain::event::EventType;
use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::license::License;
use grantor_domain::request::{NewRequest, REQUEST_TIME, Request, RequestStatus};
use grantor_domain::role::Right;
use grantor_domain::{Error, Result};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::{license, request};

use super::lapse::lapse_of_license;
use super::{RequestView, request_event, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::notice;
use crate::organizations::rights;
use crate::{App, Context};

/// Asks for a grant under a license that the caller can see or that is public.
pub async fn create(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    new: NewRequest,
) -> Result<RequestView> {
    app.act(context, Create { caller, new }).await
}

struct Create {
    caller: TenantCaller,
    new: NewRequest,
}

impl Act for Create {
    type Permit = License;
    type Output = RequestView;
    const ACTION: &'static str = "request.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        rights::require(unit, Right::RequestLicenses)?;
        let id = self.new.license;
        let not_found = || Error::not_found("License");
        let seen = reader::find(unit.tx, self.caller.reader(), id)?;
        if seen.is_none() && reader::find(unit.tx, Reader::Everybody, id)?.is_none() {
            return Err(not_found());
        }
        let license = license::claim(unit.tx, id)?.ok_or_else(not_found)?.license;
        if license.tenant == self.caller.tenant {
            return Err(Error::conflict("You own this license; make an offer instead"));
        }
        let status = license.effective_status(unit.now);
        if !status.is_live() {
            return Err(Error::conflict(format!("The license is {status}")));
        }
        Ok(license)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        license: License,
    ) -> Result<Done<RequestView>> {
        let events = lapse_of_license(unit, license.id)?;
        let live = request::find_live(unit.tx, license.id, self.caller.tenant, unit.now)?;
        if let Some(id) = live {
            return Err(already_live(id));
        }
        let NewRequest { coverage, purpose, channels, budget, .. } = self.new.clone();
        let request = Request {
            id: unit.ids.at(unit.now),
            license: license.id,
            talent: license.talent,
            owner: license.tenant,
            asker: Some(self.caller.tenant),
            email: None,
            status: RequestStatus::Open,
            begun_by: Party::Asker,
            coverage,
            purpose,
            channels,
            budget,
            reason: None,
            closed_by: None,
            closed_at: None,
            unread_by_asker: 0,
            unread_by_owner: 1,
            unread_offers: 0,
            unread_request: true,
            lapses_at: unit.now.plus(REQUEST_TIME),
            version: 1,
            created_by: self.caller.user,
            created_at: unit.now,
            updated_at: unit.now,
        };
        request::insert(unit.tx, &request, None)?;
        let record = request::find(unit.tx, request.id)?.ok_or_else(super::not_found)?;
        notice::request_received(unit, &record)?;
        let event = request_event(unit, EventType::RequestCreated, &record, None, None);
        let resource = resource(&record);
        let view = RequestView::new(record, Party::Asker, true, unit.now);
        let mut done = Done::new(view, resource, "A license was requested").with_event(event);
        done.events.extend(events);
        Ok(done.for_license(license.id))
    }
}

/// The conflict of an asker's second live request, with the ID of the first.
pub(super) fn already_live(id: RequestId) -> Error {
    Error::conflict("You already have an open request for this license")
        .with_detail("request_id", id.to_string())
}
