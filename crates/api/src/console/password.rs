//! `/auth/forgot/password`, `/auth/reset/password`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::{Error, Result};
use grantor_service::reset;
use serde::Deserialize;
use utoipa::ToSchema;

use super::envelope::{Created, Told};
use super::registration::SentCode;
use super::required;
use crate::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// Whose password was forgotten.
#[derive(Deserialize, ToSchema)]
pub(super) struct Forgotten {
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
}

/// The code that came and the password to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reset {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    otp_session: Option<String>,
    /// 6 digits.
    #[schema(required, nullable = false, inline, value_type = value::Otp)]
    otp: Option<String>,
    /// At least 8 characters with upper case, lower case, digit and special character.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    new_password: Option<String>,
}

pub(super) async fn forgot(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Forgotten>,
) -> Result<Created<SentCode>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let email = fields.take("email", Email::parse(email));
    fields.finish()?;
    let email = email.ok_or_else(|| Error::field("email", "is required"))?;
    let sent = reset::forgot(&state.app, &context, email).await?;
    Ok(Created(sent.into(), "If there is an account with this address, we mailed it a code"))
}

pub(super) async fn reset(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Reset>,
) -> Result<Told, Problem> {
    let mut fields = Fields::default();
    let session = required(&mut fields, "otpSession", body.otp_session.as_deref());
    let code = required(&mut fields, "otp", body.otp.as_deref());
    let password = required(&mut fields, "newPassword", body.new_password.as_deref());
    fields.finish()?;
    reset::reset(&state.app, &context, session, code, password).await?;
    Ok(Told("Your password was changed; all your sessions have ended"))
}
