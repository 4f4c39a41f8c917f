//! `/org/verify/platform/{platformId}`.

use axum::extract::State;
use grantor_domain::Timestamp;
use grantor_domain::id::PlatformId;
use grantor_domain::platform::VerificationMethod;
use grantor_service::platform::{self, Check, Verification};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::Fine;
use super::path_id;
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// Which check.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Which {
    /// dns, metaTag or file; all of them when it is left out.
    #[param(inline, value_type = Option<value::MethodName>)]
    method: Option<String>,
}

/// What became of a verification.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VerificationBody {
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    domain: String,
    /// `pending_verification` or verified. What was proved once stays so.
    #[schema(inline, value_type = value::PlatformStatusName)]
    verification_status: &'static str,
    /// By what the domain was proved first, if it was.
    #[schema(inline, value_type = Option<value::MethodName>)]
    verification_method: Option<&'static str>,
    #[schema(value_type = Option<String>, format = DateTime)]
    verified_at: Option<Timestamp>,
    /// What each check found now.
    checks: Vec<CheckBody>,
}

/// What one check found.
#[derive(Serialize, ToSchema)]
struct CheckBody {
    #[schema(inline, value_type = value::MethodName)]
    method: &'static str,
    ok: bool,
    /// What is missing; null where the proof was found.
    reason: Option<String>,
}

impl From<Check> for CheckBody {
    fn from(Check { method, missing }: Check) -> Self {
        Self { method: method.name(), ok: missing.is_none(), reason: missing }
    }
}

impl From<Verification> for VerificationBody {
    fn from(Verification { platform, checks }: Verification) -> Self {
        Self {
            platform_id: platform.id.to_string(),
            domain: platform.domain.as_str().to_owned(),
            verification_status: platform.status().name(),
            verification_method: platform.proved.map(|it| it.method.name()),
            verified_at: platform.proved.map(|it| it.at),
            checks: checks.into_iter().map(CheckBody::from).collect(),
        }
    }
}

pub(super) async fn verify(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Query(which): Query<Which>,
) -> Result<Fine<VerificationBody>, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let only = which.method.map(|it| it.parse::<VerificationMethod>()).transpose();
    let only = only.map_err(|error| Problem::field("method", error))?;
    let outcome = platform::verify(&state.app, &context, caller, id, only).await?;
    let found = outcome.checks.iter().any(|it| it.missing.is_none());
    let message = match (outcome.platform.proved.is_some(), found) {
        (true, true) => "The domain is verified",
        (true, false) => "The domain stays verified, though its proof was not found now",
        (false, _) => "The domain is not verified yet: see what is missing",
    };
    Ok(Fine(outcome.into(), message))
}
