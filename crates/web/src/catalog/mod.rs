//! `/app/catalog`: the public catalog, with a page for each license, each talent and each owner.
//! Everyone can open and share these pages.

mod card;
mod collection;
mod picture;
mod schema;
mod show;

use grantor_domain::saved_view::ViewList;
use grantor_messages::text;
use grantor_service::App;
use grantor_service::licensing::catalog::{
    self, CatalogEntry, LIST_PATH, license_path, owner_path, picture_path, talent_path,
};
use grantor_service::licensing::catalog_picture::PictureSize;
use maud::{Markup, html};

pub(crate) use self::collection::{show_owner, show_talent};
pub(crate) use self::picture::router as picture_router;
pub(crate) use self::show::{entry, entry_with_picture, show};
use crate::frame::{Guest, Outcome, Params};
use crate::license::{filters, query};
use crate::saved_view;
use crate::view::list_filter::ListFilters;
use crate::view::{LinkPreview, NavItem, PreviewPicture, empty, head, pager};

/// Lists public licenses.
pub(crate) async fn list(Guest(ctx): Guest, params: Params) -> Outcome {
    let views = saved_view::bar(&ctx, ViewList::Catalog).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let mut found = params.in_range(catalog::list(ctx.app(), query(&params)?).await?)?;
    let entries = catalog::entries(ctx.app(), std::mem::take(&mut found.items)).await?;
    let talent = entries.first().map(|it| it.record.talent_name.as_str());
    let filters = filters(&views, ViewList::Catalog, &ctx.here, &params, talent)?;
    let (title, lead) = (text!("catalog-title"), text!("catalog-lead"));
    let body = html! {
        (head(title, lead, html! {
            a.button.plain href="/app/catalog/check" { (text!("catalog-check")) }
        }))
        (views.show())
        (filters.show())
        @if entries.is_empty() { (no_licenses(&filters)) }
        @else { (card::cards(&ctx, &entries)) (pager(&found, &ctx.here)) }
    };
    let url = page_url(ctx.app(), LIST_PATH, params.get("page"));
    let data = schema::collection(ctx.app(), (&url, title), None, &entries);
    let (title, description) = (title.to_owned(), lead.to_owned());
    let picture = preview_picture(ctx.app(), &entries);
    let preview = LinkPreview { title, description, url, picture, data };
    Ok(ctx.shared_page(&preview, NavItem::Catalog, body))
}

/// The absolute URL of a path.
fn absolute(app: &App, path: &str) -> String {
    format!("{}{path}", app.public_url)
}

/// The absolute URL of a page of a list, without filters.
fn page_url(app: &App, path: &str, page: Option<&str>) -> String {
    let url = absolute(app, path);
    match page {
        Some(page) if page != "1" => format!("{url}?page={page}"),
        _ => url,
    }
}

/// The first picture of these licenses, for link previews.
fn preview_picture(app: &App, entries: &[CatalogEntry]) -> Option<PreviewPicture> {
    let entry = entries.iter().find(|it| it.picture.is_some())?;
    let picture = entry.picture.as_ref()?;
    let url = absolute(app, &picture_path(picture.id, PictureSize::Full));
    let alt = entry.record.talent_name.clone();
    let (width, height) = (picture.width, picture.height);
    Some(PreviewPicture { url, media_type: "image/jpeg", width, height, alt })
}

fn no_licenses(filters: &ListFilters<'_>) -> Markup {
    if filters.is_set() {
        let why = text!("catalog-none-found-why");
        return empty(text!("catalog-none-found"), why, filters.clear_link());
    }
    empty(text!("catalog-none"), text!("catalog-none-why"), html! {})
}
