//! Offers: exact terms that the owner is ready to agree to.

use grantor_domain::email::Email;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::grant::{GrantTerms, Party};
use grantor_domain::id::{LicenseId, RequestId, TenantId};
use grantor_domain::license::License;
use grantor_domain::request::{Offer, OfferStatus, Request, RequestAct, RequestStatus, offer_end};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_receipt::{HashedTerms, PartyId, Terms, terms_hash};
use grantor_storage::request::{self, RequestRecord};
use grantor_storage::{license, talent, tenant, user};

use super::lapse::lapse_of_license;
use super::message::author;
use super::{RequestView, Side, claim, request_event, require_binding, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::grant::{BlockingGrant, exclusivity};
use crate::licensing::notice;
use crate::licensing::permission::owned;
use crate::mail::throttle;
use crate::organizations::rights;
use crate::{App, Context};

/// How many offers a request can have, each in place of the one before.
const MAX_OFFERS: usize = 100;

/// The terms of an offer and its end.
#[derive(Clone, Debug)]
pub struct OfferDraft {
    /// The terms.
    pub terms: GrantTerms,
    /// When the offer ends; after 14 days by default.
    pub expires_at: Option<Timestamp>,
}

/// To whom an owner makes an offer without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Licensee {
    /// A tenant.
    Tenant(TenantId),
    /// Whoever has this email address.
    Email(Email),
}

/// Makes an offer for a request, in place of an open one.
pub async fn offer(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
    draft: OfferDraft,
) -> Result<RequestView> {
    let found = app.store.read(move |tx| Ok::<_, Error>(request::find(tx, id)?)).await?;
    let own = found.map(|it| it.request).filter(|it| it.owner == caller.tenant);
    let address = own.filter(Request::is_unclaimed).and_then(|it| it.email);
    let act = app.act(context, MakeOffer { caller, id, draft });
    match address.and_then(|it| Email::parse(&it).ok()) {
        Some(to) => throttle::inviting(app, context, &to, act).await,
        None => act.await,
    }
}

/// Makes an offer on one of the caller's licenses without being asked.
pub async fn offer_on_license(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    license: LicenseId,
    licensee: Licensee,
    draft: OfferDraft,
) -> Result<RequestView> {
    let to = match &licensee {
        Licensee::Email(email) => Some(email.clone()),
        Licensee::Tenant(_) => None,
    };
    let act = app.act(context, OfferOnLicense { caller, license, licensee, draft });
    match to {
        Some(to) => throttle::inviting(app, context, &to, act).await,
        None => act.await,
    }
}

/// Checks that a license allows terms now, and that no exclusive grant is in the way.
fn check(unit: &mut UnitOfWork<'_, '_>, license: &License, terms: &GrantTerms) -> Result<()> {
    let status = license.effective_status(unit.now);
    if !status.is_live() {
        return Err(Error::conflict(format!("The license is {status}")));
    }
    let beyond = terms.coverage.beyond(license);
    if !beyond.is_empty() {
        let mut error = Error::conflict("The terms are wider than the license");
        for member in beyond.members() {
            error = error.with_detail(&format!("terms.{member}"), limit(license, member));
        }
        return Err(error);
    }
    match exclusivity::conflict(unit.tx, license.talent, terms, unit.now)? {
        Some(BlockingGrant { number, .. }) => Err(Error::conflict(format!(
            "The terms overlap with grant {number}, and one of the two is exclusive"
        ))
        .with_detail("grant_number", number.to_string())),
        None => Ok(()),
    }
}

/// What a license says against a member of wider terms.
fn limit(license: &License, member: &str) -> String {
    let named = match member {
        "starts_at" => license.valid_from.map(|it| format!("must not be before {it}")),
        "ends_at" => license.expires_at.map(|it| format!("must not be after {it}")),
        _ => None,
    };
    match named {
        Some(limit) => format!("{limit}, because of the dates of the license"),
        None => "is wider than the license".to_owned(),
    }
}

