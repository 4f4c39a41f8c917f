//! Stylesheets, scripts, icon and the picture of link previews, embedded in the binary. Their URLs
//! contain part of their hash, so browsers can cache them forever.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use grantor_domain::hex;
use http::{StatusCode, header};
use rust_embed::Embed;

#[derive(Embed)]
#[folder = "assets/"]
struct Assets;

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The names and URLs of all assets.
static URLS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let url = |name: &str| {
        let hash = Assets::get(name).map(|it| it.metadata.sha256_hash()).unwrap_or_default();
        let short = hex::encode(&hash[..6]);
        format!("/app/assets/{short}/{name}")
    };
    Assets::iter().map(|name| (name.to_string(), url(&name))).collect()
});

/// Returns the URL of an asset.
pub(crate) fn url(name: &str) -> &'static str {
    URLS.iter().find(|(it, _)| it == name).map_or("/app/assets/none", |(_, url)| url)
}

pub(crate) fn router() -> Router {
    Router::new().route("/app/assets/{hash}/{name}", get(show))
}

/// Serves an asset, if the hash matches.
async fn show(Path((hash, name)): Path<(String, String)>) -> Response {
    let requested = format!("/app/assets/{hash}/{name}");
    let found = Assets::get(&name).filter(|_| url(&name) == requested);
    let Some(file) = found else { return StatusCode::NOT_FOUND.into_response() };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, IMMUTABLE)];
    (headers, file.data.into_owned()).into_response()
}
