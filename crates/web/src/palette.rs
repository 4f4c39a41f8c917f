//! `/app/search` and `/app/admin/search`: jumping to pages, actions and records by name. The
//! command palette shows the same results.

mod destination;
mod find;
mod shortcut;

use axum::response::IntoResponse as _;
use grantor_domain::search::FindQuery;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use maud::{Markup, html};

pub(crate) use self::shortcut::shortcuts;
use crate::frame::{Outcome, Params, Person, Staff};
use crate::view::filter::{filters, search_box};
use crate::view::palette::{EntryGroup, options, results};
use crate::view::{NavItem, empty, head};

/// The search page of users, and that of staff.
pub(crate) const SEARCH: &str = "/app/search";
pub(crate) const STAFF_SEARCH: &str = "/app/admin/search";

/// What is searched for. Nothing finds all pages and actions.
fn read(params: &Params) -> Result<Option<FindQuery>> {
    let text = params.get("search").unwrap_or_default();
    FindQuery::parse(text).map_err(|error| Error::field("search", error))
}

/// Shows the search page.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let found = find::for_person(&person, read(&params)?.as_ref()).await?;
    let body = page(SEARCH, text!("palette-lead"), &params, &found);
    Ok(person.page(text!("palette-search"), NavItem::None, body))
}

/// Shows the results as options of the palette.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = find::for_person(&person, read(&params)?.as_ref()).await?;
    Ok(options(&found).into_response())
}

/// Shows the search page of staff.
pub(crate) async fn show_to_staff(staff: Staff, params: Params) -> Outcome {
    let found = find_for_staff(&staff, &params).await?;
    let body = page(STAFF_SEARCH, text!("palette-lead-staff"), &params, &found);
    Ok(staff.page(text!("palette-search"), NavItem::None, body))
}

/// Shows the results for staff as options of the palette.
pub(crate) async fn list_to_staff(staff: Staff, params: Params) -> Outcome {
    let found = find_for_staff(&staff, &params).await?;
    Ok(options(&found).into_response())
}

async fn find_for_staff(staff: &Staff, params: &Params) -> Result<Vec<EntryGroup>> {
    let find = read(params)?;
    find::for_staff(staff, find.as_ref(), params.get("search")).await
}

fn page(path: &str, lead: &str, params: &Params, found: &[EntryGroup]) -> Markup {
    let keys = html! { a.button.plain href="/app/shortcuts" { (text!("palette-shortcuts")) } };
    html! {
        (head(text!("palette-search"), lead, keys))
        (filters(path, params, search_box("search", text!("palette-box"), params)))
        @if found.is_empty() {
            (empty(text!("palette-none"), text!("palette-none-hint"), html! {
                a.button.plain href=(path) { (text!("palette-all-pages")) }
            }))
        } @else { (results(found)) }
    }
}
