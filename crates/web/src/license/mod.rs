//! `/app/licenses`: the tenant's own licenses and those shared with it.

mod detail;
mod form;
mod history;
mod image;
mod permission;
mod show;
mod term;

use std::collections::HashMap;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{
    FieldNames, License, LicenseFee, LicenseParams, LicenseQuery, LicenseStatus, LicenseType,
};
use grantor_domain::permission::LicenseAct;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::App;
use grantor_service::licensing::license::{self, LicenseRef, LicenseView, Reader};
use maud::{Markup, html};

pub(crate) use self::form::{change, create, edit, new_form};
pub(crate) use self::history::{history, preview};
pub(crate) use self::image::{add_images, remove_image};
pub(crate) use self::permission::{revoke, share};
pub(crate) use self::show::{change_status, delete, show};
use crate::frame::{Outcome, Params, Person};
use crate::image_url;
use crate::view::component::with_query;
use crate::view::filter::{self, hidden_param, one_of, search_box};
use crate::view::territory::territory_names;
use crate::view::{NavItem, Table, ago, badge, day, empty, head, money, pager, tabs};

/// The value of `of` that lists every visible license instead of only the tenant's own.
const VISIBLE: &str = "seen";

/// Lists licenses.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let owner = person.may(Right::ReadLicenses);
    let all = !owner || params.get("of") == Some(VISIBLE);
    let reader = if all { person.caller.reader() } else { Reader::Owner(person.caller.tenant) };
    let found =
        params.in_range(license::list_full(person.app(), reader, query(&params)?).await?)?;
    let thumbnails = thumbnails(person.app(), &found.items).await?;
    // The owner column is redundant in the list of one's own licenses.
    let heads = ["Name", "Talent", "Type", "Status", "Updated", "Owner"];
    let heads = if all { &heads[..] } else { &heads[..5] };
    let table =
        Table::new("Licenses", heads).rows(&found.items, |it| row(&person, it, &thumbnails));
    let body = html! {
        (head("Licenses", "How talents' names, images and likenesses may be used.", actions(&person)))
        @if owner { (tabs("License owner", &[
            (with_query(&person.here, "of", ""), "Owned by you", !all),
            (with_query(&person.here, "of", VISIBLE), "All licenses", all),
        ])) }
        (filters("/app/licenses", &params, true))
        @if found.items.is_empty() { (nothing(&person, &params, all)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(image_url::allow(person.page("Licenses", NavItem::Licenses, body), thumbnails.values()))
}

/// The cells common to all license lists: name, status and last change.
pub(crate) fn brief(person: &Person, seen: &LicenseView) -> [Markup; 3] {
    let license = &seen.shown.license;
    [
        html! { a href={ "/app/licenses/" (license.id) } { (license.title.as_str()) } },
        badge(seen.status.name()),
        ago(person.now(), license.updated_at),
    ]
}

fn row(
    person: &Person,
    seen: &LicenseView,
    thumbnails: &HashMap<LicenseId, String>,
) -> Vec<Markup> {
    let license = &seen.shown.license;
    let [name, status, changed] = brief(person, seen);
    vec![
        html! {
            div.named {
                @match thumbnails.get(&license.id) {
                    Some(url) => img.thumb src=(url) alt="" loading="lazy" width="44" height="44";,
                    None => span.thumb aria-hidden="true" {},
                }
                div {
                    (name)
                    @if let Some(id) = &license.external_id { p.quiet { code { (id.as_str()) } } }
                }
            }
        },
        html! { (seen.shown.talent_name) },
        html! { (type_label(license.license_type)) },
        status,
        changed,
        html! { (seen.shown.owner_name) },
    ]
}

fn actions(person: &Person) -> Markup {
    html! {
        @if person.may(Right::ManageLicenses) {
            a.button href="/app/licenses/new" { "New license" }
        }
    }
}

fn nothing(person: &Person, params: &Params, all: bool) -> Markup {
    if ["search", "status", "type", "page"].iter().any(|it| params.get(it).is_some()) {
        return empty(
            "No licenses found",
            "Try other search terms or fewer filters.",
            html! {
                a.button.plain href="/app/licenses" { "Clear filters" }
            },
        );
    }
    if all && !person.may(Right::ReadLicenses) {
        let why = "Licenses that an agency or a talent shares with you appear here. Public \
            licenses are in the catalog.";
        return empty(
            "No licenses shared with you yet",
            why,
            html! {
                a.button href="/app/catalog" { "Open catalog" }
            },
        );
    }
    empty(
        "No licenses yet",
        "Create a license to define how a talent's likeness may be used.",
        actions(person),
    )
}

/// Parses the query parameters of a license list.
pub(crate) fn query(params: &Params) -> Result<LicenseQuery> {
    let sort = params.get("sort");
    let query = LicenseParams {
        page: params.get("page"),
        size: params.get("limit"),
        status: params.get("status"),
        search: params.get("search"),
        search_names: true,
        q: None,
        license_type: params.get("type"),
        sort,
        // Names sort from A to Z by default, times newest first.
        order: params.get("order").or((sort == Some("title")).then_some("asc")),
        include_image_urls: None,
    };
    LicenseQuery::parse(&query, FieldNames::CONSOLE, Params::rules())
}

/// The filter form. The catalog has no status filter, since all its licenses are public.
pub(crate) fn filters(action: &str, params: &Params, statuses: bool) -> Markup {
    let sorts = [("", "Newest first"), ("updated_at", "Recently updated"), ("title", "Name")];
    let kinds = std::iter::once(("", "Any type")).chain(types());
    let states = std::iter::once(("", "Any status"));
    let states = states.chain(LicenseStatus::ALL.map(|it| (it.name(), status_label(it))));
    html! {
        (filter::filters(action, params, html! {
            (hidden_param("of", params))
            (search_box("search", "Search name and description", params))
            @if statuses { (one_of("status", "Status", states, params)) }
            (one_of("type", "Type", kinds, params))
            (one_of("sort", "Sort by", sorts, params))
        }))
    }
}

/// Returns the thumbnail of the first image of each license that has one.
async fn thumbnails(app: &App, licenses: &[LicenseView]) -> Result<HashMap<LicenseId, String>> {
    let with_images = licenses.iter().map(|it| &it.shown.license).filter(|it| it.image_count > 0);
    let ids: Vec<_> = with_images.map(|it| it.id).collect();
    let mut found = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    for (license, images) in license::images_of(app, ids).await? {
        if let Some(first) = images.first() {
            found.insert(license, image_url::thumbnail(app, first.id).await?);
        }
    }
    Ok(found)
}

/// Returns a license the user can see. An invisible license is reported as not found.
async fn get_visible(person: &Person, id: LicenseId) -> Result<LicenseView> {
    license::get(person.app(), person.caller.reader(), LicenseRef::Id(id))
        .await
        .map_err(denied_as_not_found)
}

fn denied_as_not_found(error: Error) -> Error {
    match error.kind() {
        ErrorKind::AccessDenied => Error::not_found("License"),
        _ => error,
    }
}

/// Returns whether the user's tenant owns the license.
fn own(person: &Person, license: &License) -> bool {
    license.tenant == person.caller.tenant
}

/// Returns whether the user may edit the license, as its owner or as a licensor by permission.
fn editable(person: &Person, seen: &LicenseView) -> bool {
    let right =
        if own(person, &seen.shown.license) { Right::ManageLicenses } else { Right::EditLicenses };
    seen.role.may(LicenseAct::Edit) && person.may(right)
}

/// Returns the license types with their labels.
pub(crate) fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    LicenseType::ALL.into_iter().map(|it| (it.key(), type_label(it)))
}

pub(crate) const fn type_label(kind: LicenseType) -> &'static str {
    match kind {
        LicenseType::SocialMedia => "Social media",
        LicenseType::Advertising => "Advertising",
        LicenseType::Endorsement => "Endorsement",
        LicenseType::AiTraining => "AI training",
        LicenseType::AiGeneration => "AI generation",
        LicenseType::Voice => "Voice",
        LicenseType::Merchandise => "Merchandise",
        LicenseType::Custom => "Custom",
    }
}

