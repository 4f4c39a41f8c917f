//! `GET /.well-known/<service>` and `/.well-known/jwks.json`.

use std::collections::BTreeMap;

use axum::extract::State;
use grantor_domain::event::EventType;
use grantor_domain::license::LicenseType;
use grantor_domain::scope::Scope;
use http::HeaderMap;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::VERSION;
use super::payload::schema_name;
use super::webhook::EventKey;
use crate::console;
use crate::frame::api::Api;
use crate::frame::describe::{ResponseOf, value};
use crate::frame::document::Document;
use crate::frame::state::ApiState;

/// The discovery document.
#[derive(Serialize, ToSchema)]
pub(crate) struct Discovery {
    /// The service name.
    service: String,
    versions: Versions,
    base_urls: BaseUrls,
    /// The endpoints of the external API, as method and path.
    endpoints: Vec<String>,
    /// The supported scopes.
    #[schema(inline, value_type = Vec<value::ScopeName>)]
    scopes_supported: [&'static str; 4],
    /// The URL of the public keys that sign access tokens and receipts.
    jwks_uri: String,
    /// The license types.
    #[schema(inline, value_type = Vec<value::LicenseTypeName>)]
    license_types: [&'static str; 8],
    /// The event types of webhooks.
    #[schema(value_type = Vec<EventKey>)]
    webhook_event_types: [&'static str; 23],
    /// The URLs of the payload schemas, by event type.
    webhook_payload_schemas: BTreeMap<&'static str, String>,
    receipts: Receipts,
    documentation: Documentation,
    status: Status,
}

/// The URLs for verifying receipts.
#[derive(Serialize, ToSchema)]
struct Receipts {
    /// The metadata of the issuer (SD-JWT VC).
    issuer: String,
    /// The credential type, with its metadata (SD-JWT VC).
    credential_type: String,
    /// The endpoint that verifies a receipt.
    verify: String,
    /// The page that verifies a receipt.
    page: String,
}

/// The API versions.
#[derive(Serialize, ToSchema)]
struct Versions {
    /// The version of the external API.
    external: &'static str,
    /// The version of the console API.
    console: &'static str,
}

/// The base URLs of the APIs.
#[derive(Serialize, ToSchema)]
struct BaseUrls {
    /// The base URL of the external API.
    external: String,
    /// The base URL of the console API.
    console: String,
}

/// The URLs of the documentation.
#[derive(Serialize, ToSchema)]
struct Documentation {
    /// The documentation page.
    page: String,
    /// The OpenAPI document of the external API.
    openapi_external: String,
    /// The OpenAPI document of the console API.
    openapi_console: String,
    /// The webhook requests in the OpenAPI document.
    webhooks: String,
}

/// The URLs of the health endpoints.
#[derive(Serialize, ToSchema)]
struct Status {
    /// The health of the external API.
    health: String,
    /// Whether the process is alive.
    live: String,
    /// Whether the node can serve requests.
    ready: String,
}

pub(super) async fn show(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<Discovery> {
    ResponseOf::new(document(&state).response(&headers, "public, max-age=300"))
}

/// Returns the discovery document, which doesn't change while the server runs.
fn document(state: &ApiState) -> &Document {
    state.caches.documents.discovery.get_or_init(|| Document::new(&discovery(state)))
}

fn discovery(state: &ApiState) -> Discovery {
    let origin = &state.app.public_url;
    let at = |path: &str| format!("{origin}{path}");
    let routes = super::routes(&state.app.service_name);
    let endpoints =
        routes.iter().map(|it| format!("{} {}", it.info.method, it.info.path)).collect();
    Discovery {
        service: state.app.service_name.clone(),
        versions: Versions { external: VERSION, console: console::VERSION },
        base_urls: BaseUrls { external: origin.clone(), console: at(Api::Console.prefix()) },
        endpoints,
        scopes_supported: Scope::ALL.map(Scope::name),
        jwks_uri: at("/.well-known/jwks.json"),
        license_types: LicenseType::ALL.map(LicenseType::key),
        webhook_event_types: EventType::ALL.map(EventType::name),
        webhook_payload_schemas: EventType::ALL.map(|it| (it.name(), at(&schema_path(it)))).into(),
        receipts: Receipts {
            issuer: at("/.well-known/jwt-vc-issuer"),
            credential_type: grantor_receipt::credential_type(origin),
            verify: at("/receipts/verify"),
            page: at("/verify"),
        },
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
#[expect(dead_code, reason = "only its schema is used: the key ring renders the set")]
pub(super) struct KeySet {
    /// The keys.
    keys: Vec<Value>,
}

pub(super) async fn keys(State(state): State<ApiState>, headers: HeaderMap) -> ResponseOf<KeySet> {
    // Not cached on the server, because keys are rotated. Clients cache the set for a minute, so
    // that they see a new key soon after it starts to sign.
    let keys = Document::new(&key_set(&state));
    ResponseOf::new(keys.response(&headers, "public, max-age=60"))
}

/// The keys of access tokens, then those of receipts, whose ids start with `receipt-`.
fn key_set(state: &ApiState) -> Value {
    let keys = [state.app.keys.jwks(), state.app.keys.receipt_jwks()];
    let all: Vec<&Value> = keys.iter().filter_map(|it| it["keys"].as_array()).flatten().collect();
    json!({ "keys": all })
}
