//! `/app/catalog`: public licenses, for everybody.

use grantor_domain::id::LicenseId;
use grantor_service::catalog;
use grantor_service::license::Shown;
use maud::{Markup, html};

use crate::frame::{Asked, Guest, Outcome, Segment};
use crate::license::{fee_words, filters, places, query, times, type_words, uses};
use crate::view::{Place, card, day, empty, facts, head, pager};

/// The list.
pub(crate) async fn list(Guest(visit): Guest, asked: Asked) -> Outcome {
    let found = asked.within(catalog::list(visit.app(), query(&asked)?).await?)?;
    let body = html! {
        (head("Catalog", "Public licenses over names, images and likenesses.", html! {}))
        (filters("/app/catalog", &asked, false))
        @if found.items.is_empty() { (nothing(&asked)) }
        @else {
            div.cards.even { @for it in &found.items { (tile(it)) } }
            (pager(&found, &visit.here))
        }
    };
    Ok(visit.page("Catalog", Place::Catalog, body))
}

fn nothing(asked: &Asked) -> Markup {
    if ["search", "type", "page"].iter().any(|it| asked.get(it).is_some()) {
        return empty(
            "No such licenses",
            "Ask for other words, or for another type.",
            html! {
                a.button.plain href="/app/catalog" { "Show the whole catalog" }
            },
        );
    }
    let why = "Licenses stand here as soon as their owners publish them.";
    empty("Nothing is public yet", why, html! {})
}

fn tile(shown: &Shown) -> Markup {
    let license = &shown.license;
    html! {
        section.card {
            p.quiet { (type_words(license.license_type)) }
            h2 { a href={ "/app/catalog/" (license.id) } { (license.title.as_str()) } }
            p.clipped { (license.description.as_str()) }
            p {
                strong { (shown.talent_name) }
                @if shown.owner_name != shown.talent_name { span.quiet { " · " (shown.owner_name) } }
            }
            p.quiet { (places(license)) " · " (times(license)) }
            @if license.fee.is_some() { p { (fee_words(license.fee)) } }
        }
    }
}

/// One license.
pub(crate) async fn show(Guest(visit): Guest, Segment(id): Segment<LicenseId>) -> Outcome {
    let shown = catalog::get(visit.app(), id).await?;
    let title = shown.license.title.as_str();
    let body = html! {
        (head(title, "", html! { a.button.plain href="/app/catalog" { "Back to the catalog" } }))
        (entry(&shown))
    };
    Ok(visit.page(title, Place::Catalog, body))
}

/// What everybody may know of a license: no pictures, no terms, no name of its owner's own.
pub(crate) fn entry(shown: &Shown) -> Markup {
    let license = &shown.license;
    card(
        license.title.as_str(),
        html! {
            @if !license.description.as_str().is_empty() { p.lines { (license.description.as_str()) } }
            (facts(&[
                ("Talent", html! { (shown.talent_name) }),
                ("Owner", html! { (shown.owner_name) " " span.quiet { (shown.owner_type.name()) } }),
                ("Type", html! { (type_words(license.license_type)) }),
                ("Allows", html! { (uses(license)) }),
                ("Where", html! { (places(license)) }),
                ("When", html! { (times(license)) }),
                ("Fee", html! { (fee_words(license.fee)) }),
                ("Changed", day(license.updated_at)),
                ("Id", html! { code { (license.id) } }),
            ]))
        },
    )
}
