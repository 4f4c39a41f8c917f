//! Page errors, before they are rendered.

use axum::response::{IntoResponse, Response};
use grantor_domain::{Error, ErrorKind};
use http::StatusCode;

/// The result of a page handler.
pub(crate) type Outcome = Result<Response, Failure>;

/// A handler's error. The middleware renders it as an error page for the signed-in user.
#[derive(Clone, Debug)]
pub(crate) struct Failure(pub(crate) Error);

impl Failure {
    /// No page exists at this path.
    pub(crate) fn not_found() -> Self {
        Self(Error::not_found("Page"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = status(self.0.kind()).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns the HTTP status of an error page.
pub(crate) fn status(kind: &ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Validation
        | ErrorKind::InvalidOtp
        | ErrorKind::OtpExpired
        | ErrorKind::InvalidSession
        | ErrorKind::IdempotencyMismatch => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Unauthorized
        | ErrorKind::TokenExpired
        | ErrorKind::InvalidCredentials
        | ErrorKind::CredentialInactive => StatusCode::UNAUTHORIZED,
        ErrorKind::InsufficientPermissions | ErrorKind::AccessDenied | ErrorKind::Forbidden => {
            StatusCode::FORBIDDEN
        }
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Exists
        | ErrorKind::Conflict
        | ErrorKind::PlanLimitReached { .. }
        | ErrorKind::InProgress { .. }
        | ErrorKind::EmailExists
        | ErrorKind::MemberExists => StatusCode::CONFLICT,
        ErrorKind::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        ErrorKind::RateLimited(_) | ErrorKind::QuotaExceeded { .. } => {
            StatusCode::TOO_MANY_REQUESTS
        }
        ErrorKind::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
