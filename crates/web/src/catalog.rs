//! `/app/catalog`: the public catalog.

use grantor_domain::id::LicenseId;
use grantor_domain::license::License;
use grantor_domain::role::{self, Right};
use grantor_service::licensing::catalog;
use grantor_service::licensing::license::LicenseRecord;
use maud::{Markup, html};

use crate::frame::{Guest, Identity, Outcome, PageContext, Params, Segment};
use crate::license::{dates, fee_label, filters, query, territories, type_label, uses};
use crate::request::{find_open, request_button};
use crate::view::{NavItem, card, day, empty, facts, for_developers, head, pager};

/// Lists public licenses.
pub(crate) async fn list(Guest(ctx): Guest, params: Params) -> Outcome {
    let found = params.in_range(catalog::list(ctx.app(), query(&params)?).await?)?;
    let body = html! {
        (head("Catalog", "Public licenses for names, images and likenesses.", html! {
            a.button.plain href="/app/catalog/check" { "Check a picture or a text" }
        }))
        (filters("/app/catalog", &params, false))
        @if found.items.is_empty() { (no_licenses(&params)) }
        @else {
            div.cards.even { @for it in &found.items { (tile(it)) } }
            (pager(&found, &ctx.here))
        }
    };
    Ok(ctx.page("Catalog", NavItem::Catalog, body))
}

fn no_licenses(params: &Params) -> Markup {
    if ["search", "type", "page"].iter().any(|it| params.get(it).is_some()) {
        return empty(
            "No licenses found",
            "Try other search terms or another type.",
            html! {
                a.button.plain href="/app/catalog" { "Clear filters" }
            },
        );
    }
    let why = "Licenses appear here when their owners publish them.";
    empty("No public licenses yet", why, html! {})
}

fn tile(shown: &LicenseRecord) -> Markup {
    let license = &shown.license;
    html! {
        section.card {
            p.quiet { (type_label(license.license_type)) }
            h2 { a href={ "/app/catalog/" (license.id) } { (license.title.as_str()) } }
            p.clipped { (license.description.as_str()) }
            p {
                strong { (shown.talent_name) }
                @if shown.owner_name != shown.talent_name { span.quiet { " · " (shown.owner_name) } }
            }
            p.quiet { (territories(license)) " · " (dates(license)) }
            @if license.fee.is_some() { p { (fee_label(license.fee)) } }
        }
    }
}

/// Shows a public license.
pub(crate) async fn show(Guest(ctx): Guest, Segment(id): Segment<LicenseId>) -> Outcome {
    let shown = catalog::get(ctx.app(), id).await?;
    let title = shown.license.title.as_str();
    let may_request = may_request(&ctx, &shown.license);
    let open = match &ctx.identity {
        Identity::Person(it) if may_request => find_open(ctx.app(), it, id).await?,
        _ => None,
    };
    let body = html! {
        (head(title, "", html! {
            @if may_request { (request_button(id, open)) }
            a.button.plain.small href="/app/catalog" { "Back to catalog" }
        }))
        (entry(&shown))
    };
    Ok(ctx.page(title, NavItem::Catalog, body))
}

/// Whether to offer a request: to guests, who sign in first, and to users of other tenants.
fn may_request(ctx: &PageContext, license: &License) -> bool {
    match &ctx.identity {
        Identity::Anonymous => true,
        Identity::Person(it) => {
            it.tenant != license.tenant
                && role::may(it.role, it.tenant_type, Right::RequestLicenses).is_ok()
        }
        Identity::Staff(_) => false,
    }
}

/// The public details of a license: no images, no terms, no external ID.
pub(crate) fn entry(shown: &LicenseRecord) -> Markup {
    let license = &shown.license;
    card(
        license.title.as_str(),
        html! {
            @if !license.description.as_str().is_empty() { p.lines { (license.description.as_str()) } }
            (facts(&[
                ("Talent", html! { (shown.talent_name) }),
                ("Owner", html! { (shown.owner_name) " " span.quiet { (shown.owner_type.name()) } }),
                ("Type", html! { (type_label(license.license_type)) }),
                ("Permitted uses", html! { (uses(license)) }),
                ("Territories", html! { (territories(license)) }),
                ("Dates", html! { (dates(license)) }),
                ("Fee", html! { (fee_label(license.fee)) }),
                ("Updated", day(license.updated_at)),
            ]))
            (for_developers("License ID", &license.id.to_string()))
        },
    )
}
