//! `/docs`: interactive documentation of both APIs. All assets are embedded in the binary.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui::{Config, Url};

/// Swagger UI needs inline styles; scripts come only from this origin.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The page requests its assets with the version in the query, so they never change.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

const PAGE: &str = concat!(
    r#"<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Grantor API</title>
  <link rel="stylesheet" href="swagger-ui.css?v="#,
    env!("CARGO_PKG_VERSION"),
    r#"">
  <link rel="stylesheet" href="grantor.css?v="#,
    env!("CARGO_PKG_VERSION"),
    r#"">
  <link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
</head>
<body>
  <div id="swagger-ui"></div>
  <noscript><p>The OpenAPI documents are at <a href="/openapi/external.json">/openapi/external.json</a>
  and <a href="/openapi/console.json">/openapi/console.json</a>.</p></noscript>
  <script src="swagger-ui-bundle.js?v="#,
    env!("CARGO_PKG_VERSION"),
    r#""></script>
  <script src="swagger-ui-standalone-preset.js?v="#,
    env!("CARGO_PKG_VERSION"),
    r#""></script>
  <script src="swagger-initializer.js?v="#,
    env!("CARGO_PKG_VERSION"),
    r#""></script>
</body>
</html>
"#
);

/// Keeps Swagger UI's document selector, with Grantor's name.
const STYLE: &str = ".swagger-ui .topbar{background:#1f2430}.swagger-ui .topbar .link{display:none}\
.swagger-ui .topbar .topbar-wrapper::before{content:'Grantor API';color:#fff;font:600 1.25rem sans-serif}\
body{margin:0}";

static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let documents = [
        Url::new("External API", "/openapi/external.json"),
        Url::new("Console API", "/openapi/console.json"),
    ];
    // Without this, Swagger UI sends the document URL to an external validator.
    Arc::new(Config::new(documents).validator_url("none"))
});

pub(crate) fn router() -> Router {
    Router::new()
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(|| async { page() }))
        .route("/docs/grantor.css", get(|| async { style() }))
        .route("/docs/{*file}", get(|Path(file): Path<String>| async move { asset(&file) }))
}

fn page() -> Response {
    respond("text/html; charset=utf-8", "no-cache", PAGE.as_bytes().to_vec())
}

fn style() -> Response {
    respond("text/css; charset=utf-8", IMMUTABLE, STYLE.as_bytes().to_vec())
}

fn asset(file: &str) -> Response {
    match utoipa_swagger_ui::serve(file, Arc::clone(&CONFIG)) {
        Ok(Some(found)) => respond(&found.content_type, IMMUTABLE, found.bytes.into_owned()),
        Ok(None) | Err(_) => (StatusCode::NOT_FOUND, "Page not found").into_response(),
    }
}

fn respond(content_type: &str, caching: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, caching),
    ];
    (headers, bytes).into_response()
}
