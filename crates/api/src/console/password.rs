//! `/auth/forgot/password`, `/auth/reset/password`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::{Error, Result};
use grantor_service::identity::reset::{self, Proof};
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::envelope::{Created, CreatedMessage};
use super::registration::SentCode;
use super::required;
use crate::frame::describe::choice::{absent, described, object};
use crate::frame::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// The account whose password to reset.
#[derive(Deserialize, ToSchema)]
#[schema(as = Forgotten)]
pub(super) struct ForgotInput {
    /// The account's email address.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
}

/// The one-time code or the token of the link in the email, and the new password.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reset {
    otp_session: Option<String>,
    otp: Option<String>,
    token: Option<String>,
    new_password: Option<String>,
}

/// One of two variants, which can't be derived from a struct.
impl PartialSchema for Reset {
    fn schema() -> RefOr<Schema> {
        let by_code = object([
            ("otpSession", described::<value::NonEmpty>("The ID of the one-time code session.")),
            ("otp", described::<value::Otp>("The one-time code. 6 digits.")),
            ("newPassword", described::<value::NewPassword>(RULE)),
        ])
        .property("token", absent("Absent or empty: there is a code."));
        let by_link = object([
            (
                "token",
                described::<value::NonEmpty>(
                    "The token in the emailed link, valid for 15 minutes.",
                ),
            ),
            ("newPassword", described::<value::NewPassword>(RULE)),
        ])
        .property("otpSession", absent("Absent or empty: there is a token."))
        .property("otp", absent("Absent or empty: there is a token."));
        RefOr::T(Schema::from(
            OneOfBuilder::new()
                .description(Some(
                    "The one-time code or the token in the emailed link, and the new password.",
                ))
                .item(by_code)
                .item(by_link),
        ))
    }
}

impl ToSchema for Reset {}

const RULE: &str = "The new password. At least 8 characters, with uppercase and lowercase letters, \
                    a digit and a special character. At most 128 bytes in UTF-8.";

pub(super) async fn forgot(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<ForgotInput>,
) -> Result<Created<SentCode>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let email = fields.take("email", Email::parse(email));
    fields.finish()?;
    let email = email.ok_or_else(|| Error::field("email", "is required"))?;
    let sent = reset::forgot(&state.app, &context, email, None).await?;
    Ok(Created(
        sent.into(),
        "If there is an account with this email address, we emailed a code to it",
    ))
}

pub(super) async fn reset(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Reset>,
) -> Result<CreatedMessage, Problem> {
    let mut fields = Fields::default();
    let Reset { otp_session, otp, token, new_password } = &body;
    let [session, code, token] = [otp_session, otp, token].map(|it| given(it.as_deref()));
    let proof = match token {
        Some(_) if session.is_some() || code.is_some() => {
            let message = "Send either otpSession and otp, or token";
            return Err(Error::validation(message).into());
        }
        Some(token) => Proof::Link(token),
        None => Proof::Code {
            session: required(&mut fields, "otpSession", session),
            code: required(&mut fields, "otp", code),
        },
    };
    let password = required(&mut fields, "newPassword", new_password.as_deref());
    fields.finish()?;
    reset::reset(&state.app, &context, proof, password).await?;
    Ok(CreatedMessage("Password changed. All your sessions have ended."))
}

/// What is empty is not given.
fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|it| !it.is_empty())
}
