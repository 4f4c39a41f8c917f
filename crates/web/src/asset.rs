//! Styles, scripts and pictures of the shell. They are in the binary, and their addresses hold a
//! part of their hash: browsers keep them for good.

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

const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// The names and addresses of all.
static URLS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let address = |name: &str| {
        let hash = Assets::get(name).map(|it| it.metadata.sha256_hash()).unwrap_or_default();
        let short = hex::encode(&hash[..6]);
        format!("/app/assets/{short}/{name}")
    };
    Assets::iter().map(|name| (name.to_string(), address(&name))).collect()
});

/// The address of a file.
pub(crate) fn url(name: &str) -> &'static str {
    URLS.iter().find(|(it, _)| it == name).map_or("/app/assets/none", |(_, url)| url)
}

pub(crate) fn router() -> Router {
    Router::new().route("/app/assets/{hash}/{name}", get(show))
}

/// A file of another hash is another file.
async fn show(Path((hash, name)): Path<(String, String)>) -> Response {
    let asked = format!("/app/assets/{hash}/{name}");
    let found = Assets::get(&name).filter(|_| url(&name) == asked);
    let Some(file) = found else { return StatusCode::NOT_FOUND.into_response() };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, FOR_GOOD)];
    (headers, file.data.into_owned()).into_response()
}
