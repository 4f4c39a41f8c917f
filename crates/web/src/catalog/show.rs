//! The page of a public license, which is also available in the formats that programs read.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::id::LicenseId;
use grantor_domain::license::License;
use grantor_domain::rights::{RightsFormat, Statement};
use grantor_domain::role::{self, Right};
use grantor_http::etag;
use grantor_http::rights::{declare_license, requested};
use grantor_messages::text;
use grantor_service::licensing::catalog::{self, CatalogEntry};
use grantor_service::licensing::catalog_picture::PictureSize;
use grantor_service::licensing::license::LicenseRecord;
use grantor_service::licensing::rights;
use http::{HeaderMap, HeaderValue, header};
use maud::{Markup, html};

use super::card::{owner, price, talent};
use super::picture::{cover, cover_at, placeholder};
use super::{absolute, license_path, preview_picture, schema};
use crate::frame::{Guest, Identity, Outcome, PageContext, Params, Segment};
use crate::license::{dates, territories, type_label, uses};
use crate::request::{find_open, request_button};
use crate::view::label::tenant_type;
use crate::view::{LinkPreview, NavItem, day, facts, for_developers, head};

/// Shows a public license, or what it offers in another format than HTML.
pub(crate) async fn show(
    Guest(ctx): Guest,
    Segment(id): Segment<LicenseId>,
    params: Params,
    headers: HeaderMap,
) -> Outcome {
    let name = params.get("format");
    if name == Some("json") {
        return Ok(Redirect::to(&format!("/metadata/{id}")).into_response());
    }
    let entry = catalog::entry(ctx.app(), id).await?;
    let statement = rights::of_entry(ctx.app(), &entry);
    let mut response = match requested(name, &headers, "text/html")? {
        Some(format) => {
            let text = format.render(&statement, ctx.app().clock.now());
            let tag = etag::strong(&[format.name(), &etag::hash(text.as_bytes())]);
            let kind = [(header::CONTENT_TYPE, format.content_type())];
            etag::conditional(&headers, tag, (kind, text))
        }
        None => page(&ctx, &entry, &statement).await?,
    };
    declare_license(response.headers_mut(), &statement);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

async fn page(
    ctx: &PageContext,
    entry: &CatalogEntry,
    statement: &Statement,
) -> grantor_domain::Result<Response> {
    let license = &entry.record.license;
    let id = license.id;
    let may_request = may_request(ctx, license);
    let open = match &ctx.identity {
        Identity::Person(it) if may_request => find_open(ctx.app(), it, id).await?,
        _ => None,
    };
    let lead = format!("{} · {}", entry.record.talent_name, type_label(license.license_type));
    let (talent, owner) = (talent(entry), owner(entry));
    let body = html! {
        (head(license.title.as_str(), &lead, html! {
            @if may_request { (request_button(ctx, id, open)) }
            a.button.plain.small href="/app/catalog" { (text!("catalog-back")) }
        }))
        (details(&entry.record, None, &cover(entry, PictureSize::Full, 0), [&talent, &owner]))
        (formats(statement))
    };
    Ok(ctx.shared_page(&preview(ctx, entry), NavItem::Catalog, body))
}

/// Links to what programs read about the license.
fn formats(statement: &Statement) -> Markup {
    html! {
        p.quiet {
            (text!("catalog-formats"))
            @for format in RightsFormat::ALL {
                " " a href=(statement.url_of(format)) type=(format.media_type()) { (label(format)) }
            }
        }
    }
}

fn label(format: RightsFormat) -> &'static str {
    match format {
        RightsFormat::Odrl => "ODRL",
        RightsFormat::Rsl => "RSL",
        RightsFormat::Schema => "schema.org",
        RightsFormat::Text => text!("catalog-format-text"),
    }
}

fn preview(ctx: &PageContext, entry: &CatalogEntry) -> LinkPreview {
    let record = &entry.record;
    let license = &record.license;
    let description = match license.description.as_str() {
        "" => text!(
            "catalog-license-preview",
            talent = &record.talent_name,
            uses = uses(license),
            territories = territories(license),
            price = price(license),
        ),
        text => text.to_owned(),
    };
    LinkPreview {
        title: format!("{} · {}", license.title.as_str(), record.talent_name),
        description,
        url: absolute(ctx.app(), &license_path(license.id)),
        picture: preview_picture(ctx.app(), std::slice::from_ref(entry)),
        data: schema::offer(ctx.app(), entry),
    }
}

/// Whether to offer a request: to guests, who sign in first, and to users of other tenants.
pub(super) fn may_request(ctx: &PageContext, license: &License) -> bool {
    match &ctx.identity {
        Identity::Anonymous => true,
        Identity::Person(it) => {
            it.tenant != license.tenant
                && role::may(it.role, it.tenant_type, Right::RequestLicenses).is_ok()
        }
        Identity::Staff(_) => false,
    }
}

/// The public details of a license as its page shows them, for a license that may not be public:
/// without a picture, and without links to pages that may not exist.
pub(crate) fn entry(shown: &LicenseRecord) -> Markup {
    plain(shown, &placeholder(&shown.talent_name))
}

/// Like [`entry`], with the picture at this URL.
pub(crate) fn entry_with_picture(shown: &LicenseRecord, url: &str) -> Markup {
    plain(shown, &cover_at(url, &shown.talent_name))
}

fn plain(shown: &LicenseRecord, picture: &Markup) -> Markup {
    let (talent, owner) = (html! { (shown.talent_name) }, html! { (shown.owner_name) });
    details(shown, Some(shown.license.title.as_str()), picture, [&talent, &owner])
}

/// The public details of a license: no reference images, no terms, no external ID. They have a title
/// unless it is that of the page.
fn details(
    shown: &LicenseRecord,
    title: Option<&str>,
    picture: &Markup,
    [talent, owner]: [&Markup; 2],
) -> Markup {
    let license = &shown.license;
    html! {
        div.offer-page {
            div { (picture) }
            div {
                section.card {
                    @if let Some(title) = title { h2 { (title) } }
                    p.offer-price { (price(license)) }
                    @if !license.description.as_str().is_empty() {
                        p.lines { (license.description.as_str()) }
                    }
                    (facts(&[
                        (text!("catalog-talent"), html! { (talent) }),
                        (text!("catalog-owner"), html! { (owner) " " span.quiet { (tenant_type(shown.owner_type)) } }),
                        (text!("word-type"), html! { (type_label(license.license_type)) }),
                        (text!("catalog-permitted-uses"), html! { (uses(license)) }),
                        (text!("catalog-territories"), html! { (territories(license)) }),
                        (text!("catalog-dates"), html! { (dates(license)) }),
                        (text!("word-updated"), day(license.updated_at)),
                    ]))
                    (for_developers(text!("catalog-license-id"), &license.id.to_string()))
                }
            }
        }
    }
}
