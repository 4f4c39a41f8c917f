//! Plain HTTP is refused where it could be overheard (contract section 10).

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::client::Client;
use super::problem::{Problem, ProblemKind};
use super::settings::ApiState;
use super::surface::Surface;

/// Lets a request in only when a trusted proxy says that it came by HTTPS.
pub async fn require(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    if Client::of(request.extensions(), request.headers(), &state.settings).forwarded_https {
        return next.run(request).await;
    }
    let surface = Surface::of_path(request.uri().path());
    let problem = Problem::new(ProblemKind::Forbidden, "HTTPS is required");
    let (status, code) = surface.status_and_code(&problem.kind);
    let request_id = state.app.ids.next::<uuid::Uuid>().to_string();
    let body = surface.envelope(&problem, code, &request_id);
    (status, [("x-request-id", request_id)], axum::Json(body)).into_response()
}
