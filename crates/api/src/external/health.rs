//! `GET /health`.

use axum::Json;
use axum::extract::State;
use grantor_domain::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::VERSION;
use crate::describe::value;
use crate::frame::settings::ApiState;

/// What the external document's health response says.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    #[schema(example = "healthy")]
    status: &'static str,
    #[schema(inline, value_type = value::ExternalWord)]
    api_type: &'static str,
    #[schema(example = "3.1.0")]
    version: &'static str,
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
