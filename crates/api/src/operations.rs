//! For whoever runs it: is the process alive, and can it do its work?

use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use grantor_service::health;
use http::{StatusCode, header};
use serde_json::json;

use crate::frame::settings::ApiState;

pub(crate) fn router(state: &ApiState) -> Router {
    Router::new().route("/livez", get(live)).route("/readyz", get(ready)).with_state(state.clone())
}

async fn live() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "live" })))
}

/// 200 when requests should come here, 503 when not, and why in either case.
async fn ready(State(state): State<ApiState>) -> impl IntoResponse {
    let seen = health::check(&state.app).await;
    let status = if seen.ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let check = |outcome: &Result<(), String>| match outcome {
        Ok(()) => json!({ "ok": true }),
        Err(reason) => json!({ "ok": false, "reason": reason }),
    };
    let queue = match &seen.mail_queue {
        Ok(age) => json!({ "ok": !seen.queue_is_old(), "oldest_seconds": age.as_secs() }),
        Err(reason) => json!({ "ok": false, "reason": reason }),
    };
    let jobs = match seen.failing_jobs.as_slice() {
        [] => json!({ "ok": true }),
        failing => json!({ "ok": false, "failing": failing }),
    };
    let state = match (seen.ready(), seen.degraded()) {
        (false, _) => "not ready",
        (true, true) => "degraded",
        (true, false) => "ready",
    };
    let body = json!({
        "status": state,
        "checks": {
            "database": check(&seen.database),
            "writes": check(&seen.writes),
            "migrations": check(&seen.migrations),
            "mail_queue": queue,
            "jobs": jobs,
        },
    });
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body))
}
