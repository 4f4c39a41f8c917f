//! What waits for an answer: offers to the person's organization, and requests for its licenses.

use grantor_domain::Result;
use grantor_domain::grant::Party;
use grantor_domain::page::Page;
use grantor_domain::request::RequestStatus;
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::request::{self, RequestFilter};
use maud::{Markup, html};

use crate::frame::Person;
use crate::request::path;
use crate::view::notice;

/// The lines about what waits, with links to it.
pub(super) async fn show(person: &Person) -> Result<Markup> {
    let (offers, requests) = tokio::try_join!(
        find(person, Party::Asker, RequestStatus::Offered, Right::RequestLicenses),
        find(person, Party::Owner, RequestStatus::Open, Right::ManageLicenses),
    )?;
    let offers = offers.map(|(count, to)| (text!("dashboard-offers-waiting", count = count), to));
    let requests =
        requests.map(|(count, to)| (text!("dashboard-requests-waiting", count = count), to));
    Ok(html! {
        @for (line, to) in offers.into_iter().chain(requests) {
            (notice("", html! { p { a href=(to) { (line) } } }))
        }
    })
}

/// How many requests with this status wait for the person's side, and where they are.
async fn find(
    person: &Person,
    party: Party,
    status: RequestStatus,
    right: Right,
) -> Result<Option<(u64, String)>> {
    if !person.may(right) {
        return Ok(None);
    }
    let filter = RequestFilter { role: Some(party), status: Some(status), license: None };
    let caller = TenantCaller::from(&*person.caller);
    let found = request::list(person.app(), caller, filter, Page::new(1, 1)).await?;
    let Some(first) = found.items.first() else { return Ok(None) };
    let to = match found.total {
        1 => path(first.record.request.id),
        _ => format!("/app/requests?role={}&status={}", party.name(), status.name()),
    };
    Ok(Some((found.total, to)))
}
