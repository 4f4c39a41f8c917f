//! Licenses as cards of the catalog.

use grantor_domain::license::License;
use grantor_domain::page::Listing;
use grantor_messages::text;
use grantor_service::licensing::catalog::{CatalogEntry, MAX_LISTED};
use grantor_service::licensing::catalog_picture::PictureSize;
use maud::{Markup, html};

use super::picture::cover;
use super::show::may_request;
use super::{license_path, owner_path, talent_path};
use crate::frame::PageContext;
use crate::license::{dates, territories, type_label, uses};
use crate::request::request_button;
use crate::view::rich::rich;
use crate::view::{money, pager};

/// The licenses of a page about a talent or an owner.
pub(super) fn listing(ctx: &PageContext, found: &Listing<CatalogEntry>) -> Markup {
    html! {
        (cards(ctx, &found.items))
        @if found.total >= u64::from(MAX_LISTED) {
            p.quiet {
                (rich!("catalog-newest", search = html! {
                    a href="/app/catalog" { (text!("catalog-newest-search")) }
                }))
            }
        }
        (pager(found, &ctx.here))
    }
}

/// The cards of these licenses.
pub(super) fn cards(ctx: &PageContext, entries: &[CatalogEntry]) -> Markup {
    html! { div.shelf { @for (place, it) in entries.iter().enumerate() { (card(ctx, it, place)) } } }
}

/// The whole card leads to the page of the license; the links on it lead elsewhere.
fn card(ctx: &PageContext, entry: &CatalogEntry, place: usize) -> Markup {
    let license = &entry.record.license;
    html! {
        article.shelf-card {
            (cover(entry, PictureSize::Thumbnail, place))
            div.shelf-text {
                p.quiet { (type_label(license.license_type)) }
                h2 { a.shelf-link href=(license_path(license.id)) { (license.title.as_str()) } }
                p { (names(entry)) }
                @if !license.description.as_str().is_empty() {
                    p.clipped { (license.description.as_str()) }
                }
                dl.shelf-facts {
                    div { dt { (text!("catalog-uses")) } dd { (uses(license)) } }
                    div { dt { (text!("catalog-where")) } dd { (territories(license)) } }
                    div { dt { (text!("catalog-dates")) } dd { (dates(license)) } }
                }
                div.row.apart {
                    strong { (price(license)) }
                    @if may_request(ctx, license) { (request_button(ctx, license.id, None)) }
                }
            }
        }
    }
}

/// The talent and the owner, with links to their pages.
fn names(entry: &CatalogEntry) -> Markup {
    let record = &entry.record;
    html! {
        (talent(entry))
        @if record.owner_name != record.talent_name { span.quiet { " · " (owner(entry)) } }
    }
}

/// The name of the talent, with a link to their page.
pub(super) fn talent(entry: &CatalogEntry) -> Markup {
    let name = &entry.record.talent_name;
    html! {
        @match &entry.talent_slug {
            Some(slug) => a href=(talent_path(slug)) { (name) },
            None => strong { (name) },
        }
    }
}

/// The name of the owner, with a link to its page.
pub(super) fn owner(entry: &CatalogEntry) -> Markup {
    let name = &entry.record.owner_name;
    html! {
        @match &entry.owner_slug {
            Some(slug) => a href=(owner_path(slug)) { (name) },
            None => (name),
        }
    }
}

/// The price of a license.
pub(super) fn price(license: &License) -> String {
    license.fee.map_or_else(|| text!("catalog-price-on-request").to_owned(), money::fee)
}
