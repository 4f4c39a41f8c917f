//! `/docs`: both OpenAPI documents to read and try. Every asset is in the binary.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui::{Config, Url};

/// The page styles itself by attributes, hence the inline styles; scripts are files of ours alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let documents = [
        Url::new("external API", "/openapi/external.json"),
        Url::new("console API", "/openapi/console.json"),
    ];
    // Without this the page would send the documents' address to a validator elsewhere.
    Arc::new(Config::new(documents).validator_url("none").use_base_layout())
});

pub(crate) fn router() -> Router {
    Router::new()
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(|| async { asset("") }))
        .route("/docs/{*file}", get(|Path(file): Path<String>| async move { asset(&file) }))
}

fn asset(file: &str) -> Response {
    match utoipa_swagger_ui::serve(file, Arc::clone(&CONFIG)) {
        Ok(Some(found)) => {
            let bytes: Cow<'_, [u8]> = found.bytes;
            let headers = [
                (header::CONTENT_TYPE, found.content_type.as_str()),
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "no-referrer"),
                (header::CACHE_CONTROL, "public, max-age=3600"),
            ];
            (headers, bytes.into_owned()).into_response()
        }
        Ok(None) | Err(_) => (StatusCode::NOT_FOUND, "There is no such page").into_response(),
    }
}
