//! Page errors, before they are rendered.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use grantor_domain::{Error, ErrorKind};
use grantor_http::body::BodyError;
use http::{StatusCode, header};

/// The result of a page handler.
pub(crate) type Outcome = Result<Response, Failure>;

/// A handler's error. The middleware renders it as an error page for the signed-in user.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(super) status: StatusCode,
}

impl Failure {
    /// No page exists at this path.
    pub(crate) fn not_found() -> Self {
        Error::not_found("Page").into()
    }

    /// Whether the form was larger than its route allows.
    pub(crate) fn is_too_large(&self) -> bool {
        self.status == StatusCode::PAYLOAD_TOO_LARGE
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { status: status(error.kind()), error }
    }
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        let invalid = |message| Self::from(Error::validation(message));
        match error {
            BodyError::TooLarge => {
                let status = StatusCode::PAYLOAD_TOO_LARGE;
                Self { status, ..invalid("The form is too large") }
            }
            BodyError::Compressed | BodyError::Incomplete | BodyError::Malformed => {
                invalid("The form could not be read")
            }
            BodyError::TimedOut => Self {
                status: StatusCode::REQUEST_TIMEOUT,
                ..invalid("The form was not received in time. Check your connection and try again")
            },
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
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
        | ErrorKind::CredentialInactive
        | ErrorKind::SecondFactorRequired => StatusCode::UNAUTHORIZED,
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

/// Tells programs how long to wait before a retry, if a retry can succeed.
pub(super) fn set_retry_after(response: &mut Response, kind: &ErrorKind) {
    if let Some(wait) = retry_after(kind) {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        response.headers_mut().insert(header::RETRY_AFTER, seconds.max(1).into());
    }
}

fn retry_after(kind: &ErrorKind) -> Option<Duration> {
    match kind {
        ErrorKind::RateLimited(limit) => Some(limit.resets_in),
        ErrorKind::Unavailable { retry_after }
        | ErrorKind::QuotaExceeded { retry_after }
        | ErrorKind::InProgress { retry_after } => Some(*retry_after),
        _ => None,
    }
}
