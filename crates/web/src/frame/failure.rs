//! What a page could not do, before it is drawn.

use axum::response::{IntoResponse, Response};
use grantor_domain::{Error, ErrorKind};
use http::StatusCode;

/// What handlers give.
pub(crate) type Outcome = Result<Response, Failure>;

/// Why there is no page. It becomes one when the frame knows who looks at it.
#[derive(Clone, Debug)]
pub(crate) struct Failure(pub(crate) Error);

impl Failure {
    /// There is nothing at this address.
    pub(crate) fn nothing() -> Self {
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

/// The status of a page that says so.
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
        | ErrorKind::BoundReached { .. }
        | ErrorKind::UnderWay { .. }
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
