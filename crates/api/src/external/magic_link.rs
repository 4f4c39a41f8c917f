//! `/register`, `/magic-link`, `/magic-link/verify`: signing up and in without a password.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::otp::Otp;
use grantor_domain::person::FullName;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::{Error, Result};
use grantor_service::magic_link::{self, Proof};
use grantor_service::session::SignedIn;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Accepted, Fine};
use crate::describe::{one_of_two, value};
use crate::frame::extract::{Json, required};
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// Who registers.
#[derive(Deserialize, ToSchema)]
pub(super) struct Registration {
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
}

/// Who wants to sign in.
#[derive(Deserialize, ToSchema)]
pub(super) struct Request {
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
}

/// The address and the code of the mail, or the token of its link.
#[derive(Deserialize)]
pub(super) struct Verification {
    email: Option<String>,
    /// 6 digits.
    otp: Option<String>,
    token: Option<String>,
    /// Where to act: an organization or personal tenant one is a member of. Left out, the one last
    /// acted in, at first the oldest.
    organization_id: Option<String>,
}

one_of_two!(Verification: ByCode, ByToken);

/// The address, and the code of its mail.
#[derive(ToSchema)]
#[schema(as = VerificationByCode)]
#[expect(dead_code, reason = "only its schema is used")]
struct ByCode {
    #[schema(inline, value_type = value::Email)]
    email: String,
    #[schema(inline, value_type = value::Otp)]
    otp: String,
    #[schema(required = false, inline, value_type = value::Nothing)]
    token: (),
    /// Where to act: an organization or personal tenant one is a member of. Left out, the one last
    /// acted in, at first the oldest.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// The token of the mail's link.
#[derive(ToSchema)]
#[schema(as = VerificationByToken)]
#[expect(dead_code, reason = "only its schema is used")]
struct ByToken {
    #[schema(inline, value_type = value::Given)]
    token: String,
    #[schema(required = false, inline, value_type = value::Nothing)]
    email: (),
    #[schema(required = false, inline, value_type = value::Nothing)]
    otp: (),
    /// Where to act, as with a code.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// The same words for every address.
#[derive(Serialize, ToSchema)]
pub(super) struct OnItsWay {
    message: &'static str,
}

/// A sign-in to the console API.
#[derive(Serialize, ToSchema)]
pub(super) struct Login {
    access_token: String,
    refresh_token: String,
    /// Always Bearer.
    #[schema(inline, value_type = value::BearerWord)]
    token_type: &'static str,
    /// Always 3600.
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

const CHECK_MAIL: &str = "Check your mailbox: we sent you a link and a code, good for 15 minutes";

pub(super) async fn register(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Registration>,
) -> Result<Accepted<OnItsWay>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let fullname = required(&mut fields, "fullname", body.fullname.as_deref());
    let email = fields.take("email", Email::parse(email));
    let fullname = fields.take("fullname", FullName::parse(fullname));
    fields.finish()?;
    if let (Some(email), Some(fullname)) = (email, fullname) {
        magic_link::register(&state.app, &context, email, fullname).await?;
    }
    Ok(Accepted(OnItsWay { message: CHECK_MAIL }))
}

pub(super) async fn request(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Request>,
) -> Result<Accepted<OnItsWay>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let email = fields.take("email", Email::parse(email));
    fields.finish()?;
    if let Some(email) = email {
        magic_link::request(&state.app, &context, email).await?;
    }
    Ok(Accepted(OnItsWay { message: CHECK_MAIL }))
}

pub(super) async fn verify(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Verification>,
) -> Result<Fine<Login>, Problem> {
    let (proof, asked) = proof(&body)?;
    let verified = magic_link::verify(&state.app, &context, proof, asked).await?;
    let SignedIn { tokens, user, place } = verified;
    Ok(Fine(Login {
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token,
        token_type: "Bearer",
        expires_in: ACCESS_LIFE.as_secs(),
        user: UserBody {
            id: user.id.to_string(),
            fullname: user.fullname,
            email: user.email,
            role: place.role.name(),
        },
    }))
}

fn proof(body: &Verification) -> Result<(Proof, Option<TenantId>)> {
    let Verification { email, otp, token, organization_id } = body;
    let mut fields = Fields::default();
    let asked = organization_id.as_deref();
    let asked = asked.and_then(|it| fields.take("organization_id", it.parse::<TenantId>()));
    if let Some(token) = token {
        if email.is_some() || otp.is_some() {
            return Err(Error::validation("Send either email and otp, or token"));
        }
        fields.finish()?;
        return Ok((Proof::Token(token.clone()), asked));
    }
    let email = required(&mut fields, "email", email.as_deref());
    let code = required(&mut fields, "otp", otp.as_deref());
    let email = fields.take("email", Email::parse(email));
    let code = fields.take("otp", Otp::parse(code));
    fields.finish()?;
    match (email, code) {
        (Some(email), Some(code)) => Ok((Proof::Code { email, code }, asked)),
        _ => Err(Error::validation("Some fields are not valid")),
    }
}