/// Creates and stores the offer of a request.
fn make(
    unit: &mut UnitOfWork<'_, '_>,
    request: &Request,
    license: &License,
    caller: TenantCaller,
    draft: &OfferDraft,
) -> Result<Offer> {
    let expires_at = offer_end(draft.expires_at, unit.now);
    let expires_at = expires_at.map_err(|error| Error::field("expires_at", error))?;
    let licensee = match (request.asker, &request.email) {
        (Some(tenant), _) => PartyId::Tenant(tenant.as_uuid()),
        (None, Some(email)) => {
            let email = Email::parse(email).map_err(|error| Error::internal(error.to_owned()))?;
            PartyId::Email(email.key())
        }
        (None, None) => return Err(Error::internal("a request has no asker")),
    };
    let hashed = HashedTerms {
        license_id: license.id.as_uuid(),
        license_version: license.version.into(),
        licensor: PartyId::Tenant(license.tenant.as_uuid()),
        licensee,
        terms: hashable(&draft.terms),
    };
    let offer = Offer {
        id: unit.ids.at(unit.now),
        request: request.id,
        license_version: license.version,
        terms: draft.terms.clone(),
        terms_hash: terms_hash(&hashed)?,
        status: OfferStatus::Open,
        withdrawn_by: None,
        expires_at,
        created_by: caller.user,
        author: author(unit.actor),
        created_at: unit.now,
    };
    request::insert_offer(unit.tx, &offer)?;
    Ok(offer)
}

/// The terms in the form that is hashed.
fn hashable(terms: &GrantTerms) -> Terms {
    let coverage = &terms.coverage;
    Terms {
        uses: coverage.uses.as_slice().iter().map(|it| it.key().to_owned()).collect(),
        territories: coverage.territories.as_slice().iter().map(ToString::to_string).collect(),
        starts_at: coverage.starts_at,
        ends_at: coverage.ends_at,
        fee: terms.fee,
        exclusive: terms.exclusive,
        channels: terms.channels.clone(),
        conditions: Some(terms.conditions.clone()).filter(|it| !it.is_empty()),
        credit_line: terms.credit_line.clone(),
    }
}

struct MakeOffer {
    caller: TenantCaller,
    id: RequestId,
    draft: OfferDraft,
}

impl Act for MakeOffer {
    type Permit = (RequestRecord, Side, RequestStatus, License);
    type Output = RequestView;
    const ACTION: &'static str = "request.offer";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let (record, side) = claim(unit, self.caller, self.id)?;
        require_binding(unit, &record.request, side)?;
        let next = RequestAct::Offer.apply(side.party, record.request.status_at(unit.now))?;
        let license = owned(license::find(unit.tx, record.request.license)?, self.caller.tenant);
        let license = license.map_err(|_| Error::conflict("The license was deleted"))?;
        if request::offers(unit.tx, self.id)?.len() >= MAX_OFFERS {
            let message = format!("A request can have {MAX_OFFERS} offers at most");
            return Err(Error::conflict(message));
        }
        check(unit, &license, &self.draft.terms)?;
        Ok((record, side, next, license))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (mut record, side, next, license): Self::Permit,
    ) -> Result<Done<RequestView>> {
        if let Some(open) = request::open_offer(unit.tx, self.id)? {
            request::set_offer_status(unit.tx, open.id, OfferStatus::Replaced)?;
        }
        let offer = make(unit, &record.request, &license, self.caller, &self.draft)?;
        record.request = save(unit, &record.request, next, |it| {
            it.lapses_at = it.end(offer.expires_at);
            it.mark_read_by(side.party);
            it.add_unread_offer();
        })?;
        notice::offer_made(unit, &record)?;
        let event = request_event(unit, EventType::RequestOffered, &record, Some(&offer), None);
        let resource = resource(&record);
        let view = RequestView::new(record, side.party, true, unit.now);
        let done = Done::new(view, resource, "An offer was made").with_event(event);
        Ok(done.for_license(license.id))
    }
}

/// Whether an address is the caller's own.
fn is_own(unit: &mut UnitOfWork<'_, '_>, caller: TenantCaller, email: &Email) -> Result<bool> {
    let user = user::find(unit.tx, caller.user)?;
    Ok(user.is_some_and(|it| it.email_key == email.key()))
}

struct OfferOnLicense {
    caller: TenantCaller,
    license: LicenseId,
    licensee: Licensee,
    draft: OfferDraft,
}

