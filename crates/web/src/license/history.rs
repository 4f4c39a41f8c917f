//! The history of a license, and its preview as a catalog entry.

use grantor_domain::Result;
use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseStatus;
use grantor_service::licensing::license::{self, LicenseRef, VersionChange, VersionView};
use grantor_service::log::LogRecord;
use maud::{Markup, html};
use serde_json::Value;

use super::detail::{Change, changes};
use super::form::label;
use super::{get_visible, own};
use crate::catalog;
use crate::frame::{Outcome, Params, Person, Segment};
use crate::log::action;
use crate::view::component::with_query;
use crate::view::{NavItem, Table, ago, empty, head, notice, pager, tabs};

/// The value of `of` that lists all log entries instead of only the versions.
const ACTIVITY: &str = "activity";

/// Shows every version with what changed and who changed it, and to its owner also the log.
pub(crate) async fn history(
    person: Person,
    Segment(id): Segment<LicenseId>,
    params: Params,
) -> Outcome {
    let found = get_visible(&person, id).await?;
    let owned = own(&person, &found.shown.license);
    let activity = owned && params.get("of") == Some(ACTIVITY);
    let list = if activity {
        activity_list(&person, id, &params).await?
    } else {
        version_list(&person, id, &params).await?
    };
    let title = format!("History of {}", found.shown.license.title.as_str());
    let body = html! {
        (head(&title, "All changes to this license, newest first.", back(id)))
        @if owned { (tabs("Kind of history", &[
            (with_query(&person.here, "of", ""), "Versions", !activity),
            (with_query(&person.here, "of", ACTIVITY), "All activity", activity),
        ])) }
        (list)
    };
    Ok(person.page(&title, NavItem::Licenses, body))
}

async fn version_list(person: &Person, id: LicenseId, params: &Params) -> Result<Markup> {
    let (reader, named) = (person.caller.reader(), LicenseRef::Id(id));
    let found = license::version_changes(person.app(), reader, named, params.page()?).await?;
    let found = params.in_range(found)?;
    let heads = ["Date", "Version", "Changed by", "Changes"];
    let table = Table::new("Versions", &heads).rows(&found.items, |it| version_row(person, it));
    Ok(html! { (table.show()) (pager(&found, &person.here)) })
}

fn version_row(person: &Person, VersionChange { version, before }: &VersionChange) -> Vec<Markup> {
    let license = &version.view.shown.license;
    let changed = match before {
        Some(before) => change_list(&changes(&before.view.shown.license, license)),
        None if license.version == 1 => html! { "License created" },
        None => html! { span.quiet { "The first version that was kept" } },
    };
    vec![
        ago(person.now(), license.updated_at),
        html! { (license.version) },
        html! { (actor(version)) },
        changed,
    ]
}

fn change_list(changes: &[Change]) -> Markup {
    html! {
        // A new name of the talent or the owner also makes a version.
        @if changes.is_empty() { span.quiet { "No changes to the license itself" } }
        @else {
            ul {
                @for (label, old, new) in changes {
                    li.lines { strong { (label) ":" } " " (old) " → " (new) }
                }
            }
        }
    }
}

fn actor(version: &VersionView) -> String {
    let name = &version.actor_name;
    match version.actor_kind.as_str() {
        "client" => format!("{name} (API client)"),
        "admin" => format!("{name} (staff)"),
        "operator" => "Operator".to_owned(),
        "system" => "Automatic".to_owned(),
        _ => name.clone(),
    }
}

/// The log entries about the license, its images and its permissions.
async fn activity_list(person: &Person, id: LicenseId, params: &Params) -> Result<Markup> {
    let found = license::history(person.app(), &person.caller, id, params.page()?).await?;
    let found = params.in_range(found)?;
    let heads = ["Date", "User", "Action", "Changed fields"];
    let table = Table::new("Activity", &heads).rows(&found.items, |it| activity_row(person, it));
    Ok(html! {
        p.quiet {
            "What your organization did. The steps of other parties are in "
            a href={ "/app/requests?role=owner&license=" (id) } { "their requests" } "."
        }
        @if found.items.is_empty() {
            (empty("No activity", "Log entries are kept for a limited time.", html! {}))
        } @else { (table.show()) (pager(&found, &person.here)) }
    })
}

fn activity_row(person: &Person, record: &LogRecord) -> Vec<Markup> {
    vec![
        ago(person.now(), record.at),
        html! { (record.actor_name) },
        html! { (record.message) p.quiet { (action::label(&record.action)) } },
        html! { (changed_fields(&record.details)) },
    ]
}

/// The labels of the changed fields.
fn changed_fields(details: &Value) -> String {
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
