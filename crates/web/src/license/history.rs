//! The history of a license, and its preview as a catalog entry.

use grantor_domain::Result;
use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseStatus;
use grantor_messages::text;
use grantor_service::licensing::license::{self, LicenseRef, VersionChange, VersionView};
use grantor_service::log::LogRecord;
use maud::{Markup, html};
use serde_json::Value;

use super::catalog_picture;
use super::detail::{Change, changes};
use super::section::label;
use super::{get_visible, own};
use crate::catalog;
use crate::frame::{Outcome, Params, Person, Segment};
use crate::image_url;
use crate::log::action;
use crate::log::detail::detail_list;
use crate::view::component::with_query;
use crate::view::rich::rich;
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
    let title = text!("license-history-of", name = found.shown.license.title.as_str());
    let body = html! {
        (head(&title, text!("license-history-lead"), back(id)))
        @if owned { (tabs(text!("license-history-kind"), &[
            (with_query(&person.here, "of", ""), text!("license-history-versions"), !activity),
            (with_query(&person.here, "of", ACTIVITY), text!("license-history-activity"), activity),
        ])) }
        (list)
    };
    Ok(person.page(&title, NavItem::Licenses, body))
}

async fn version_list(person: &Person, id: LicenseId, params: &Params) -> Result<Markup> {
    let (reader, named) = (person.caller.reader(), LicenseRef::Id(id));
    let found = license::version_changes(person.app(), reader, named, params.page()?).await?;
    let found = params.in_range(found)?;
    let heads = [
        text!("word-date"),
        text!("license-history-version"),
        text!("license-history-by"),
        text!("license-history-changes"),
    ];
    let table = Table::new(text!("license-history-versions"), &heads)
        .rows(&found.items, |it| version_row(person, it));
    Ok(html! { (table.show()) (pager(&found, &person.here)) })
}

fn version_row(person: &Person, VersionChange { version, before }: &VersionChange) -> Vec<Markup> {
    let license = &version.view.shown.license;
    let changed = match before {
        Some(_) if version.deleted => html! { (text!("license-deleted")) },
        Some(before) if before.deleted => html! { (text!("license-restored")) },
        Some(before) => change_list(&changes(&before.view.shown.license, license)),
        None if license.version == 1 => html! { (text!("license-created")) },
        None => html! { span.quiet { (text!("license-history-first")) } },
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
        @if changes.is_empty() { span.quiet { (text!("license-history-same")) } }
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
        "client" => text!("license-history-client", name = name),
        "admin" => text!("license-history-staff", name = name),
        "operator" => text!("license-history-operator").to_owned(),
        "system" => text!("license-history-system").to_owned(),
        _ => name.clone(),
    }
}

/// The log entries about the license, its images and its permissions.
async fn activity_list(person: &Person, id: LicenseId, params: &Params) -> Result<Markup> {
    let found = license::history(person.app(), &person.caller, id, params.page()?).await?;
    let found = params.in_range(found)?;
    let heads = [
        text!("word-date"),
        text!("license-history-user"),
        text!("license-history-action"),
        text!("license-history-details"),
    ];
    let table = Table::new(text!("license-history-caption"), &heads)
        .rows(&found.items, |it| activity_row(person, it));
    Ok(html! {
        p.quiet {
            (rich!("license-history-own", requests = html! {
                a href={ "/app/requests?role=owner&license=" (id) } {
                    (text!("license-history-own-link"))
                }
            }))
        }
        @if found.items.is_empty() {
            (empty(text!("license-history-none"), text!("license-history-none-why"), html! {}))
        } @else { (table.show()) (pager(&found, &person.here)) }
    })
}

fn activity_row(person: &Person, record: &LogRecord) -> Vec<Markup> {
    let (event, label) = (action::event(record), action::label(&record.action));
    vec![
        ago(person.now(), record.at),
        html! { (record.actor_name) },
        html! { (event) @if event != label { p.quiet { (label) } } },
        details(&record.details),
    ]
}

/// The old and new values of a change. Entries of older versions have only the names of the fields.
fn details(details: &Value) -> Markup {
    let names = details["changedFields"].as_array().filter(|_| details["changes"].is_null());
    match names {
        Some(names) => {
            let labels = names.iter().filter_map(Value::as_str).map(label);
            html! { (labels.collect::<Vec<_>>().join(", ")) }
        }
        None => detail_list(details),
    }
}

/// Shows the license as its catalog entry.
pub(crate) async fn preview(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let found = get_visible(&person, id).await?;
    let public = found.status == LicenseStatus::Public;
    let picture = if own(&person, &found.shown.license) {
        catalog_picture::load(person.app(), id).await?.map(|it| it.url)
    } else {
        None
    };
    let body = html! {
        (head(text!("license-preview"), text!("license-preview-lead"), back(id)))
        @if public {
            (notice("good", html! {
                p {
                    (rich!("license-preview-public", catalog = html! {
                        a href={ "/app/catalog/" (id) } { (text!("license-preview-public-link")) }
                    }))
                }
            }))
        } @else {
            (notice("warn", html! { p { (text!("license-preview-private")) } }))
        }
        @match &picture {
            Some(url) => (catalog::entry_with_picture(&found.shown, url)),
            None => (catalog::entry(&found.shown)),
        }
    };
    let page = person.page(text!("license-preview"), NavItem::Licenses, body);
    Ok(image_url::allow(page, picture.iter()))
}

fn back(id: LicenseId) -> Markup {
    html! { a.button.plain href={ "/app/licenses/" (id) } { (text!("license-back")) } }
}