impl OfferOnLicense {
    /// Refuses a licensee that cannot exist, owns the license or already has a live request.
    fn check_licensee(&self, unit: &mut UnitOfWork<'_, '_>, license: &License) -> Result<()> {
        let live = match &self.licensee {
            Licensee::Tenant(id) if *id == license.tenant => {
                return Err(Error::conflict("You can't make an offer to your own organization"));
            }
            Licensee::Tenant(id) => {
                let unknown = || Error::not_found("Licensee").at("licensee.organization_id");
                tenant::find(unit.tx, *id)?.ok_or_else(unknown)?;
                request::find_live(unit.tx, license.id, *id, unit.now)?
            }
            Licensee::Email(email) if is_own(unit, self.caller, email)? => {
                return Err(Error::conflict("You can't make an offer to yourself"));
            }
            Licensee::Email(email) => {
                request::find_live_email(unit.tx, license.id, &email.key(), unit.now)?
            }
        };
        let Some(id) = live else { return Ok(()) };
        let message = "This party already has an open request or offer for this license";
        Err(Error::conflict(message).with_detail("request_id", id.to_string()))
    }

    fn new_request(&self, unit: &UnitOfWork<'_, '_>, license: &License) -> Request {
        let (asker, email) = match &self.licensee {
            Licensee::Tenant(id) => (Some(*id), None),
            Licensee::Email(email) => (None, Some(email.as_str().to_owned())),
        };
        let GrantTerms { coverage, channels, .. } = self.draft.terms.clone();
        Request {
            id: unit.ids.at(unit.now),
            license: license.id,
            talent: license.talent,
            owner: license.tenant,
            asker,
            email,
            status: RequestStatus::Offered,
            begun_by: Party::Owner,
            coverage,
            purpose: String::new(),
            channels,
            budget: None,
            reason: None,
            closed_by: None,
            closed_at: None,
            unread_by_asker: 1,
            unread_by_owner: 0,
            unread_offers: 1,
            unread_request: false,
            lapses_at: unit.now,
            version: 1,
            created_by: self.caller.user,
            created_at: unit.now,
            updated_at: unit.now,
        }
    }
}

impl Act for OfferOnLicense {
    type Permit = License;
    type Output = RequestView;
    const ACTION: &'static str = "request.offer";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        let found = license::find(unit.tx, self.license)?;
        let found = found.ok_or_else(|| Error::not_found("License"))?.license;
        if found.tenant != self.caller.tenant {
            let message = "Only the owner of the license can make an offer on it";
            return Err(Error::new(ErrorKind::AccessDenied, message));
        }
        talent::lock(unit.tx, found.talent)?;
        let license = owned(license::claim(unit.tx, self.license)?, self.caller.tenant)?;
        rights::require_for_license(unit, Right::ManageLicenses, &license)?;
        check(unit, &license, &self.draft.terms)?;
        Ok(license)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        license: License,
    ) -> Result<Done<RequestView>> {
        let mut events: Vec<NewEvent> = lapse_of_license(unit, license.id)?;
        self.check_licensee(unit, &license)?;
        let mut request = self.new_request(unit, &license);
        let end = offer_end(self.draft.expires_at, unit.now);
        let end = end.map_err(|error| Error::field("expires_at", error))?;
        request.lapses_at = request.end(end);
        let key = match &self.licensee {
            Licensee::Email(email) => Some(email.key()),
            Licensee::Tenant(_) => None,
        };
        request::insert(unit.tx, &request, key.as_deref())?;
        let offer = make(unit, &request, &license, self.caller, &self.draft)?;
        let record = request::find(unit.tx, request.id)?.ok_or_else(super::not_found)?;
        notice::offer_made(unit, &record)?;
        events.push(request_event(unit, EventType::RequestOffered, &record, Some(&offer), None));
        let resource = resource(&record);
        let view = RequestView::new(record, Party::Owner, true, unit.now);
        let mut done = Done::new(view, resource, "An offer was made");
        done.events = events;
        Ok(done.for_license(license.id))
    }
}

/// The error of terms that no longer fit, when an offer is accepted.
pub(super) fn recheck(
    unit: &mut UnitOfWork<'_, '_>,
    license: Option<&License>,
    terms: &GrantTerms,
) -> Result<(), Error> {
    let lapsed = |message| Error::new(ErrorKind::Conflict, message);
    let Some(license) = license else {
        return Err(lapsed("The license was deleted, so the offer has lapsed"));
    };
    let status = license.effective_status(unit.now);
    if !status.is_live() || !terms.coverage.beyond(license).is_empty() {
        return Err(lapsed("The license no longer allows these terms, so the offer has lapsed"));
    }
    Ok(())
}
