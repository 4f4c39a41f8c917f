//! `/org/verify/platform/{platformId}`.

use axum::extract::State;
use grantor_domain::Timestamp;
use grantor_domain::id::PlatformId;
use grantor_domain::platform::VerificationMethod;
use grantor_service::watching::platform::{self, ProofResult, Verification};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::Data;
use super::path_id;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The query parameters.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct VerifyParams {
    /// The method to try: `dns`, `metaTag` or `file`. Defaults to all.
    #[param(inline, value_type = Option<value::MethodName>)]
    method: Option<String>,
}

/// The result of a verification.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VerificationBody {
    /// The platform's ID.
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    /// The platform's domain.
    domain: String,
    /// The platform's status: `pending_verification` or `verified`. A verified domain stays
    /// verified.
    #[schema(inline, value_type = value::PlatformStatusName)]
    verification_status: &'static str,
    /// The method by which the domain was first verified, if it was.
    #[schema(inline, value_type = Option<value::MethodName>)]
    verification_method: Option<&'static str>,
    /// When the domain was verified.
    #[schema(value_type = Option<String>, format = DateTime)]
    verified_at: Option<Timestamp>,
    /// The results of the checks.
    checks: Vec<CheckBody>,
}

/// The result of a check.
#[derive(Serialize, ToSchema)]
struct CheckBody {
    /// The verification method.
    #[schema(inline, value_type = value::MethodName)]
    method: &'static str,
    /// Whether the check passed.
    ok: bool,
    /// Why the check failed. Null if it passed.
    reason: Option<String>,
}

impl From<ProofResult> for CheckBody {
    fn from(ProofResult { method, missing }: ProofResult) -> Self {
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
    Query(params): Query<VerifyParams>,
) -> Result<Data<VerificationBody>, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let only = params.method.map(|it| it.parse::<VerificationMethod>()).transpose();
    let only = only.map_err(|error| Problem::field("method", error))?;
    let outcome = platform::verify(&state.app, &context, caller, id, only).await?;
    let found = outcome.checks.iter().any(|it| it.missing.is_none());
    let message = match (outcome.platform.proved.is_some(), found) {
        (true, true) => "The domain is verified",
        (true, false) => "The domain stays verified, but the proof was not found this time",
        (false, _) => "The domain is not verified yet. See the failed checks.",
    };
    Ok(Data(outcome.into(), message))
}
