//! `/app/catalog/talents/{talent}` and `/app/catalog/owners/{owner}`: the public licenses of a talent
//! or an organization. Without public licenses there is no page.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Result;
use grantor_messages::text;
use grantor_service::licensing::catalog::{self, CatalogPage};
use maud::html;
use serde_json::Value;

use super::{absolute, card, owner_path, page_url, preview_picture, schema, talent_path};
use crate::frame::{Guest, Outcome, PageContext, Params, Segment};
use crate::view::{LinkPreview, NavItem, head};

/// What differs between the pages of talents and of organizations.
struct Kind {
    path: fn(&str) -> String,
    schema: fn(&str, Option<String>) -> Value,
    description: fn(u64, &str) -> String,
}

/// Shows a talent's page.
pub(crate) async fn show_talent(
    Guest(ctx): Guest,
    Segment(slug): Segment<String>,
    params: Params,
) -> Outcome {
    let page = catalog::talent_page(ctx.app(), slug.clone(), params.page()?).await?;
    let description =
        |count, name: &str| text!("catalog-talent-preview", count = count, name = name);
    let kind = Kind { path: talent_path, schema: schema::person, description };
    Ok(show(&ctx, &params, (&slug, page), &kind)?)
}

/// Shows an organization's page.
pub(crate) async fn show_owner(
    Guest(ctx): Guest,
    Segment(slug): Segment<String>,
    params: Params,
) -> Outcome {
    let page = catalog::owner_page(ctx.app(), slug.clone(), params.page()?).await?;
    let description =
        |count, name: &str| text!("catalog-owner-preview", count = count, name = name);
    let kind = Kind { path: owner_path, schema: schema::organization, description };
    Ok(show(&ctx, &params, (&slug, page), &kind)?)
}

fn show(
    ctx: &PageContext,
    params: &Params,
    (slug, page): (&str, CatalogPage),
    kind: &Kind,
) -> Result<Response> {
    let path = (kind.path)(&page.slug);
    if page.slug != slug {
        return Ok(Redirect::permanent(&path).into_response());
    }
    let CatalogPage { name, listing, .. } = page;
    let listing = params.in_range(listing)?;
    let count = text!("catalog-license-count", count = listing.total);
    let body = html! {
        (head(&name, &count, html! {
            a.button.plain.small href="/app/catalog" { (text!("catalog-back")) }
        }))
        (card::listing(ctx, &listing))
    };
    let url = page_url(ctx.app(), &path, params.get("page"));
    let about = (kind.schema)(&name, Some(absolute(ctx.app(), &path)));
    let data = schema::collection(ctx.app(), (&url, &name), Some(about), &listing.items);
    let description = (kind.description)(listing.total, &name);
    let picture = preview_picture(ctx.app(), &listing.items);
    let preview = LinkPreview { title: name, description, url, picture, data };
    Ok(ctx.shared_page(&preview, NavItem::Catalog, body))
}
