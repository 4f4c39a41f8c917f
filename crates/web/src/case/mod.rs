//! `/app/cases` and `/app/mentions/{mention}/case`: what is done about mentions.

pub(crate) mod evidence;
mod letter;
mod section;
mod show;
pub(crate) mod template;

use grantor_domain::case::{CaseFilter, CaseQuery, CaseStatus};
use grantor_service::identity::access::TenantCaller;
use grantor_service::watching::case::{self, ListedCase};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person};
use crate::view::component::with_query;
use crate::view::{NavItem, Table, ago, badge, empty, head, pager, tabs};

pub(crate) use self::letter::{send as send_letter, show_form as letter_form};
pub(crate) use self::section::section;
pub(crate) use self::show::{change, comment, open, show};

/// The tabs of the list: the value of the filter and the label.
const TABS: [(&str, &str); 8] = [
    ("waiting", "Waiting"),
    ("open", "Open"),
    ("sent", "Letter sent"),
    ("answered", "Answered"),
    ("disputed", "Disputed"),
    ("removed", "Removed"),
    ("closed", "Closed"),
    ("all", "All"),
];

fn tenant_caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// The words for a status.
fn status_label(status: CaseStatus) -> &'static str {
    let found = TABS.iter().find(|(name, _)| *name == status.name());
    found.map_or(status.name(), |(_, label)| *label)
}

/// Lists cases, last changed first. Without a filter, those that wait for somebody.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let current = params.get("status").unwrap_or("waiting");
    let filter = match current {
        "waiting" => CaseFilter::Live,
        "all" => CaseFilter::All,
        other => {
            let status = other.parse::<CaseStatus>();
            let status = status.map_err(|it| grantor_domain::Error::field("status", it))?;
            CaseFilter::Status(status)
        }
    };
    let query = CaseQuery { page: params.page()?, filter };
    let found = case::list(person.app(), tenant_caller(&person), query).await?;
    let found = params.in_range(found)?;
    let heads = ["Mention", "Talent", "Status", "Assignee", "Last look", "Changed"];
    let table = Table::new("Cases", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Cases", "What you do about mentions that are not allowed.", html! {
            a.button.plain href="/app/mentions?status=confirmed" { "Confirmed mentions" }
        }))
        (status_tabs(&person, current))
        @if found.items.is_empty() { (no_cases(filter)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Cases", NavItem::Cases, body))
}

fn status_tabs(person: &Person, current: &str) -> Markup {
    let tab = |(name, label): (&str, &'static str)| {
        (with_query(&person.here, "status", name), label, name == current)
    };
    tabs("Cases by status", &TABS.map(tab))
}

fn no_cases(filter: CaseFilter) -> Markup {
    let next = html! { a.button.plain href="/app/mentions?status=confirmed" { "View confirmed mentions" } };
    match filter {
        CaseFilter::Live => empty(
            "Nothing is waiting",
            "Open a case on a confirmed mention to send letters and to see when it is removed.",
            next,
        ),
        _ => empty("No cases found", "No cases have this status.", next),
    }
}

fn row(person: &Person, it: &ListedCase) -> Vec<Markup> {
    let title = if it.title.trim().is_empty() { &it.url } else { &it.title };
    let now = person.now();
    vec![
        html! { a href={ "/app/mentions/" (it.mention) "/case" } { (title) } },
        html! { (it.talent_name) },
        badge(it.status.name()),
        html! { (it.assignee.as_ref().map_or("–", |(_, name)| name.as_str())) },
        it.last_look_at.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at)),
        ago(now, it.updated_at),
    ]
}
