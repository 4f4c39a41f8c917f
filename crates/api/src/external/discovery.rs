//! `GET /.well-known/<service>` and the public keys.

use std::collections::BTreeMap;

use axum::extract::State;
use grantor_domain::event::EventType;
use grantor_domain::license::LicenseType;
use http::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::VERSION;
use super::payload::schema_name;
use crate::console;
use crate::describe::Replies;
use crate::document::{Document, Documents};
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;

/// Where everything is (contract section 4).
#[derive(Serialize, ToSchema)]
pub(crate) struct Discovery {
    service: String,
    versions: Versions,
    base_urls: BaseUrls,
    endpoints: Vec<String>,
    scopes_supported: [&'static str; 4],
    jwks_uri: String,
    license_types: [&'static str; 8],
    webhook_event_types: [&'static str; 11],
    /// Where the schema of each kind's payload is.
    webhook_payload_schemas: BTreeMap<&'static str, String>,
    documentation: Documentation,
    status: Status,
}

#[derive(Serialize, ToSchema)]
struct Versions {
    external: &'static str,
    console: &'static str,
}

#[derive(Serialize, ToSchema)]
struct BaseUrls {
    external: String,
    console: String,
}

#[derive(Serialize, ToSchema)]
struct Documentation {
    page: String,
    openapi_external: String,
    openapi_console: String,
    /// The requests that receivers of webhooks get.
    webhooks: String,
}

#[derive(Serialize, ToSchema)]
struct Status {
    health: String,
    live: String,
    ready: String,
}

pub(super) async fn show(State(state): State<ApiState>, headers: HeaderMap) -> Replies<Discovery> {
    Replies::new(Documents::discovery(&state).answer(&headers, "public, max-age=300"))
}

/// What it tells, which stays the same while the server runs.
pub(crate) fn discovery(state: &ApiState) -> Discovery {
    let origin = &state.app.public_url;
    let at = |path: &str| format!("{origin}{path}");
    let routes = super::routes(&state.app.service_name);
    let endpoints = routes.iter().map(|it| format!("{} {}", it.row.method, it.row.path)).collect();
    Discovery {
        service: state.app.service_name.clone(),
        versions: Versions { external: VERSION, console: console::VERSION },
        base_urls: BaseUrls { external: origin.clone(), console: at(Surface::Console.prefix()) },
        endpoints,
        scopes_supported: ["license:read", "license:write", "mention:read", "webhook:manage"],
        jwks_uri: at("/.well-known/jwks.json"),
        license_types: LicenseType::ALL.map(LicenseType::key),
        webhook_event_types: EventType::ALL.map(EventType::name),
        webhook_payload_schemas: EventType::ALL.map(|it| (it.name(), at(&schema_path(it)))).into(),
        documentation: Documentation {
            page: at("/docs"),
            openapi_external: at("/openapi/external.json"),
            openapi_console: at("/openapi/console.json"),
            webhooks: at("/openapi/external.json#/webhooks"),
        },
        status: Status { health: at("/health"), live: at("/livez"), ready: at("/readyz") },
    }
}

fn schema_path(kind: EventType) -> String {
    format!("/openapi/external.json#/components/schemas/{}", schema_name(kind))
}

/// A JSON Web Key Set (RFC 7517).
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: the ring renders the set itself")]
pub(super) struct KeySet {
    keys: Vec<Value>,
}

pub(super) async fn keys(State(state): State<ApiState>, headers: HeaderMap) -> Replies<KeySet> {
    // Keys come and go: the set is small, and written anew. A minute is short enough that a rotated
    // key is seen before it signs for long.
    let keys = Document::of(&state.app.keys.jwks());
    Replies::new(keys.answer(&headers, "public, max-age=60"))
}
