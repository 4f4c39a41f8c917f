//! Health endpoints for operators: `/livez` and `/readyz`.

use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use grantor_service::App;
use grantor_service::operations::health;
use http::{StatusCode, header};
use serde_json::json;

/// The probes, for the public listener and for that of metrics.
pub fn probes(app: &App) -> Router {
    Router::new().route("/livez", get(live)).route("/readyz", get(ready)).with_state(app.clone())
}

async fn live() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "live" })))
}

/// Returns 200 if this node can serve requests and 503 if not, with the result of each check.
async fn ready(State(app): State<App>) -> impl IntoResponse {
    let report = health::check(&app).await;
    let status = if report.ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let check = |outcome: &Result<(), String>| match outcome {
        Ok(()) => json!({ "ok": true }),
        Err(reason) => json!({ "ok": false, "reason": reason }),
    };
    let queue = match &report.mail_queue {
        Ok(age) => json!({ "ok": !report.queue_is_old(), "oldest_seconds": age.as_secs() }),
        Err(reason) => json!({ "ok": false, "reason": reason }),
    };
    let jobs = match report.failing_jobs.as_slice() {
        [] => json!({ "ok": true }),
        failing => json!({ "ok": false, "failing": failing }),
    };
    let state = match (report.ready(), report.degraded()) {
        _ if report.stopping => "stopping",
        (false, _) => "not ready",
        (true, true) => "degraded",
        (true, false) => "ready",
    };
    let body = json!({
        "status": state,
        "checks": {
            "database": check(&report.database),
            "writes": check(&report.writes),
            "migrations": check(&report.migrations),
            "key_ring": check(&report.key_ring),
            "mail_queue": queue,
            "jobs": jobs,
        },
    });
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body))
}
