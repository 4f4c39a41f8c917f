//! `/org/information`.

use axum::extract::State;
use grantor_domain::Timestamp;
use grantor_service::profile;
use serde::Serialize;
use utoipa::ToSchema;

use super::envelope::Fine;
use crate::frame::caller::SignedIn;
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// The caller's organization, or their personal tenant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Information {
    organization_id: String,
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    basic_info: BasicInfo,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    status: &'static str,
}

/// What it says of itself.
#[derive(Serialize, ToSchema)]
struct BasicInfo {
    description: Option<String>,
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Fine<Information>, Problem> {
    let (_, tenant) = profile::show(&state.app, &caller).await?;
    let information = Information {
        organization_id: tenant.id.to_string(),
        name: tenant.name,
        kind: tenant.kind.name(),
        basic_info: BasicInfo { description: tenant.description },
        created_at: tenant.created_at,
        status: tenant.status.name(),
    };
    Ok(Fine(information, "Your organization"))
}
