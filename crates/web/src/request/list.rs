//! The inbox: requests that the tenant sent and received.

use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::grant::Party;
use grantor_domain::request::RequestStatus;
use grantor_service::licensing::request::{self, RequestFilter, RequestView};
use maud::{Markup, html};

use super::{LIST, asker, caller, path};
use crate::frame::{Outcome, Params, Person};
use crate::view::component::with_query;
use crate::view::filter::{filters, hidden_param, pick};
use crate::view::{
    NavItem, Table, ago, badge, empty, head, notice, pager, pluralize, sentence_case, tabs,
};

/// Lists requests, the last changed first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let (caller, filter) = (caller(&person), read(&params)?);
    let found = request::list(person.app(), caller, filter, params.page()?).await?;
    let found = params.in_range(found)?;
    let unread = person.unread;
    let heads = ["License", "With", "Status", "Last change", "Unread"];
    let table = Table::new("Requests", &heads).rows(&found.items, |it| row(&person, it));
    let statuses = RequestStatus::ALL.map(|it| (it.name(), sentence_case(it.name())));
    let body = html! {
        (head("Requests", "Requests for licenses, with offers and messages.", html! {
            a.button.plain href="/app/catalog" { "Browse catalog" }
        }))
        @if unread > 0 {
            (notice("", html! { p { "You have " (pluralize(unread, "unread update")) "." } }))
        }
        (sides(&person, filter.role))
        (filters(LIST, &params, html! {
            (hidden_param("role", &params)) (hidden_param("license", &params))
            (pick("status", "Status", "Any status", statuses, &params))
        }))
        @if found.items.is_empty() { (no_requests(filter)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Requests", NavItem::Requests, body))
}

fn read(params: &Params) -> Result<RequestFilter, Error> {
    let mut fields = Fields::default();
    let role = params.get("role").and_then(|it| fields.take("role", it.parse::<Party>()));
    let status = params.get("status");
    let status = status.and_then(|it| fields.take("status", it.parse::<RequestStatus>()));
    let license = params.get("license").and_then(|it| fields.take("license", it.parse()));
    fields.finish()?;
    Ok(RequestFilter { role, status, license })
}

fn sides(person: &Person, role: Option<Party>) -> Markup {
    let tab = |side: Option<Party>, label| {
        let url = with_query(&person.here, "role", side.map(Party::name).unwrap_or_default());
        (url, label, side == role)
    };
    tabs(
        "Requests by direction",
        &[
            tab(None, "All"),
            tab(Some(Party::Owner), "As licensor"),
            tab(Some(Party::Asker), "As licensee"),
        ],
    )
}

fn row(person: &Person, view: &RequestView) -> Vec<Markup> {
    let (record, request) = (&view.record, &view.record.request);
    let unread = request.unread_by(view.party);
    vec![
        html! {
            a href=(path(request.id)) { (record.license_title) }
            p.quiet { (record.talent_name) }
        },
        html! {
            @match view.party {
                Party::Owner => (asker(view)),
                Party::Asker => (record.owner.name),
            }
            p.quiet { (direction(view)) }
        },
        badge(view.status.name()),
        ago(person.now(), request.updated_at),
        html! {
            @if unread > 0 { span.badge.warn { (unread) " unread" } }
            @else { span.quiet { "–" } }
        },
    ]
}

fn direction(view: &RequestView) -> &'static str {
    match (view.party, view.record.request.begun_by) {
        (Party::Owner, Party::Asker) => "Received",
        (Party::Asker, Party::Asker) => "Sent",
        (Party::Owner, Party::Owner) => "Offer sent",
        (Party::Asker, Party::Owner) => "Offer received",
    }
}

fn no_requests(filter: RequestFilter) -> Markup {
    if filter.status.is_some() || filter.license.is_some() {
        let clear = html! { a.button.plain href=(LIST) { "Clear filters" } };
        return empty("No requests found", "No requests match your filters.", clear);
    }
    if filter.role == Some(Party::Owner) {
        let why = "Requests for your licenses appear here. Publish a license in the catalog to be \
            found.";
        let next = html! { a.button href="/app/licenses" { "View licenses" } };
        return empty("No requests received yet", why, next);
    }
    empty(
        "No requests yet",
        "Find a license in the catalog and select Request this license.",
        html! { a.button href="/app/catalog" { "Browse catalog" } },
    )
}
