//! `/auth/register`, `/auth/m/register`, `/auth/validate/registration`, `/auth/resend/otp/{session}`.

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::organization::NewOrganization;
use grantor_domain::otp::CODE_LIFE;
use grantor_service::code::{self, CodeSent};
use grantor_service::registration::{self, NewAccount, Verified};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Fine};
use super::required;
use crate::describe::value;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// What a person registers with. Fields may be missing until all of them were looked at, so that
/// the answer names every fault.
#[derive(Deserialize, ToSchema)]
pub(super) struct Registration {
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// Will be proved by a code.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// At least 8 characters with upper case, lower case, digit and special character; at most 128
    /// bytes of UTF-8.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    password: Option<String>,
    #[schema(required, nullable = false)]
    organization: Option<OrganizationInput>,
}

/// What a person registers with who manages themself.
#[derive(Deserialize, ToSchema)]
pub(super) struct PersonRegistration {
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// Will be proved by a code.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// At least 8 characters with upper case, lower case, digit and special character; at most 128
    /// bytes of UTF-8.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    password: Option<String>,
}

/// The organization to be made.
#[derive(Deserialize, ToSchema)]
struct OrganizationInput {
    /// 2 to 100 characters, unique.
    #[schema(required, nullable = false, inline, value_type = value::Organization)]
    name: Option<String>,
    /// Platform, Agency or Brand.
    #[serde(rename = "type")]
    #[schema(required, nullable = false, inline, value_type = value::OrganizationTypeName)]
    kind: Option<String>,
    /// At most 500 characters.
    #[schema(inline, value_type = Option<value::OrganizationAbout>)]
    description: Option<String>,
}

/// A code is on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SentCode {
    otp_session: String,
    email: String,
    /// Always 300.
    expires_in: u64,
}

impl From<CodeSent> for SentCode {
    fn from(sent: CodeSent) -> Self {
        Self { otp_session: sent.session, email: sent.email, expires_in: CODE_LIFE.as_secs() }
    }
}

/// A code that was received.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceivedCode {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    otp_session: Option<String>,
    /// 6 digits.
    #[schema(required, nullable = false, inline, value_type = value::Otp)]
    otp: Option<String>,
}

/// An account whose address was proved.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VerifiedAccount {
    #[schema(inline, value_type = value::Id)]
    user_id: String,
    email: String,
    verified: bool,
}

impl From<Verified> for VerifiedAccount {
    fn from(verified: Verified) -> Self {
        Self { user_id: verified.user.to_string(), email: verified.email, verified: true }
    }
}

const CHECK_MAIL: &str = "Registration started: enter the code we mailed you";

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
    Ok(Created(verified.into(), "Your account is active: you can sign in"))
}

pub(super) async fn resend(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Segment(session): Segment,
) -> Result<Fine<SentCode>, Problem> {
    let sent = code::resend(&state.app, &context, &session).await?;
    Ok(Fine(sent.into(), "We mailed you another code; the one before no longer works"))
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
