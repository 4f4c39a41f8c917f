//! `/auth/token`, `/auth/token/refresh`, `/auth/token/revoke`, `/token/info`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::scope::Scope;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Result, Timestamp};
use grantor_service::exchange::{self, Flow, Introspection};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Fine, Nothing};
use crate::describe::value;
use crate::frame::caller::bearer;
use crate::frame::extract::{Json, OptionalJson, required};
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// A pair of credentials.
#[derive(Deserialize, ToSchema)]
pub(super) struct Pair {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    api_key: Option<String>,
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    api_secret: Option<String>,
}

/// What a pair is exchanged for.
#[derive(Serialize, ToSchema)]
pub(super) struct Tokens {
    access_token: String,
    #[schema(required, nullable = false)]
    refresh_token: Option<String>,
    /// Always Bearer.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// Always 3600.
    expires_in: u64,
    #[schema(inline, value_type = Vec<value::ScopeName>)]
    scopes: Vec<&'static str>,
}

/// A refresh token.
#[derive(Deserialize, ToSchema)]
pub(super) struct RefreshToken {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    refresh_token: Option<String>,
}

/// Another access token.
#[derive(Serialize, ToSchema)]
pub(super) struct Renewed {
    access_token: String,
    /// Always Bearer.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// Always 3600.
    expires_in: u64,
}

/// A token that is to end.
#[derive(Deserialize, ToSchema)]
pub(super) struct Ending {
    /// An access or a refresh token.
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    token: Option<String>,
}

/// A token that is asked about.
#[derive(Default, Deserialize, ToSchema)]
pub(super) struct Questioned {
    /// An access token; it may stand in the Authorization header instead.
    token: Option<String>,
}

/// What a token is worth.
#[derive(Serialize, ToSchema)]
pub(super) struct TokenInfo {
    active: bool,
    /// Always external.
    #[schema(inline, value_type = value::ExternalWord)]
    token_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<Vec<value::ScopeName>>)]
    scopes: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    issued_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Seconds that remain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    expires_in: Option<u64>,
    revoked: bool,
}

pub(super) async fn exchange(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Pair>,
) -> Result<Fine<Tokens>, Problem> {
    let mut fields = Fields::default();
    let key = required(&mut fields, "api_key", body.api_key.as_deref());
    let secret = required(&mut fields, "api_secret", body.api_secret.as_deref());
    fields.finish()?;
    let got = exchange::exchange(&state.app, &context, Flow::External, key, secret).await?;
    Ok(Fine(Tokens {
        access_token: got.access_token,
        refresh_token: got.refresh_token,
        token_type: "Bearer",
        expires_in: ACCESS_LIFE.as_secs(),
        scopes: got.scopes.iter().map(Scope::name).collect(),
    }))
}

pub(super) async fn refresh(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RefreshToken>,
) -> Result<Fine<Renewed>, Problem> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "refresh_token", body.refresh_token.as_deref());
    fields.finish()?;
    let access_token = exchange::refresh(&state.app, &context, token).await?;
    let expires_in = ACCESS_LIFE.as_secs();
    Ok(Fine(Renewed { access_token, token_type: "Bearer", expires_in }))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Ending>,
) -> Result<Nothing, Problem> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", body.token.as_deref());
    fields.finish()?;
    exchange::revoke(&state.app, &context, token).await?;
    Ok(Nothing)
}

pub(super) async fn info(
    State(state): State<ApiState>,
    headers: HeaderMap,
    OptionalJson(body): OptionalJson<Questioned>,
) -> Result<Fine<TokenInfo>, Problem> {
    let given = body.unwrap_or_default().token;
    let token = given.as_deref().filter(|it| !it.is_empty()).or_else(|| bearer(&headers));
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", token);
    fields.finish()?;
    let now = state.app.clock.now();
    Ok(Fine(match exchange::inspect(&state.app, token).await? {
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
