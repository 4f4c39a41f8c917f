//! `/oauth/token`, `/oauth/introspect` and `/oauth/revoke`: OAuth 2.0 for API clients, beside the
//! documents' own endpoints (RFC 6749, 7662 and 7009). Their metadata is in `metadata`.

mod credentials;
pub(super) mod metadata;

use axum::Json;
use axum::extract::State;
use grantor_domain::scope::Scopes;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Error, ErrorKind, Timestamp};
use grantor_service::identity::token::{self, AuthenticatedClient, Flow};
use grantor_service::{App, Context};
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use self::credentials::Credentials;
use crate::frame::describe::value;
use crate::frame::oauth::{OAuthCode, OAuthForm, invalid_request};
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// The only grant type.
const CLIENT_CREDENTIALS: &str = "client_credentials";

/// A request for an access token (RFC 6749 section 4.4).
#[derive(ToSchema)]
#[schema(as = OAuthTokenRequest)]
#[expect(dead_code, reason = "only its schema is used: parameters are read by name")]
pub(super) struct TokenRequest {
    /// Always `client_credentials`.
    #[schema(inline, value_type = value::GrantTypeName)]
    grant_type: String,
    /// The requested scopes, separated by spaces. By default all scopes of the API client.
    #[schema(inline, nullable = false, value_type = Option<value::ScopeText>)]
    scope: Option<String>,
    /// The API key, unless it is in the Authorization header.
    #[schema(nullable = false)]
    client_id: Option<String>,
    /// The API secret, unless it is in the Authorization header.
    #[schema(nullable = false)]
    client_secret: Option<String>,
    /// URLs of this server that the token is for (RFC 8707).
    #[schema(inline, nullable = false, value_type = Option<Vec<value::ResourceUrl>>)]
    resource: Option<Vec<String>>,
}

/// A token to introspect or revoke.
#[derive(ToSchema)]
#[schema(as = OAuthToken)]
#[expect(dead_code, reason = "only its schema is used: parameters are read by name")]
pub(super) struct TokenToHandle {
    /// An access token or refresh token.
    #[schema(inline, value_type = value::NonEmpty)]
    token: String,
    /// The type of the token. It is recognized without this hint.
    #[schema(nullable = false)]
    token_type_hint: Option<String>,
    /// The API key, unless it is in the Authorization header.
    #[schema(nullable = false)]
    client_id: Option<String>,
    /// The API secret, unless it is in the Authorization header.
    #[schema(nullable = false)]
    client_secret: Option<String>,
}

/// An access token (RFC 6749 section 5.1).
#[derive(Serialize, ToSchema)]
#[schema(as = OAuthTokenResponse)]
pub(super) struct TokenResponse {
    /// The access token.
    access_token: String,
    /// Always `Bearer`.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// The lifetime of the access token in seconds. Always 3600.
    expires_in: u64,
    /// The scopes of the access token, separated by spaces: those that were requested and that the
    /// API client has.
    scope: String,
}

/// What is known about a token (RFC 7662 section 2.2). A token that is not valid, or not of the
/// caller's tenant, has only `active`.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = OAuthIntrospection)]
pub(super) struct IntrospectionResponse {
    /// Whether the token is valid.
    active: bool,
    /// The scopes, separated by spaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    scope: Option<String>,
    /// The API key of the client that the token was issued to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    client_id: Option<String>,
    /// `Bearer` for an access token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::BearerWord>)]
    token_type: Option<&'static str>,
    /// When the token expires, in Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    exp: Option<i64>,
    /// When an access token was issued, in Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    iat: Option<i64>,
    /// The ID of the user who created the API client.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    sub: Option<String>,
    /// The issuer: this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    iss: Option<String>,
    /// The ID of an access token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    jti: Option<String>,
}

/// An empty object: the token is not valid, whether or not it ever was.
#[derive(Serialize, ToSchema)]
#[schema(as = OAuthRevocation)]
pub(super) struct RevocationResponse {}

