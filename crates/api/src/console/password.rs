//! `/auth/forgot/password`, `/auth/reset/password`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::{Error, Result};
use grantor_service::reset::{self, Proof};
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::envelope::{Created, Told};
use super::registration::SentCode;
use super::required;
use crate::describe::choice::{described, object, without};
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
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reset {
    otp_session: Option<String>,
    otp: Option<String>,
    token: Option<String>,
    new_password: Option<String>,
}

/// One of two proofs, which no schema of a struct can tell.
impl PartialSchema for Reset {
    fn schema() -> RefOr<Schema> {
        let by_code = object([
            (
                "otpSession",
                described::<value::Given>("The session that asking for the code began."),
            ),
            ("otp", described::<value::Otp>("The 6 digits that were mailed.")),
            ("newPassword", described::<value::NewPassword>(RULE)),
        ]);
        let by_link = object([
            (
                "token",
                described::<value::Given>("The token in the mail's link; it works 15 minutes."),
            ),
            ("newPassword", described::<value::NewPassword>(RULE)),
        ]);
        RefOr::T(Schema::from(
            OneOfBuilder::new()
                .description(Some(
                    "What came by mail, the code or the link's token, and the password to be.",
                ))
                .item(without(by_code, &["token"]))
                .item(without(by_link, &["otpSession", "otp"])),
        ))
    }
}

impl ToSchema for Reset {}

const RULE: &str = "At least 8 characters with upper case, lower case, digit and special character; \
                    at most 128 bytes of UTF-8.";

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
