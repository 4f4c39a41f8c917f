//! `/auth/login`, `/auth/switch`, `/auth/refresh/token`, `/auth/logout`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::second_factor::PresentedCode;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Error, Result};
use grantor_service::identity::session::{self, SignedIn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, CreatedMessage};
use super::required;
use crate::frame::caller;
use crate::frame::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// The credentials of a user.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Credentials {
    /// The email address or full name.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    username: Option<String>,
    /// The password.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    password: Option<String>,
    /// The organization or individual account to sign in to. Defaults to the last one used, or else
    /// the oldest membership.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// A code of the user's authenticator app, or a recovery code. Needed if the response is 401
    /// `SECOND_FACTOR_REQUIRED`.
    #[schema(inline, value_type = Option<value::SecondFactorCode>)]
    code: Option<String>,
}

/// The organization to switch to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Elsewhere)]
pub(super) struct SwitchInput {
    /// The ID of one of the organizations in the user's profile.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    organization_id: Option<String>,
}

/// The refresh token of a session.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshToken {
    /// The refresh token.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    refresh_token: Option<String>,
}

/// The tokens of a new session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Login {
    /// The access token, a JWT.
    access_token: String,
    /// The refresh token, valid for 30 days.
    refresh_token: String,
    /// The lifetime of the access token in seconds.
    expires_in: u64,
    user: UserBody,
}

/// The user who signed in.
#[derive(Serialize, ToSchema)]
struct UserBody {
    /// The user's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The user's full name.
    fullname: String,
    /// The user's email address.
    email: String,
    /// The user's role in the organization of the session.
    #[schema(inline, value_type = value::RoleName)]
    role: &'static str,
}

/// The new tokens of a session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tokens {
    /// The access token, a JWT.
    access_token: String,
    /// The refresh token, which replaces the previous one.
    refresh_token: String,
    /// The lifetime of the access token in seconds.
    expires_in: u64,
}

impl From<SignedIn> for Login {
    fn from(signed_in: SignedIn) -> Self {
        let SignedIn { tokens, user, membership } = signed_in;
        let user = UserBody {
            id: user.id.to_string(),
            fullname: user.fullname,
            email: user.email,
            role: membership.role.name(),
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
    let tenant = body.organization_id.as_deref();
    let tenant = tenant.and_then(|it| fields.take("organizationId", it.parse::<TenantId>()));
    let code = body.code.as_deref().filter(|it| !it.trim().is_empty());
    let code = code.and_then(|it| fields.take("code", PresentedCode::parse(it)));
    fields.finish()?;
    let (app, context) = (&state.app, &context);
    let signed_in = session::sign_in_with(app, context, username, password, tenant, code).await?;
    Ok(Created(signed_in.into(), "You are signed in"))
}

pub(super) async fn switch(
    State(state): State<ApiState>,
    caller::SignedIn { context, caller }: caller::SignedIn,
    Json(body): Json<SwitchInput>,
) -> Result<Created<Login>, Problem> {
    let mut fields = Fields::default();
    let tenant = required(&mut fields, "organizationId", body.organization_id.as_deref());
    let tenant = fields.take("organizationId", tenant.parse::<TenantId>());
    fields.finish()?;
    let tenant = tenant.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    let signed_in = session::switch(&state.app, &context, caller, tenant).await?;
    Ok(Created(signed_in.into(), "Switched to another organization"))
}

pub(super) async fn refresh(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RefreshToken>,
) -> Result<Created<Tokens>, Problem> {
    let token = token(&body)?;
    let renewed = session::renew(&state.app, &context, token).await?;
    Ok(Created(renewed.into(), "Session refreshed"))
}

pub(super) async fn logout(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<RefreshToken>,
) -> Result<CreatedMessage, Problem> {
    session::sign_out(&state.app, &context, token(&body)?).await?;
    Ok(CreatedMessage("You are signed out"))
}

fn token(body: &RefreshToken) -> Result<&str> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "refreshToken", body.refresh_token.as_deref());
    fields.finish()?;
    Ok(token)
}