const fn status_label(status: LicenseStatus) -> &'static str {
    match status {
        LicenseStatus::Draft => "Draft",
        LicenseStatus::Private => "Private",
        LicenseStatus::Public => "Public",
        LicenseStatus::Expired => "Expired",
    }
}

/// Formats a fee such as `€250 per month`.
pub(crate) fn fee_label(fee: Option<LicenseFee>) -> String {
    fee.map_or_else(|| "Not specified".to_owned(), money::fee)
}

/// Formats the territories.
pub(crate) fn territories(license: &License) -> String {
    territory_names(license.territories.as_slice()).unwrap_or_else(|| "Not specified".to_owned())
}

/// Formats the permitted uses.
pub(crate) fn uses(license: &License) -> String {
    let labels: Vec<_> = license.uses.as_slice().iter().map(|it| type_label(*it)).collect();
    if labels.is_empty() { "Not specified".to_owned() } else { labels.join(", ") }
}

/// Formats the start and end dates.
pub(crate) fn dates(license: &License) -> Markup {
    html! {
        @match (license.valid_from, license.expires_at) {
            (None, None) => "No end date",
            (Some(from), None) => { "From " (day(from)) }
            (None, Some(end)) => { "Until " (day(end)) }
            (Some(from), Some(end)) => { (day(from)) " to " (day(end)) }
        }
    }
}
