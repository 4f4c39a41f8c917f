//! The files that the documentation loads: the search index, and the script of the reference. They
//! are stored compressed, and their URLs contain their hash.

use std::io::Read as _;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use flate2::read::GzDecoder;
use grantor_docs::{ASSETS, Asset};
use http::{HeaderMap, StatusCode, header};

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Returns the URL of a file.
pub(crate) fn url(name: &str) -> &'static str {
    ASSETS.iter().find(|it| it.name == name).map_or("/docs/assets/none", |it| it.path)
}

pub(crate) fn router() -> Router {
    Router::new().route("/docs/assets/{hash}/{name}", get(show))
}

/// Serves a file, if the hash matches. Nearly every client takes it as it is stored.
async fn show(Path((hash, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let requested = format!("/docs/assets/{hash}/{name}");
    let Some(Asset { content_type, gzip, .. }) = ASSETS.iter().find(|it| it.path == requested)
    else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let known = [
        (header::CONTENT_TYPE, *content_type),
        (header::CACHE_CONTROL, IMMUTABLE),
        (header::VARY, "accept-encoding"),
    ];
    if accepts_gzip(&headers) {
        return (known, [(header::CONTENT_ENCODING, "gzip")], *gzip).into_response();
    }
    let mut content = vec![];
    match GzDecoder::new(*gzip).read_to_end(&mut content) {
        Ok(_) => (known, content).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut encodings = accepted.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    encodings.any(|it| {
        let (name, weight) = it.split_once(';').unwrap_or((it, ""));
        let refused = matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_refuses_compression_gets_none() {
        let accepts = |text: &str| {
            let pair = (header::ACCEPT_ENCODING, text.parse().unwrap());
            accepts_gzip(&HeaderMap::from_iter([pair]))
        };
        assert!(accepts("gzip") && accepts("br, GZIP;q=0.5"));
        assert!(
            !accepts("br") && !accepts("gzip;q=0, identity") && !accepts_gzip(&HeaderMap::new())
        );
    }
}
