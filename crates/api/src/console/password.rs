//! `/auth/forgot/password`, `/auth/reset/password`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::{Error, Result};
use grantor_service::reset::{self, Proof};
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

/// What came by mail, the code or the link's token, and the password to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reset {
    /// With `otp`: the session that was begun by asking for the code.
    #[schema(inline, value_type = Option<value::Given>)]
    otp_session: Option<String>,
    /// With `otpSession`: 6 digits.
    #[schema(inline, value_type = Option<value::Otp>)]
    otp: Option<String>,
    /// Instead of both: the token in the mail's link, which works for 15 minutes.
    #[schema(inline, value_type = Option<value::Given>)]
    token: Option<String>,
    /// At least 8 characters with upper case, lower case, digit and special character; at most 128
    /// bytes of UTF-8.
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
    let Reset { otp_session, otp, token, new_password } = &body;
    let proof = match token.as_deref() {
        Some(_) if otp_session.is_some() || otp.is_some() => {
            let message = "Send either otpSession and otp, or token";
            return Err(Error::validation(message).into());
        }
        Some(token) => Proof::Link(token),
        None => Proof::Code {
            session: required(&mut fields, "otpSession", otp_session.as_deref()),
            code: required(&mut fields, "otp", otp.as_deref()),
        },
    };
    let password = required(&mut fields, "newPassword", new_password.as_deref());
    fields.finish()?;
    reset::reset(&state.app, &context, proof, password).await?;
    Ok(Told("Your password was changed; all your sessions have ended"))
}
