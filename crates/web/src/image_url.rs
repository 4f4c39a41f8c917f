//! Image URLs in pages. They are valid for an hour and point to this server or the object store.

use axum::response::Response;
use grantor_domain::Result;
use grantor_domain::id::{CatalogPictureId, EvidenceId, ImageId};
use grantor_service::App;
use grantor_service::licensing::license::Image;
use grantor_service::operations::object_url::{self, SignedUrl};

use crate::frame::ImageOrigin;

/// Returns the URL of an image's thumbnail.
pub(crate) async fn thumbnail(app: &App, id: ImageId) -> Result<String> {
    Ok(relative(app, object_url::issue_thumbnail(app, id).await?))
}

/// Returns the URL of an image's thumbnail in a list, which stays the same for a while.
pub(crate) fn list_thumbnail(app: &App, id: ImageId) -> String {
    without_origin(app, object_url::steady_thumbnail(app, id))
}

/// Returns the URL of the original image.
pub(crate) async fn original(app: &App, image: &Image) -> Result<String> {
    Ok(relative(app, object_url::issue(app, image.id, image.content_type).await?))
}

/// Returns the URL of the copy of a found picture.
pub(crate) async fn found_picture(app: &App, id: EvidenceId) -> Result<String> {
    Ok(relative(app, object_url::issue_evidence(app, id).await?))
}

/// Returns the URL of the copy of a reference image that evidence has.
pub(crate) async fn reference_copy(app: &App, id: EvidenceId) -> Result<String> {
    Ok(relative(app, object_url::issue_reference(app, id).await?))
}

/// Returns the URL of a catalog picture for its owner, which works also before it is public.
pub(crate) async fn catalog_picture(app: &App, id: CatalogPictureId) -> Result<String> {
    Ok(relative(app, object_url::issue_catalog_picture(app, id).await?))
}

/// Makes URLs of this server relative, since the browser may use another of its host names.
fn relative(app: &App, SignedUrl { url, .. }: SignedUrl) -> String {
    without_origin(app, url)
}

fn without_origin(app: &App, url: String) -> String {
    url.strip_prefix(&app.public_url).map(str::to_owned).unwrap_or(url)
}

/// Lets the page load images from the origin of these URLs.
pub(crate) fn allow<'a>(
    mut page: Response,
    urls: impl IntoIterator<Item = &'a String>,
) -> Response {
    let external = urls.into_iter().find(|it| !it.starts_with('/'));
    if let Some(Ok(url)) = external.map(|it| url::Url::parse(it)) {
        page.extensions_mut().insert(ImageOrigin(url.origin().ascii_serialization()));
    }
    page
}
