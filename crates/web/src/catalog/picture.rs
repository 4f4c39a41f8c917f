//! `/app/catalog/pictures/{picture}`: pictures of the catalog. Anyone may load them while their
//! license is public. An address always has the same picture, so it may be cached for long.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use grantor_domain::id::CatalogPictureId;
use grantor_domain::limit::LimitName;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_http::{HttpState, RequestInfo, etag, rights};
use grantor_service::licensing::catalog::{CatalogEntry, picture_path};
use grantor_service::licensing::catalog_picture::{
    self, CatalogPicture, PictureSize, THUMBNAIL_SIDE,
};
use http::{HeaderMap, HeaderValue, header};
use maud::{Markup, html};

use crate::frame::Failure;
use crate::view::thumbnail::initials;

/// A week: long enough for visitors, and a removed picture is gone from all caches after it.
const CACHED: &str = "public, max-age=604800";

/// Keeps a browser from running or loading anything, even if it renders the picture as a page.
const POLICY: &str = "default-src 'none'; sandbox";

pub(crate) fn router(http: &HttpState) -> Router {
    Router::new()
        .route("/app/catalog/pictures/{picture}/full.jpg", get(show_full))
        .route("/app/catalog/pictures/{picture}/card.jpg", get(show_card))
        .with_state(http.clone())
}

/// How many pictures of a page are on the first screen, and loaded at once.
const AT_ONCE: usize = 4;

/// The picture of a license, or the initials of its talent. `place` is that on the page, from 0.
pub(super) fn cover(entry: &CatalogEntry, size: PictureSize, place: usize) -> Markup {
    let talent = &entry.record.talent_name;
    let Some(picture) = &entry.picture else { return placeholder(talent) };
    let (width, height) = dimensions(picture, size);
    let loading = if place < AT_ONCE { "eager" } else { "lazy" };
    let priority = (place == 0).then_some("high");
    html! {
        div.cover {
            img src=(picture_path(picture.id, size)) alt=(talent) width=(width) height=(height)
                loading=(loading) fetchpriority=[priority];
        }
    }
}

/// A picture at this URL.
pub(super) fn cover_at(url: &str, talent: &str) -> Markup {
    html! { div.cover { img src=(url) alt=(talent); } }
}

/// What stands for a picture if there is none: the talent's initials.
pub(super) fn placeholder(talent: &str) -> Markup {
    html! { div.cover { span.initials aria-hidden="true" { (initials(talent)) } } }
}

fn dimensions(picture: &CatalogPicture, size: PictureSize) -> (u32, u32) {
    let longer = picture.width.max(picture.height);
    if size == PictureSize::Full || longer <= THUMBNAIL_SIDE {
        return (picture.width, picture.height);
    }
    let fit = |side: u32| (side * THUMBNAIL_SIDE / longer).max(1);
    (fit(picture.width), fit(picture.height))
}

async fn show_full(
    State(http): State<HttpState>,
    Extension(info): Extension<RequestInfo>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    respond(&http, &info, &headers, &id, PictureSize::Full).await
}

async fn show_card(
    State(http): State<HttpState>,
    Extension(info): Extension<RequestInfo>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    respond(&http, &info, &headers, &id, PictureSize::Thumbnail).await
}

async fn respond(
    http: &HttpState,
    info: &RequestInfo,
    headers: &HeaderMap,
    id: &str,
    size: PictureSize,
) -> Response {
    match load(http, info, headers, id, size).await {
        Ok(response) => response,
        Err(error) => refuse(info, error),
    }
}

async fn load(
    http: &HttpState,
    info: &RequestInfo,
    headers: &HeaderMap,
    id: &str,
    size: PictureSize,
) -> Result<Response> {
    info.count_address(&http.app, LimitName::CatalogPictures).await?;
    let id: CatalogPictureId = id.parse().map_err(|_| Error::not_found("Picture"))?;
    let picture = catalog_picture::get_public(&http.app, id).await?;
    let hash = picture.sha256.get(..32).unwrap_or_default();
    let tag = etag::strong(&[hash, size.name()]);
    let cached = (header::CACHE_CONTROL, CACHED);
    // The picture is not read for clients that have it.
    if tag.as_ref().is_some_and(|it| etag::is_known(headers, it)) {
        return Ok(etag::conditional(headers, tag, [cached]));
    }
    let mut declared = HeaderMap::new();
    rights::declare(&mut declared);
    let bytes = catalog_picture::read(&http.app, picture.id, size).await?;
    let about = [
        cached,
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"picture.jpg\""),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok(etag::conditional(headers, tag, (declared, about, bytes)))
}

fn refuse(info: &RequestInfo, error: Error) -> Response {
    if let Some(reason) = error.internal_detail() {
        tracing::error!(request_id = %info.request_id, reason, "picture failed");
    }
    let wait = match error.kind() {
        ErrorKind::RateLimited(limit) => Some(limit.resets_in),
        ErrorKind::Unavailable { retry_after } => Some(*retry_after),
        _ => None,
    };
    let mut response = Failure::from(error).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(wait) = wait {
        headers.insert(header::RETRY_AFTER, (wait.as_secs() + 1).into());
    }
    response
}
