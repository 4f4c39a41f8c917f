//! `/.well-known/oauth-authorization-server` (RFC 8414) and `/.well-known/oauth-protected-resource`
//! (RFC 9728): where libraries find the endpoints of OAuth 2.0.

use std::sync::OnceLock;

use axum::extract::State;
use grantor_domain::scope::Scope;
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::CLIENT_CREDENTIALS;
use crate::frame::describe::ResponseOf;
use crate::frame::document::Document;
use crate::frame::state::ApiState;

/// How long clients may cache the documents. They change only with a new version of the server.
const CACHE: &str = "public, max-age=3600";
/// How clients authenticate at every endpoint.
const METHODS: [&str; 2] = ["client_secret_basic", "client_secret_post"];

/// The metadata of the authorization server (RFC 8414).
#[derive(Serialize, ToSchema)]
#[schema(as = AuthorizationServer)]
pub(in crate::external) struct ServerBody {
    /// The issuer of tokens, as in their `iss` claim.
    issuer: String,
    /// Refuses all requests: no supported grant type needs it.
    authorization_endpoint: String,
    /// The token endpoint.
    token_endpoint: String,
    /// The introspection endpoint (RFC 7662).
    introspection_endpoint: String,
    /// The revocation endpoint (RFC 7009).
    revocation_endpoint: String,
    /// The URL of the public keys that sign access tokens.
    jwks_uri: String,
    /// The scopes.
    scopes_supported: [&'static str; 4],
    /// Always empty.
    #[schema(value_type = Vec<String>)]
    response_types_supported: Vec<&'static str>,
    /// The grant types.
    grant_types_supported: [&'static str; 1],
    /// How clients authenticate at the token endpoint.
    token_endpoint_auth_methods_supported: [&'static str; 2],
    /// How clients authenticate at the introspection endpoint.
    introspection_endpoint_auth_methods_supported: [&'static str; 2],
    /// How clients authenticate at the revocation endpoint.
    revocation_endpoint_auth_methods_supported: [&'static str; 2],
    /// The documentation.
    service_documentation: String,
}

/// The metadata of a resource that access tokens give access to (RFC 9728).
#[derive(Serialize, ToSchema)]
#[schema(as = ProtectedResource)]
pub(in crate::external) struct ResourceBody {
    /// The URL of the resource.
    resource: String,
    /// The authorization servers that issue tokens for it: this server.
    authorization_servers: [String; 1],
    /// The scopes.
    scopes_supported: [&'static str; 4],
    /// How tokens are sent: in the Authorization header.
    bearer_methods_supported: [&'static str; 1],
    /// The documentation.
    resource_documentation: String,
}

pub(in crate::external) async fn server(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<ServerBody> {
    let cached = &state.caches.documents.authorization_server;
    let document = cached.get_or_init(|| Document::new(&describe(&state.app.public_url)));
    ResponseOf::new(document.response(&headers, CACHE))
}

pub(in crate::external) async fn resource(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<ResourceBody> {
    protected(&state, &state.caches.documents.protected_resource, "", &headers)
}

pub(in crate::external) async fn mcp_resource(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<ResourceBody> {
    protected(&state, &state.caches.documents.protected_mcp, "/mcp", &headers)
}

fn describe(origin: &str) -> ServerBody {
    let at = |path: &str| format!("{origin}{path}");
    ServerBody {
        issuer: origin.to_owned(),
        authorization_endpoint: at("/oauth/authorize"),
        token_endpoint: at("/oauth/token"),
        introspection_endpoint: at("/oauth/introspect"),
        revocation_endpoint: at("/oauth/revoke"),
        jwks_uri: at("/.well-known/jwks.json"),
        scopes_supported: Scope::ALL.map(Scope::name),
        response_types_supported: vec![],
        grant_types_supported: [CLIENT_CREDENTIALS],
        token_endpoint_auth_methods_supported: METHODS,
        introspection_endpoint_auth_methods_supported: METHODS,
        revocation_endpoint_auth_methods_supported: METHODS,
        service_documentation: at("/docs/"),
    }
}

/// Returns the metadata of the resource at a path of this server.
fn protected(
    state: &ApiState,
    cached: &OnceLock<Document>,
    path: &str,
    headers: &HeaderMap,
) -> ResponseOf<ResourceBody> {
    let origin = &state.app.public_url;
    let document = cached.get_or_init(|| {
        Document::new(&ResourceBody {
            resource: format!("{origin}{path}"),
            authorization_servers: [origin.clone()],
            scopes_supported: Scope::ALL.map(Scope::name),
            bearer_methods_supported: ["header"],
            resource_documentation: format!("{origin}/docs/"),
        })
    });
    ResponseOf::new(document.response(headers, CACHE))
}
