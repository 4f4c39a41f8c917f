//! The history of a license, and its preview as a catalog entry.

use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseStatus;
use grantor_service::licensing::license;
use grantor_service::log::LogRecord;
use maud::{Markup, html};
use serde_json::Value;

use super::form::label;
use super::get_visible;
use crate::catalog;
use crate::frame::{Outcome, Params, Person, Segment};
use crate::view::{NavItem, Table, ago, empty, head, notice, pager};

/// Shows who changed what, and when.
pub(crate) async fn history(
    person: Person,
    Segment(id): Segment<LicenseId>,
    params: Params,
) -> Outcome {
    let found = get_visible(&person, id).await?;
    let entries = params
        .in_range(license::history(person.app(), &person.caller, id, params.page()?).await?)?;
    let heads = ["Date", "User", "Action", "Changed fields"];
    let table = Table::new("History", &heads).rows(&entries.items, |it| row(&person, it));
    let title = format!("History of {}", found.shown.license.title.as_str());
    let body = html! {
        (head(&title, "All changes to this license, newest first.", back(id)))
        @if entries.items.is_empty() {
            (empty("No history", "Only the owner of a license can see its history.", html! {}))
        } @else { (table.show()) (pager(&entries, &person.here)) }
    };
    Ok(person.page(&title, NavItem::Licenses, body))
}

fn row(person: &Person, record: &LogRecord) -> Vec<Markup> {
    vec![
        ago(person.now(), record.at),
        html! { (record.actor_name) },
        html! { (record.message) " " code.quiet { (record.action) } },
        html! { (changed(&record.details)) },
    ]
}

/// The labels of the changed fields.
fn changed(details: &Value) -> String {
    let names = details["changedFields"].as_array().into_iter().flatten();
    names.filter_map(Value::as_str).map(label).collect::<Vec<_>>().join(", ")
}

/// Shows the license as its catalog entry.
pub(crate) async fn preview(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let found = get_visible(&person, id).await?;
    let public = found.status == LicenseStatus::Public;
    let body = html! {
        (head("Preview", "This is how the license looks in the public catalog.", back(id)))
        @if public {
            (notice("good", html! {
                p { "This license is public. " a href={ "/app/catalog/" (id) } { "View it in the catalog" } "." }
            }))
        } @else {
            (notice("warn", html! { p { "This license isn't public, so it isn't in the catalog yet." } }))
        }
        (catalog::entry(&found.shown))
    };
    Ok(person.page("Preview", NavItem::Licenses, body))
}

fn back(id: LicenseId) -> Markup {
    html! { a.button.plain href={ "/app/licenses/" (id) } { "Back to license" } }
}
