//! Serves the sample site, only with sample data and only on loopback.

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use grantor_demo::site::{self, SitePage};
use grantor_outbound::OwnSite;
use grantor_service::App;

/// The pages run no scripts and load nothing from elsewhere.
const POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of the site; none if it is not served.
pub(crate) async fn router(app: &App, served: Option<OwnSite>) -> Result<Router, String> {
    let Some(OwnSite { listener, path }) = served else { return Ok(Router::new()) };
    let origin = format!("http://{listener}");
    let written_at = site::written_at(app, &origin).await.map_err(|error| error.to_string())?;
    let pages = tokio::task::spawn_blocking(move || site::pages(&origin, written_at));
    let pages = pages.await.map_err(|error| error.to_string())?;
    let mut router = Router::new();
    for SitePage { path, content_type, body } in pages.map_err(|error| error.to_string())? {
        let body = Bytes::from(body);
        router = router.route(&path, get(move || async move { answer(content_type, body) }));
    }
    let bare = path.trim_end_matches('/');
    Ok(router.route(bare, get(move || async move { Redirect::permanent(path) })))
}

fn answer(content_type: &'static str, body: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, body).into_response()
}
