//! `/auth/token` with Basic credentials, `/external/validate/key`.

use axum::extract::State;
use grantor_domain::scope::Scope;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Result, Timestamp};
use grantor_service::identity::token::{self, Flow};
use grantor_service::log::refusal::{self, Refused};
use headers::HeaderMapExt as _;
use headers::authorization::{Authorization, Basic};
use http::{HeaderMap, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::envelope::Created;
use crate::frame::caller::bearer;
use crate::frame::describe::value;
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// An access token of the external API.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Exchanged)]
pub(super) struct ExternalToken {
    /// The access token, a JWT.
    access_token: String,
    /// The lifetime of the access token in seconds. Always 3600.
    expires_in: u64,
    /// Always `Bearer`.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
}

/// The validation of an API key.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeyValidation {
    /// Whether the key is valid.
    valid: bool,
    /// The API client's ID. Null if the key is not valid.
    #[schema(required, inline, value_type = Option<value::Id>)]
    client_id: Option<String>,
    /// The scopes of the API client.
    #[schema(inline, value_type = Vec<value::ScopeName>)]
    permissions: Vec<&'static str>,
    /// When the API client expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    expires_at: Option<Timestamp>,
}

pub(super) async fn exchange(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    headers: HeaderMap,
) -> Result<Created<ExternalToken>, Problem> {
    if !headers.contains_key(header::AUTHORIZATION) {
        let message = "The header Authorization: Basic is required";
        return Err(Problem::new(ProblemKind::Unauthorized, message));
    }
    // A malformed header counts as wrong credentials.
    let basic = headers.typed_get::<Authorization<Basic>>();
    let (key, secret) = basic.as_ref().map_or(("", ""), |it| (it.username(), it.password()));
    let exchanged = token::create(&state.app, &context, Flow::Legacy, key, secret).await?;
    let token = ExternalToken {
        access_token: exchanged.access_token,
        expires_in: ACCESS_LIFE.as_secs(),
        token_type: "Bearer",
    };
    Ok(Created(token, "Your access token"))
}

pub(super) async fn validate_key(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    headers: HeaderMap,
) -> Result<Created<KeyValidation>, Problem> {
    let key = bearer(&headers).ok_or_else(|| {
        Problem::new(ProblemKind::Unauthorized, "The header Authorization: Bearer is required")
    })?;
    let found = token::check_key(&state.app, &context, key).await?;
    if found.is_none() {
        let (action, code) = ("key.validate", "INVALID_KEY");
        let (summary, route) = ("Validate an API key", "/external/validate/key");
        let refused = Refused { action, summary, route, code, limited: false };
        refusal::note(&state.app, context.origin, &refused);
    }
    let validation = match found {
        Some(check) => KeyValidation {
            valid: true,
            client_id: Some(check.client.to_string()),
            permissions: check.scopes.iter().map(Scope::name).collect(),
            expires_at: check.expires_at,
        },
        None => {
            KeyValidation { valid: false, client_id: None, permissions: vec![], expires_at: None }
        }
    };
    Ok(Created(validation, "API key validation"))
}
