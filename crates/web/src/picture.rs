//! Pictures in pages: by addresses that are good for an hour, ours or the bucket's.

use axum::response::Response;
use grantor_domain::Result;
use grantor_domain::id::ImageId;
use grantor_service::App;
use grantor_service::license::Image;
use grantor_service::object_url::{self, Issued};

use crate::frame::PicturesFrom;

/// Where a small version of a picture is.
pub(crate) async fn thumbnail(app: &App, id: ImageId) -> Result<String> {
    Ok(address(app, object_url::issue_thumbnail(app, id).await?))
}

/// Where a picture is as it was taken in.
pub(crate) async fn whole(app: &App, image: &Image) -> Result<String> {
    Ok(address(app, object_url::issue(app, image.id, image.content_type).await?))
}

/// Ours without the origin: whichever name of ours the browser knows, it stays there.
fn address(app: &App, Issued { url, .. }: Issued) -> String {
    url.strip_prefix(&app.public_url).map(str::to_owned).unwrap_or(url)
}

/// The page that shows these, let to fetch them where they are.
pub(crate) fn showing<'a>(
    mut page: Response,
    addresses: impl IntoIterator<Item = &'a String>,
) -> Response {
    let outside = addresses.into_iter().find(|it| !it.starts_with('/'));
    if let Some(Ok(url)) = outside.map(|it| url::Url::parse(it)) {
        page.extensions_mut().insert(PicturesFrom(url.origin().ascii_serialization()));
    }
    page
}
