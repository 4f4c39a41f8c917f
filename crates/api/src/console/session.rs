//! `/auth/login`, `/auth/refresh/token`, `/auth/logout`.

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::session::ACCESS_LIFE;
use grantor_service::session::{self, SignedIn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Told};
use super::required;
use crate::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// Who signs in.
#[derive(Deserialize, ToSchema)]
pub(super) struct Credentials {
    /// Address or full name.
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    username: Option<String>,
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    password: Option<String>,
}

/// A sign-in that is to be renewed or ended.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshToken {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    refresh_token: Option<String>,
}

/// A sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Login {
    access_token: String,
    refresh_token: String,
    /// Seconds the access token lives.
    expires_in: u64,
    user: UserBody,
}

/// Who signed in.
#[derive(Serialize, ToSchema)]
struct UserBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    fullname: String,
    email: String,
    #[schema(inline, value_type = value::RoleName)]
    role: &'static str,
}

/// A renewed sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tokens {
    access_token: String,
    refresh_token: String,
    /// Seconds the access token lives.
    expires_in: u64,
}

impl From<SignedIn> for Login {
    fn from(signed_in: SignedIn) -> Self {
        let SignedIn { tokens, user } = signed_in;
        let user = UserBody {
            id: user.id.to_string(),
            fullname: user.fullname,
            email: user.email,
            role: user.role.name(),
        };
        let Tokens { access_token, refresh_token, expires_in } = tokens.into();
        Self { access_token, refresh_token, expires_in, user }
    }
}

impl From<session::Tokens> for Tokens {
    fn from(tokens: session::Tokens) -> Self {
        let session::Tokens { access_token, refresh_token } = tokens;
        Self { access_token, refresh_token, expires_in: ACCESS_LIFE.as_secs() }
    }
}

pub(super) async fn login(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Credentials>,
) -> Result<Created<Login>, Problem> {
    let mut fields = Fields::default();
    let username = required(&mut fields, "username", body.username.as_deref());
    let password = required(&mut fields, "password", body.password.as_deref());
    fields.finish()?;
    let signed_in = session::sign_in(&state.app, &context, username, password).await?;
    Ok(Created(signed_in.into(), "You are signed in"))
}

pub(super) async fn refresh(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RefreshToken>,
) -> Result<Created<Tokens>, Problem> {
    let token = token(&body)?;
    let renewed = session::renew(&state.app, &context, token).await?;
    Ok(Created(renewed.into(), "Your session was renewed"))
}

pub(super) async fn logout(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RefreshToken>,
) -> Result<Told, Problem> {
    session::sign_out(&state.app, &context, token(&body)?).await?;
    Ok(Told("You are signed out"))
}

fn token(body: &RefreshToken) -> Result<&str> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "refreshToken", body.refresh_token.as_deref());
    fields.finish()?;
    Ok(token)
}
