//! `/app/licenses`: what the tenant owns and what others let it see.

mod beside;
mod form;
mod image;
mod permission;
mod show;

use std::collections::HashMap;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{
    AskedLicenses, License, LicenseFee, LicenseQuery, LicenseStatus, LicenseType, Names,
};
use grantor_domain::permission::LicenseAct;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::App;
use grantor_service::license::{self, Named, Reader, Seen};
use maud::{Markup, html};

pub(crate) use self::beside::{history, preview};
pub(crate) use self::form::{blank, change, create, edit};
pub(crate) use self::image::{add_images, remove_image};
pub(crate) use self::permission::{grant, revoke};
pub(crate) use self::show::{change_status, delete, show};
use crate::frame::{Asked, Outcome, Person};
use crate::picture;
use crate::view::filter::{self, find, kept, one_of};
use crate::view::part::with_query;
use crate::view::{Place, Table, ago, badge, day, empty, head, pager, tabs};

/// What stands behind `of` where all that may be seen is asked for, and not only one's own.
const SEEN: &str = "seen";

/// The list.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let owner = person.may(Right::ReadLicenses);
    let all = !owner || asked.get("of") == Some(SEEN);
    let reader = if all { person.caller.reader() } else { Reader::Owner(person.caller.tenant) };
    let found = asked.within(license::show(person.app(), reader, query(&asked)?).await?)?;
    let pictures = thumbnails(person.app(), &found.items).await?;
    // Whoever asks for their own knows whose it is.
    let heads = ["Name", "Talent", "Type", "Status", "Changed", "Owner"];
    let heads = if all { &heads[..] } else { &heads[..5] };
    let table = Table::new("Licenses", heads).rows(&found.items, |it| row(&person, it, &pictures));
    let body = html! {
        (head("Licenses", "Grants over a person's name, image and likeness.", actions(&person)))
        @if owner { (tabs("Whose licenses", &[
            (with_query(&person.here, "of", ""), "Ours", !all),
            (with_query(&person.here, "of", SEEN), "All we may see", all),
        ])) }
        (filters("/app/licenses", &asked, true))
        @if found.items.is_empty() { (nothing(&person, &asked, all)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(picture::showing(person.page("Licenses", Place::Licenses, body), pictures.values()))
}

/// What every list says of a license: its name, its status, and when it changed.
pub(crate) fn brief(person: &Person, seen: &Seen) -> [Markup; 3] {
    let license = &seen.shown.license;
    [
        html! { a href={ "/app/licenses/" (license.id) } { (license.title.as_str()) } },
        badge(seen.status.name()),
        ago(person.now(), license.updated_at),
    ]
}

fn row(person: &Person, seen: &Seen, pictures: &HashMap<LicenseId, String>) -> Vec<Markup> {
    let license = &seen.shown.license;
    let [name, status, changed] = brief(person, seen);
    vec![
        html! {
            div.named {
                @match pictures.get(&license.id) {
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
        html! { (type_words(license.license_type)) },
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

fn nothing(person: &Person, asked: &Asked, all: bool) -> Markup {
    if ["search", "status", "type", "page"].iter().any(|it| asked.get(it).is_some()) {
        return empty(
            "No such licenses",
            "Ask for other words, or for less.",
            html! {
                a.button.plain href="/app/licenses" { "Show all licenses" }
            },
        );
    }
    if all && !person.may(Right::ReadLicenses) {
        let why = "When an agency or a talent grants you a right on a license, it stands here. \
            What everybody may see is in the catalog.";
        return empty(
            "Nothing was shared with you yet",
            why,
            html! {
                a.button href="/app/catalog" { "Open the catalog" }
            },
        );
    }
    empty(
        "No licenses yet",
        "Say what may be done with whose likeness, where and for how long.",
        actions(person),
    )
}

/// What can be asked of a list of licenses.
pub(crate) fn query(asked: &Asked) -> Result<LicenseQuery> {
    let sort = asked.get("sort");
    let asked = AskedLicenses {
        page: asked.get("page"),
        size: asked.get("limit"),
        status: asked.get("status"),
        search: asked.get("search"),
        search_names: true,
        q: None,
        license_type: asked.get("type"),
        sort,
        // Names are read from A, times from now.
        order: asked.get("order").or((sort == Some("title")).then_some("asc")),
        include_image_urls: None,
    };
    LicenseQuery::parse(&asked, Names::CONSOLE, Asked::rules())
}

/// The form that asks. The catalog knows one status only.
pub(crate) fn filters(action: &str, asked: &Asked, statuses: bool) -> Markup {
    let sorts = [("", "Newest first"), ("updated_at", "Last changed first"), ("title", "By name")];
    let kinds = std::iter::once(("", "Every type")).chain(types());
    let states = std::iter::once(("", "Every status"));
    let states = states.chain(LicenseStatus::ALL.map(|it| (it.name(), status_words(it))));
    html! {
        (filter::filters(action, asked, html! {
            (kept("of", asked))
            (find("search", "Find words in name and description", asked))
            @if statuses { (one_of("status", "Status", states, asked)) }
            (one_of("type", "Type", kinds, asked))
            (one_of("sort", "Order", sorts, asked))
        }))
    }
}

/// The first picture of each license that has one.
async fn thumbnails(app: &App, licenses: &[Seen]) -> Result<HashMap<LicenseId, String>> {
    let with_some = licenses.iter().map(|it| &it.shown.license).filter(|it| it.image_count > 0);
    let ids: Vec<_> = with_some.map(|it| it.id).collect();
    let mut found = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    for (license, images) in license::images_of(app, ids).await? {
        if let Some(first) = images.first() {
            found.insert(license, picture::thumbnail(app, first.id).await?);
        }
    }
    Ok(found)
}

/// A license the person sees. One they do not see is as unknown as one that never was.
async fn see(person: &Person, id: LicenseId) -> Result<Seen> {
    license::get(person.app(), person.caller.reader(), Named::Id(id)).await.map_err(unseen)
}

fn unseen(error: Error) -> Error {
    match error.kind() {
        ErrorKind::AccessDenied => Error::not_found("License"),
        _ => error,
    }
}

/// Whether it is the person's tenant's own.
fn own(person: &Person, license: &License) -> bool {
    license.tenant == person.caller.tenant
}

/// Whether the person may change what it says: as its owner, or as a licensor elsewhere.
fn editable(person: &Person, seen: &Seen) -> bool {
    let right =
        if own(person, &seen.shown.license) { Right::ManageLicenses } else { Right::EditLicenses };
    seen.role.may(LicenseAct::Edit) && person.may(right)
}

/// The types, as forms offer them.
pub(crate) fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    LicenseType::ALL.into_iter().map(|it| (it.key(), type_words(it)))
}

pub(crate) const fn type_words(kind: LicenseType) -> &'static str {
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

const fn status_words(status: LicenseStatus) -> &'static str {
    match status {
        LicenseStatus::Draft => "Draft",
        LicenseStatus::Private => "Private",
        LicenseStatus::Public => "Public",
        LicenseStatus::Expired => "Expired",
    }
}

/// `250.00 EUR a month`
pub(crate) fn fee_words(fee: Option<LicenseFee>) -> String {
    let Some(LicenseFee { amount, currency, per }) = fee else { return "Not said".to_owned() };
    format!("{amount} {currency} per {per}")
}

/// Where it holds.
pub(crate) fn places(license: &License) -> String {
    let codes: Vec<_> = license.territories.as_slice().iter().map(ToString::to_string).collect();
    match codes.as_slice() {
        [] => "Not said".to_owned(),
        [world] if world == "WORLD" => "Worldwide".to_owned(),
        codes => codes.join(", "),
    }
}

/// What may be done.
pub(crate) fn uses(license: &License) -> String {
    let words: Vec<_> = license.uses.as_slice().iter().map(|it| type_words(*it)).collect();
    if words.is_empty() { "Not said".to_owned() } else { words.join(", ") }
}

/// When it holds.
pub(crate) fn times(license: &License) -> Markup {
    html! {
        @match (license.valid_from, license.expires_at) {
            (None, None) => "Without an end",
            (Some(from), None) => { "From " (day(from)) }
            (None, Some(end)) => { "Until " (day(end)) }
            (Some(from), Some(end)) => { (day(from)) " to " (day(end)) }
        }
    }
}
