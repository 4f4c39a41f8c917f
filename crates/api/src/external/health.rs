//! `GET /health`.

use axum::Json;
use axum::extract::State;
use grantor_domain::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::VERSION;
use crate::frame::describe::value;
use crate::frame::state::ApiState;

/// The health of the API.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// Always `healthy`.
    #[schema(inline, value_type = value::HealthyWord)]
    status: &'static str,
    /// Always `external`.
    #[schema(inline, value_type = value::ExternalWord)]
    api_type: &'static str,
    /// The API version.
    #[schema(example = "3.1.0")]
    version: &'static str,
    /// The server's current time.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Timestamp,
}

pub(super) async fn show(State(state): State<ApiState>) -> Json<Health> {
    Json(Health {
        status: "healthy",
        api_type: "external",
        version: VERSION,
        timestamp: state.app.clock.now(),
    })
}
