//! What stands beside a license: what became of it, and how everybody would see it.

use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseStatus;
use grantor_service::license;
use grantor_service::log::LogRecord;
use maud::{Markup, html};
use serde_json::Value;

use super::form::label;
use super::see;
use crate::catalog;
use crate::frame::{Asked, Outcome, Person, Segment};
use crate::view::{Place, Table, ago, empty, head, notice, pager};

/// Who changed what, and when.
pub(crate) async fn history(
    person: Person,
    Segment(id): Segment<LicenseId>,
    asked: Asked,
) -> Outcome {
    let seen = see(&person, id).await?;
    let found =
        asked.within(license::history(person.app(), &person.caller, id, asked.page()?).await?)?;
    let heads = ["When", "Who", "What", "Changed"];
    let table = Table::new("History", &heads).rows(&found.items, |it| row(&person, it));
    let title = format!("History of {}", seen.shown.license.title.as_str());
    let body = html! {
        (head(&title, "Who changed what, the latest first.", back(id)))
        @if found.items.is_empty() {
            (empty("Nothing is noted here", "What becomes of a license is noted with its owner.", html! {}))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(&title, Place::Licenses, body))
}

fn row(person: &Person, record: &LogRecord) -> Vec<Markup> {
    vec![
        ago(person.now(), record.at),
        html! { (record.actor_name) },
        html! { (record.message) " " code.quiet { (record.action) } },
        html! { (changed(&record.details)) },
    ]
}

/// The names of what is different, or who got a right.
fn changed(details: &Value) -> String {
    let names = details["changedFields"].as_array().into_iter().flatten();
    names.filter_map(Value::as_str).map(label).collect::<Vec<_>>().join(", ")
}

/// As the catalog would show it.
pub(crate) async fn preview(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let seen = see(&person, id).await?;
    let public = seen.status == LicenseStatus::Public;
    let body = html! {
        (head("Preview", "The license as everybody sees it in the catalog.", back(id)))
        @if public {
            (notice("good", html! {
                p { "It is public: " a href={ "/app/catalog/" (id) } { "open it in the catalog" } "." }
            }))
        } @else {
            (notice("warn", html! { p { "It is not public: nobody sees this in the catalog yet." } }))
        }
        (catalog::entry(&seen.shown))
    };
    Ok(person.page("Preview", Place::Licenses, body))
}

fn back(id: LicenseId) -> Markup {
    html! { a.button.plain href={ "/app/licenses/" (id) } { "Back to the license" } }
}
