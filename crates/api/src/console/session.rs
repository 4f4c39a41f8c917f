//! `/auth/login`, `/auth/switch`, `/auth/refresh/token`, `/auth/logout`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Error, Result};
use grantor_service::session::{self, SignedIn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Told};
use super::required;
use crate::describe::value;
use crate::frame::caller as signed;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// Who signs in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Credentials {
    /// Address or full name.
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    username: Option<String>,
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    password: Option<String>,
    /// Where to act: an organization or personal tenant one is a member of. Left out, the one last
    /// acted in, at first the oldest.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// Where to act.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Elsewhere {
    /// An organization or personal tenant one is a member of: those of the profile.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    organization_id: Option<String>,
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
    /// Of the membership the session acts by.
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
        let SignedIn { tokens, user, place } = signed_in;
        let user = UserBody {
            id: user.id.to_string(),
            fullname: user.fullname,
            email: user.email,
            role: place.role.name(),
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
    let asked = body.organization_id.as_deref();
    let asked = asked.and_then(|it| fields.take("organizationId", it.parse::<TenantId>()));
    fields.finish()?;
    let signed_in = session::sign_in(&state.app, &context, username, password, asked).await?;
    Ok(Created(signed_in.into(), "You are signed in"))
}

pub(super) async fn switch(
    State(state): State<ApiState>,
    signed::SignedIn { context, caller }: signed::SignedIn,
    Json(body): Json<Elsewhere>,
) -> Result<Created<Login>, Problem> {
    let mut fields = Fields::default();
    let asked = required(&mut fields, "organizationId", body.organization_id.as_deref());
    let tenant = fields.take("organizationId", asked.parse::<TenantId>());
    fields.finish()?;
    let tenant = tenant.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    let signed_in = session::switch(&state.app, &context, caller, tenant).await?;
    Ok(Created(signed_in.into(), "You act for another organization now"))
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
