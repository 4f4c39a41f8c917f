//! `/auth/token`, `/auth/token/refresh`, `/auth/token/revoke`, `/token/info`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::scope::Scope;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Result, Timestamp};
use grantor_service::identity::token::{self, Flow, Introspection};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Data, Empty};
use crate::frame::caller::bearer;
use crate::frame::describe::value;
use crate::frame::extract::{Json, OptionalJson, required};
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// The credentials of an API client.
#[derive(Deserialize, ToSchema)]
#[schema(as = Pair)]
pub(super) struct ApiCredentials {
    /// The API key.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    api_key: Option<String>,
    /// The API secret.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    api_secret: Option<String>,
}

/// An access token and a refresh token.
#[derive(Serialize, ToSchema)]
pub(super) struct Tokens {
    /// The access token.
    access_token: String,
    /// The refresh token, valid for 30 days.
    #[schema(required, nullable = false)]
    refresh_token: Option<String>,
    /// Always `Bearer`.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// The lifetime of the access token in seconds. Always 3600.
    expires_in: u64,
    /// The scopes of the access token.
    #[schema(inline, value_type = Vec<value::ScopeName>)]
    scopes: Vec<&'static str>,
}

/// The refresh token to use.
#[derive(Deserialize, ToSchema)]
pub(super) struct RefreshToken {
    /// The refresh token.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    refresh_token: Option<String>,
}

/// A new access token.
#[derive(Serialize, ToSchema)]
#[schema(as = Renewed)]
pub(super) struct RefreshedToken {
    /// The access token.
    access_token: String,
    /// Always `Bearer`.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// The lifetime of the access token in seconds. Always 3600.
    expires_in: u64,
}

/// The token to revoke.
#[derive(Deserialize, ToSchema)]
#[schema(as = Ending)]
pub(super) struct RevokeInput {
    /// An access token or refresh token.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    token: Option<String>,
}

/// The token to introspect.
#[derive(Default, Deserialize, ToSchema)]
#[schema(as = Questioned)]
pub(super) struct IntrospectInput {
    /// An access token. Alternatively, send it in the Authorization header.
    token: Option<String>,
}

/// Information about an access token.
#[derive(Serialize, ToSchema)]
pub(super) struct TokenInfo {
    /// Whether the token is valid.
    active: bool,
    /// Always `external`.
    #[schema(inline, value_type = value::ExternalWord)]
    token_type: &'static str,
    /// The token's scopes. Only for an active token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<Vec<value::ScopeName>>)]
    scopes: Option<Vec<&'static str>>,
    /// The ID of the user who created the API client. Only for an active token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    user_id: Option<String>,
    /// When the token was issued. Only for an active token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    issued_at: Option<Timestamp>,
    /// When the token expires.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// The remaining lifetime in seconds. Only for an active token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    expires_in: Option<u64>,
    /// Whether the token was revoked.
    revoked: bool,
}

pub(super) async fn exchange(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<ApiCredentials>,
) -> Result<Data<Tokens>, Problem> {
    let mut fields = Fields::default();
    let key = required(&mut fields, "api_key", body.api_key.as_deref());
    let secret = required(&mut fields, "api_secret", body.api_secret.as_deref());
    fields.finish()?;
    let tokens = token::create(&state.app, &context, Flow::External, key, secret).await?;
    Ok(Data(Tokens {
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token,
        token_type: "Bearer",
        expires_in: ACCESS_LIFE.as_secs(),
        scopes: tokens.scopes.iter().map(Scope::name).collect(),
    }))
}

pub(super) async fn refresh(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RefreshToken>,
) -> Result<Data<RefreshedToken>, Problem> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "refresh_token", body.refresh_token.as_deref());
    fields.finish()?;
    let access_token = token::refresh(&state.app, &context, token).await?;
    let expires_in = ACCESS_LIFE.as_secs();
    Ok(Data(RefreshedToken { access_token, token_type: "Bearer", expires_in }))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RevokeInput>,
) -> Result<Empty, Problem> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", body.token.as_deref());
    fields.finish()?;
    token::revoke(&state.app, &context, token).await?;
    Ok(Empty)
}

pub(super) async fn info(
    State(state): State<ApiState>,
    headers: HeaderMap,
    OptionalJson(body): OptionalJson<IntrospectInput>,
) -> Result<Data<TokenInfo>, Problem> {
    let given = body.unwrap_or_default().token;
    let token = given.as_deref().filter(|it| !it.is_empty()).or_else(|| bearer(&headers));
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", token);
    fields.finish()?;
    let now = state.app.clock.now();
    Ok(Data(match token::inspect(&state.app, token).await? {
        Introspection::Active { scopes, user, issued_at, expires_at } => TokenInfo {
            active: true,
            token_type: "external",
            scopes: Some(scopes.iter().map(Scope::name).collect()),
            user_id: Some(user.to_string()),
            issued_at: Some(issued_at),
            expires_at,
            expires_in: Some(expires_at.since(now).as_secs()),
            revoked: false,
        },
        Introspection::Inactive { expires_at, revoked } => TokenInfo {
            active: false,
            token_type: "external",
            scopes: None,
            user_id: None,
            issued_at: None,
            expires_at,
            expires_in: None,
            revoked,
        },
    }))
}
