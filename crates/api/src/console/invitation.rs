//! `/auth/accept/invitation`.

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::person::FullName;
use grantor_service::invitation::{self, Accepted};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::Created;
use super::required;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// Who accepts.
#[derive(Deserialize, ToSchema)]
pub(super) struct Acceptance {
    /// The token of the invitation's mail.
    #[schema(required, nullable = false)]
    token: Option<String>,
    /// Instead of the name the inviter gave: 2 to 100 characters.
    fullname: Option<String>,
}

/// What the invitation made.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptedBody {
    admin_id: String,
    email: String,
    role: String,
}

pub(super) async fn accept(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Acceptance>,
) -> Result<Created<AcceptedBody>, Problem> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", body.token.as_deref());
    let fullname = body.fullname.as_deref();
    let fullname = fullname.and_then(|it| fields.take("fullname", FullName::parse(it)));
    fields.finish()?;
    let accepted = invitation::accept(&state.app, &context, token, fullname).await?;
    let Accepted::Admin { id, email, role } = accepted;
    let body = AcceptedBody { admin_id: id.to_string(), email, role };
    Ok(Created(body, "Welcome: we mailed you a one-time admin token"))
}
