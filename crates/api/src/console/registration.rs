//! `/auth/register`, `/auth/m/register`, `/auth/validate/registration`,
//! `/auth/resend/otp/{session}`.

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::organization::NewOrganization;
use grantor_domain::otp::CODE_LIFE;
use grantor_service::identity::code::{self, CodeSent};
use grantor_service::identity::registration::{self, NewAccount, Verified};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Data};
use super::required;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// A new account with an organization.
#[derive(Deserialize, ToSchema)]
pub(super) struct Registration {
    /// The full name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// The email address. It is verified with a one-time code.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// The password. At least 8 characters, with uppercase and lowercase letters, a digit and a
    /// special character. At most 128 bytes in UTF-8.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    password: Option<String>,
    #[schema(required, nullable = false)]
    organization: Option<OrganizationInput>,
}

/// A new account of an individual.
#[derive(Deserialize, ToSchema)]
pub(super) struct PersonRegistration {
    /// The full name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// The email address. It is verified with a one-time code.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// The password. At least 8 characters, with uppercase and lowercase letters, a digit and a
    /// special character. At most 128 bytes in UTF-8.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    password: Option<String>,
}

/// The organization to create.
#[derive(Deserialize, ToSchema)]
struct OrganizationInput {
    /// The organization's name, unique. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Organization)]
    name: Option<String>,
    /// The organization's type: `Platform`, `Agency` or `Brand`.
    #[serde(rename = "type")]
    #[schema(required, nullable = false, inline, value_type = value::OrganizationTypeName)]
    kind: Option<String>,
    /// A description. At most 500 characters.
    #[schema(inline, value_type = Option<value::OrganizationAbout>)]
    description: Option<String>,
}

/// A one-time code that was sent by email.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SentCode {
    /// The ID of the one-time code session.
    otp_session: String,
    /// The email address.
    email: String,
    /// The lifetime of the code in seconds. Always 300.
    expires_in: u64,
}

impl From<CodeSent> for SentCode {
    fn from(sent: CodeSent) -> Self {
        Self { otp_session: sent.session, email: sent.email, expires_in: CODE_LIFE.as_secs() }
    }
}

/// The one-time code from the email.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceivedCode {
    /// The ID of the one-time code session.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    otp_session: Option<String>,
    /// The one-time code. 6 digits.
    #[schema(required, nullable = false, inline, value_type = value::Otp)]
    otp: Option<String>,
}

/// A verified account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VerifiedAccount {
    /// The user's ID.
    #[schema(inline, value_type = value::Id)]
    user_id: String,
    /// The email address.
    email: String,
    /// Whether the email address is verified.
    verified: bool,
}

impl From<Verified> for VerifiedAccount {
    fn from(verified: Verified) -> Self {
        Self { user_id: verified.user.to_string(), email: verified.email, verified: true }
    }
}

const CHECK_MAIL: &str = "Registration started. Enter the code we emailed you.";

pub(super) async fn register(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Registration>,
) -> Result<Created<SentCode>, Problem> {
    let mut fields = Fields::default();
    if body.organization.is_none() {
        fields.add("organization", "is required");
    }
    let organization = body.organization.as_ref().and_then(|input| {
        let OrganizationInput { name, kind, description } = input;
        let (name, kind) = (name.as_deref(), kind.as_deref());
        NewOrganization::parse(name, kind, description.as_deref(), &mut fields)
    });
    let account = account(&state, &body, organization, fields)?;
    let sent = registration::register(&state.app, &context, account).await?;
    Ok(Created(sent.into(), CHECK_MAIL))
}

pub(super) async fn register_person(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<PersonRegistration>,
) -> Result<Created<SentCode>, Problem> {
    let PersonRegistration { fullname, email, password } = body;
    let body = Registration { fullname, email, password, organization: None };
    let account = account(&state, &body, None, Fields::default())?;
    let sent = registration::register(&state.app, &context, account).await?;
    Ok(Created(sent.into(), CHECK_MAIL))
}

pub(super) async fn validate(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<ReceivedCode>,
) -> Result<Created<VerifiedAccount>, Problem> {
    let mut fields = Fields::default();
    let session = required(&mut fields, "otpSession", body.otp_session.as_deref());
    let code = required(&mut fields, "otp", body.otp.as_deref());
    fields.finish()?;
    let verified = registration::validate(&state.app, &context, session, code).await?;
    Ok(Created(verified.into(), "Your account is active. You can sign in now."))
}

pub(super) async fn resend(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Segment(session): Segment,
) -> Result<Data<SentCode>, Problem> {
    let sent = code::resend(&state.app, &context, &session).await?;
    Ok(Data(sent.into(), "We emailed you a new code. The previous code no longer works."))
}

fn account(
    state: &ApiState,
    body: &Registration,
    organization: Option<NewOrganization>,
    fields: Fields,
) -> Result<NewAccount> {
    let (fullname, email) = (body.fullname.as_deref(), body.email.as_deref());
    let (password, policy) = (body.password.as_deref(), state.app.password_policy);
    NewAccount::parse(fullname, email, password, organization, policy, fields)
}