pub(super) async fn issue(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    headers: HeaderMap,
    form: OAuthForm<TokenRequest>,
) -> Result<Json<TokenResponse>, Problem> {
    match form.get("grant_type") {
        Some(CLIENT_CREDENTIALS) => {}
        Some(_) => {
            let message = "The grant type must be client_credentials";
            return Err(refused(OAuthCode::UnsupportedGrantType, message));
        }
        None => return Err(invalid_request("The parameter grant_type is required")),
    }
    let scopes = form.get("scope").map(str::parse::<Scopes>).transpose();
    let scopes = scopes.map_err(|_| refused(OAuthCode::InvalidScope, "A scope does not exist"))?;
    if !form.all("resource").all(|it| is_own(&state.app, it)) {
        let message = "Tokens are only valid for this server";
        return Err(refused(OAuthCode::InvalidTarget, message));
    }
    let Credentials { key, secret } = Credentials::read(&headers, &form)?;
    let issued = token::create(&state.app, &context, Flow::OAuth(scopes), &key, &secret).await;
    let issued = issued.map_err(not_issued)?;
    Ok(Json(TokenResponse {
        access_token: issued.access_token,
        token_type: "Bearer",
        expires_in: ACCESS_LIFE.as_secs(),
        scope: issued.scopes.to_string(),
    }))
}

pub(super) async fn introspect(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    headers: HeaderMap,
    form: OAuthForm<TokenToHandle>,
) -> Result<Json<IntrospectionResponse>, Problem> {
    let (client, token) = admit(&state.app, &context, &headers, &form).await?;
    let Some(found) = token::introspect(&state.app, client.tenant, token).await? else {
        return Ok(Json(IntrospectionResponse::default()));
    };
    let (jti, issued_at) = found.access.unzip();
    Ok(Json(IntrospectionResponse {
        active: true,
        scope: Some(found.scopes.to_string()),
        client_id: Some(found.api_key),
        token_type: jti.is_some().then_some("Bearer"),
        exp: Some(found.expires_at.as_secs()),
        iat: issued_at.map(Timestamp::as_secs),
        sub: Some(found.user.to_string()),
        iss: Some(state.app.public_url.clone()),
        jti,
    }))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    Anonymous(mut context): Anonymous,
    headers: HeaderMap,
    form: OAuthForm<TokenToHandle>,
) -> Result<Json<RevocationResponse>, Problem> {
    let (client, token) = admit(&state.app, &context, &headers, &form).await?;
    context.actor = client.actor;
    let revoked = token::revoke_own(&state.app, &context, client.client, token).await;
    revoked.map_err(|error| match error.kind() {
        ErrorKind::AccessDenied => with_code(error, OAuthCode::InvalidGrant),
        _ => error.into(),
    })?;
    Ok(Json(RevocationResponse {}))
}

/// There is no authorization endpoint, because no grant type needs one. Its URL is in the metadata
/// for libraries that don't accept metadata without one.
pub(super) async fn authorize() -> Problem {
    let message = "Only the client_credentials grant is supported. Request a token directly.";
    refused(OAuthCode::UnsupportedResponseType, message)
}

/// Authenticates the client and returns it with the token that it asks about.
async fn admit<'a>(
    app: &App,
    context: &Context,
    headers: &HeaderMap,
    form: &'a OAuthForm<TokenToHandle>,
) -> Result<(AuthenticatedClient, &'a str), Problem> {
    let Credentials { key, secret } = Credentials::read(headers, form)?;
    let found = token::authenticate(app, context, &key, &secret).await;
    let client = found.map_err(|error| match error.kind() {
        // A suspended account: nothing is granted here, so the client itself is refused.
        ErrorKind::Forbidden => {
            Problem { kind: ProblemKind::CredentialInactive, ..Problem::from(error) }
        }
        _ => error.into(),
    })?;
    let token = form.get("token").ok_or_else(|| invalid_request("The parameter token is required"));
    Ok((client, token?))
}

/// The problem of a client with the right secret that gets no token.
fn not_issued(error: Error) -> Problem {
    match error.kind() {
        ErrorKind::CredentialInactive | ErrorKind::Forbidden => {
            with_code(error, OAuthCode::InvalidGrant)
        }
        ErrorKind::InsufficientPermissions => with_code(error, OAuthCode::InvalidScope),
        _ => error.into(),
    }
}

fn with_code(error: Error, code: OAuthCode) -> Problem {
    Problem { kind: ProblemKind::OAuth(code), ..Problem::from(error) }
}

fn refused(code: OAuthCode, message: &'static str) -> Problem {
    Problem::new(ProblemKind::OAuth(code), message)
}

/// Whether a URL is one of this server.
fn is_own(app: &App, url: &str) -> bool {
    let rest = url.strip_prefix(app.public_url.as_str());
    rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}
