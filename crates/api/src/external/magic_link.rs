//! `/register`, `/magic-link`, `/magic-link/verify`: passwordless registration and sign-in.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::otp::Otp;
use grantor_domain::person::FullName;
use grantor_domain::second_factor::PresentedCode;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Error, Result};
use grantor_service::identity::magic_link::{self, Proof};
use grantor_service::identity::session::SignedIn;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Accepted, Data};
use crate::frame::describe::{one_of_two, value};
use crate::frame::extract::{Json, required};
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// A new account.
#[derive(Deserialize, ToSchema)]
pub(super) struct Registration {
    /// The email address.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// The full name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
}

/// The account to sign in to.
#[derive(Deserialize, ToSchema)]
#[schema(as = MagicLinkRequest)]
pub(super) struct MagicLinkInput {
    /// The email address.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
}

/// The email address and one-time code, or the token of the magic link.
#[derive(Deserialize)]
pub(super) struct Verification {
    email: Option<String>,
    /// The one-time code. 6 digits.
    otp: Option<String>,
    token: Option<String>,
    /// The organization or individual account to sign in to. Defaults to the last one used, or else
    /// the oldest membership.
    organization_id: Option<String>,
    /// A code of the user's authenticator app, or a recovery code.
    code: Option<String>,
}

one_of_two!(Verification: ByCode, ByToken);

/// The email address and one-time code, without a token.
#[derive(ToSchema)]
#[schema(as = VerificationByCode)]
#[expect(dead_code, reason = "only its schema is used")]
struct ByCode {
    /// The email address.
    #[schema(inline, value_type = value::Email)]
    email: String,
    /// The one-time code. 6 digits.
    #[schema(inline, value_type = value::Otp)]
    otp: String,
    /// The organization or individual account to sign in to. Defaults to the last one used, or else
    /// the oldest membership.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// A code of the user's authenticator app, or a recovery code. Needed if the response is 401
    /// `SECOND_FACTOR_REQUIRED`.
    #[schema(inline, value_type = Option<value::SecondFactorCode>)]
    code: Option<String>,
}

/// The token of the magic link, without an email address and code.
#[derive(ToSchema)]
#[schema(as = VerificationByToken)]
#[expect(dead_code, reason = "only its schema is used")]
struct ByToken {
    /// The token of the magic link.
    #[schema(inline, value_type = value::NonEmpty)]
    token: String,
    /// The organization or individual account to sign in to. Defaults to the last one used, or else
    /// the oldest membership.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// A code of the user's authenticator app, or a recovery code. Needed if the response is 401
    /// `SECOND_FACTOR_REQUIRED`.
    #[schema(inline, value_type = Option<value::SecondFactorCode>)]
    code: Option<String>,
}

/// The confirmation. It is the same for every email address, whether it has an account or not.
#[derive(Serialize, ToSchema)]
#[schema(as = OnItsWay)]
pub(super) struct MailSent {
    /// A message for the user.
    message: &'static str,
}

/// Tokens for the console API.
#[derive(Serialize, ToSchema)]
pub(super) struct Login {
    /// The access token, a JWT.
    access_token: String,
    /// The refresh token.
    refresh_token: String,
    /// Always `Bearer`.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// The lifetime of the access token in seconds. Always 3600.
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

const CHECK_MAIL: &str =
    "Check your email. We sent you a sign-in link and a code, valid for 15 minutes.";

pub(super) async fn register(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Registration>,
) -> Result<Accepted<MailSent>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let fullname = required(&mut fields, "fullname", body.fullname.as_deref());
    let email = fields.take("email", Email::parse(email));
    let fullname = fields.take("fullname", FullName::parse(fullname));
    fields.finish()?;
    if let (Some(email), Some(fullname)) = (email, fullname) {
        magic_link::register(&state.app, &context, email, fullname, None).await?;
    }
    Ok(Accepted(MailSent { message: CHECK_MAIL }))
}

pub(super) async fn request(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<MagicLinkInput>,
) -> Result<Accepted<MailSent>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let email = fields.take("email", Email::parse(email));
    fields.finish()?;
    if let Some(email) = email {
        magic_link::request(&state.app, &context, email, None).await?;
    }
    Ok(Accepted(MailSent { message: CHECK_MAIL }))
}

pub(super) async fn verify(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Verification>,
) -> Result<Data<Login>, Problem> {
    let (proof, tenant, code) = proof(&body)?;
    let verified = magic_link::verify_with(&state.app, &context, proof, tenant, code).await?;
    let SignedIn { tokens, user, membership } = verified;
    Ok(Data(Login {
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token,
        token_type: "Bearer",
        expires_in: ACCESS_LIFE.as_secs(),
        user: UserBody {
            id: user.id.to_string(),
            fullname: user.fullname,
            email: user.email,
            role: membership.role.name(),
        },
    }))
}

/// Reads the proof, the organization and the second factor.
fn proof(body: &Verification) -> Result<(Proof, Option<TenantId>, Option<PresentedCode>)> {
    let Verification { email, otp, token, organization_id, code } = body;
    let mut fields = Fields::default();
    let second = code.as_deref().filter(|it| !it.trim().is_empty());
    let second = second.and_then(|it| fields.take("code", PresentedCode::parse(it)));
    let tenant = organization_id.as_deref();
    let tenant = tenant.and_then(|it| fields.take("organization_id", it.parse::<TenantId>()));
    if let Some(token) = token {
        if email.is_some() || otp.is_some() {
            return Err(Error::validation("Send either email and otp, or token"));
        }
        fields.finish()?;
        return Ok((Proof::Token(token.clone()), tenant, second));
    }
    let email = required(&mut fields, "email", email.as_deref());
    let code = required(&mut fields, "otp", otp.as_deref());
    let email = fields.take("email", Email::parse(email));
    let code = fields.take("otp", Otp::parse(code));
    fields.finish()?;
    match (email, code) {
        (Some(email), Some(code)) => Ok((Proof::Code { email, code }, tenant, second)),
        _ => Err(Error::validation("Some fields are not valid")),
    }
}
