//! `/app/requests`: requests for grants, with their offers and messages, for both parties.

mod accept;
mod action;
mod blocked;
mod foreign_link;
mod form;
mod license_offer;
mod list;
mod offer;
mod terms;
mod thread;
mod timeline;

use grantor_domain::grant::Party;
use grantor_domain::id::{LicenseId, RequestId};
use grantor_domain::license::License;
use grantor_domain::request::{Offer, OfferStatus};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::App;
use grantor_service::identity::access::{Caller, TenantCaller};
use grantor_service::licensing::catalog;
use grantor_service::licensing::license::{self, LicenseRecord, LicenseRef};
use grantor_service::licensing::request::{self, LiveRequest, RequestThread, RequestView};
use maud::{Markup, html};

pub(crate) use self::accept::{accept, accept_form};
pub(crate) use self::action::{decline, send, withdraw};
pub(crate) use self::form::{create, new_form};
pub(crate) use self::license_offer::{license_offer_form, offer_on_license};
pub(crate) use self::list::{list, matching, read as read_list};
pub(crate) use self::offer::{make_offer, offer_form};
pub(crate) use self::terms::{full, place_names, use_names};
pub(crate) use self::thread::show;
use crate::frame::{PageContext, Person};
use crate::view::badge;

const LIST: &str = "/app/requests";

/// The path of a request.
pub(crate) fn path(id: RequestId) -> String {
    format!("{LIST}/{id}")
}

/// The button that leads to the user's open request for a license or the offer for it to the user's
/// address, or else to the request form. Without a session, the form leads to the sign-in page and
/// back. Staff who view the page can't ask.
pub(crate) fn request_button(
    ctx: &PageContext,
    license: LicenseId,
    open: Option<LiveRequest>,
) -> Markup {
    html! {
        @match open {
            Some(LiveRequest::Own(id)) => a.button.small href=(path(id)) { (text!("request-view-yours")) },
            Some(LiveRequest::ToAddress(id)) => a.button.small href=(path(id)) { (text!("request-view-offer")) },
            None if ctx.is_viewed() => {}
            None => a.button.small href={ (LIST) "/new?license=" (license) } { (text!("request-this-license")) },
        }
    }
}

/// Returns the user's open request for a license, or the open offer for it to the user's address.
pub(crate) async fn find_open(
    app: &App,
    caller: &Caller,
    license: LicenseId,
) -> Result<Option<LiveRequest>> {
    request::find_live(app, TenantCaller::from(caller), license).await
}

/// Whether a user can ask for a grant under a license.
pub(crate) fn may_request(person: &Person, license: &License) -> bool {
    license.tenant != person.caller.tenant
        && license.effective_status(person.now()).is_live()
        && person.may(Right::RequestLicenses)
}

fn caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// A license with the path of its page.
struct VisibleLicense {
    record: LicenseRecord,
    path: String,
}

/// Returns a license if it is shared with the user or public.
async fn find_license(person: &Person, id: LicenseId) -> Result<Option<VisibleLicense>> {
    let hidden =
        |error: &Error| matches!(error.kind(), ErrorKind::AccessDenied | ErrorKind::NotFound);
    let reader = person.caller.reader();
    match license::get(person.app(), reader, LicenseRef::Id(id)).await {
        Ok(view) => {
            let path = format!("/app/licenses/{id}");
            return Ok(Some(VisibleLicense { record: view.shown, path }));
        }
        Err(error) if hidden(&error) => {}
        Err(error) => return Err(error),
    }
    match catalog::get(person.app(), id).await {
        Ok(record) => Ok(Some(VisibleLicense { record, path: format!("/app/catalog/{id}") })),
        Err(error) if hidden(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the user can act for their side. Staff who view the page only look.
fn may_act(person: &Person, view: &RequestView) -> bool {
    view.may_act && !person.is_viewed()
}

/// Whether the user can write messages, also with a licensor permission.
fn may_write(person: &Person, view: &RequestView) -> bool {
    may_act(person, view) || (is_guest(person, view) && person.acts(Right::EditLicenses))
}

/// Whether the user only sees the request because of a licensor permission.
fn is_guest(person: &Person, view: &RequestView) -> bool {
    view.party == Party::Owner && !is_owner(person, view)
}

fn is_owner(person: &Person, view: &RequestView) -> bool {
    view.record.request.owner == person.caller.tenant
}

/// Returns the offer that can be accepted.
fn open_offer(thread: &RequestThread) -> Option<&Offer> {
    let live = thread.view.status.is_live();
    thread.offers.iter().rev().find(|it| live && it.status == OfferStatus::Open)
}

/// The name of the side that asks: its email address until someone acts for it.
fn asker(view: &RequestView) -> Markup {
    html! {
        @match (&view.record.asker, &view.record.request.email) {
            (Some(asker), _) => (asker.name),
            (None, Some(email)) => { (email) " " (badge("pending")) }
            (None, None) => "–",
        }
    }
}

/// The name of one side, as text.
pub(crate) fn party_name(view: &RequestView, party: Party) -> &str {
    let record = &view.record;
    match party {
        Party::Owner => &record.owner.name,
        Party::Asker => {
            let asker = record.asker.as_ref().map(|it| it.name.as_str());
            asker.or(record.request.email.as_deref()).unwrap_or("–")
        }
    }
}

/// The organization of somebody, unless it has the same name: an individual's has.
fn organization_of<'a>(author: &str, organization: &'a str) -> Option<&'a str> {
    (author != organization).then_some(organization)
}

/// The error without the values that only programs need, such as hashes.
fn without_details(error: &Error) -> Error {
    Error::new(error.kind().clone(), error.message().to_owned())
}
