//! Request errors, before they are rendered in an API's envelope.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use grantor_domain::limit::LimitState;
use grantor_domain::{Error, ErrorKind, Timestamp};
use grantor_http::body::BodyError;
use http::StatusCode;

use super::oauth::OAuthCode;

/// Error kinds: those of the domain, and those that only exist in HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named by its code below")]
pub enum ProblemKind {
    Validation,
    InvalidFormat,
    Unauthorized,
    TokenExpired,
    InvalidCredentials,
    CredentialInactive,
    SecondFactorRequired,
    MissingRequired,
    MemberExists,
    InvalidOtp,
    OtpExpired,
    InvalidSession,
    EmailExists,
    InsufficientPermissions,
    AccessDenied,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    Exists,
    Conflict,
    PlanLimitReached { limit: u64, used: u64 },
    InProgress { retry_after: Duration },
    PreconditionFailed,
    PayloadTooLarge,
    UnsupportedMediaType,
    IdempotencyMismatch,
    RateLimited(LimitState),
    QuotaExceeded { retry_after: Duration },
    Internal,
    Unavailable { retry_after: Duration },
    OAuth(OAuthCode),
}

const WAIT: Duration = Duration::from_secs(30);

/// A rate limit is exceeded, in the API reference.
pub(crate) const RATE_LIMITED: ProblemKind = ProblemKind::RateLimited(LimitState {
    limit: 100,
    remaining: 0,
    resets_at: Timestamp::from_secs(1_767_225_660),
    resets_in: WAIT,
});
/// The monthly quota is used up, in the API reference.
pub(crate) const QUOTA_EXCEEDED: ProblemKind = ProblemKind::QuotaExceeded { retry_after: WAIT };
/// A limit of the plan is reached, in the API reference.
pub(crate) const PLAN_LIMIT: ProblemKind = ProblemKind::PlanLimitReached { limit: 10, used: 10 };
/// The same request is in progress, in the API reference.
pub(crate) const IN_PROGRESS: ProblemKind = ProblemKind::InProgress { retry_after: WAIT };
/// The server is unavailable, in the API reference.
pub(crate) const UNAVAILABLE: ProblemKind = ProblemKind::Unavailable { retry_after: WAIT };

impl ProblemKind {
    pub(super) fn status_and_code(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Validation => (StatusCode::BAD_REQUEST, "VALIDATION_ERROR"),
            Self::InvalidFormat => (StatusCode::BAD_REQUEST, "INVALID_FORMAT"),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "UNAUTHORIZED"),
            Self::TokenExpired => (StatusCode::UNAUTHORIZED, "TOKEN_EXPIRED"),
            Self::InvalidCredentials => (StatusCode::UNAUTHORIZED, "INVALID_CREDENTIALS"),
            Self::CredentialInactive => (StatusCode::UNAUTHORIZED, "CREDENTIAL_INACTIVE"),
            Self::SecondFactorRequired => (StatusCode::UNAUTHORIZED, "SECOND_FACTOR_REQUIRED"),
            Self::MissingRequired => (StatusCode::BAD_REQUEST, "MISSING_REQUIRED_FIELD"),
            Self::MemberExists => (StatusCode::CONFLICT, "MEMBER_EXISTS"),
            Self::InvalidOtp => (StatusCode::BAD_REQUEST, "INVALID_OTP"),
            Self::OtpExpired => (StatusCode::UNAUTHORIZED, "OTP_EXPIRED"),
            Self::InvalidSession => (StatusCode::BAD_REQUEST, "INVALID_SESSION"),
            Self::EmailExists => (StatusCode::CONFLICT, "EMAIL_EXISTS"),
            Self::InsufficientPermissions => (StatusCode::FORBIDDEN, "INSUFFICIENT_PERMISSIONS"),
            Self::AccessDenied => (StatusCode::FORBIDDEN, "ACCESS_DENIED"),
            Self::Forbidden => (StatusCode::FORBIDDEN, "FORBIDDEN"),
            Self::NotFound => (StatusCode::NOT_FOUND, "NOT_FOUND"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED"),
            Self::RequestTimeout => (StatusCode::REQUEST_TIMEOUT, "REQUEST_TIMEOUT"),
            Self::Exists => (StatusCode::CONFLICT, "RESOURCE_EXISTS"),
            Self::Conflict | Self::PlanLimitReached { .. } | Self::InProgress { .. } => {
                (StatusCode::CONFLICT, "RESOURCE_CONFLICT")
            }
            Self::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, "PRECONDITION_FAILED"),
            Self::PayloadTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE"),
            Self::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE")
            }
            Self::IdempotencyMismatch => (StatusCode::UNPROCESSABLE_ENTITY, "IDEMPOTENCY_MISMATCH"),
            Self::RateLimited(_) => (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED"),
            Self::QuotaExceeded { .. } => (StatusCode::TOO_MANY_REQUESTS, "QUOTA_EXCEEDED"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR"),
            Self::Unavailable { .. } => (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE"),
            Self::OAuth(code) => (StatusCode::BAD_REQUEST, code.name()),
        }
    }

    /// Returns how long to wait before a retry, if a retry can succeed.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited(standing) => Some(standing.resets_in),
            Self::Unavailable { retry_after }
            | Self::QuotaExceeded { retry_after }
            | Self::InProgress { retry_after } => Some(*retry_after),
            _ => None,
        }
    }
}

impl From<&ErrorKind> for ProblemKind {
    fn from(kind: &ErrorKind) -> Self {
        match kind {
            ErrorKind::Validation => Self::Validation,
            ErrorKind::Unauthorized => Self::Unauthorized,
            ErrorKind::TokenExpired => Self::TokenExpired,
            ErrorKind::InvalidCredentials => Self::InvalidCredentials,
            ErrorKind::CredentialInactive => Self::CredentialInactive,
            ErrorKind::SecondFactorRequired => Self::SecondFactorRequired,
            ErrorKind::MemberExists => Self::MemberExists,
            ErrorKind::InvalidOtp => Self::InvalidOtp,
            ErrorKind::OtpExpired => Self::OtpExpired,
            ErrorKind::InvalidSession => Self::InvalidSession,
            ErrorKind::EmailExists => Self::EmailExists,
            ErrorKind::InsufficientPermissions => Self::InsufficientPermissions,
            ErrorKind::AccessDenied => Self::AccessDenied,
            ErrorKind::Forbidden => Self::Forbidden,
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::Exists => Self::Exists,
            ErrorKind::Conflict => Self::Conflict,
            ErrorKind::PlanLimitReached { limit, used } => {
                Self::PlanLimitReached { limit: *limit, used: *used }
            }
            ErrorKind::InProgress { retry_after } => Self::InProgress { retry_after: *retry_after },
            ErrorKind::PreconditionFailed => Self::PreconditionFailed,
            ErrorKind::IdempotencyMismatch => Self::IdempotencyMismatch,
            ErrorKind::RateLimited(standing) => Self::RateLimited(*standing),
            ErrorKind::QuotaExceeded { retry_after } => {
                Self::QuotaExceeded { retry_after: *retry_after }
            }
            ErrorKind::Unavailable { retry_after } => {
                Self::Unavailable { retry_after: *retry_after }
            }
            ErrorKind::Internal => Self::Internal,
        }
    }
}

/// The error type of handlers. The middleware renders it as the response body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of error.
    pub kind: ProblemKind,
    /// The message for the caller.
    pub message: Cow<'static, str>,
    /// Messages by field name, with dots for nested fields.
    pub fields: BTreeMap<String, String>,
    /// Details for the operator's log. Never sent to the caller.
    pub internal: Option<String>,
}

impl Problem {
    /// Creates a problem.
    pub fn new(kind: ProblemKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, message: message.into(), fields: BTreeMap::new(), internal: None }
    }

    /// Creates a validation problem of one field.
    pub fn field(name: impl Into<String>, message: impl Into<String>) -> Self {
        Error::field(name, message).into()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self {
            kind: ProblemKind::from(error.kind()),
            message: Cow::Owned(error.message().to_owned()),
            fields: error.fields().clone(),
            internal: error.internal_detail().map(str::to_owned),
        }
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        let (kind, message) = match error {
            BodyError::Compressed => (
                ProblemKind::UnsupportedMediaType,
                "The request body must not be compressed. Send it without Content-Encoding.",
            ),
            BodyError::TooLarge => {
                (ProblemKind::PayloadTooLarge, "The request body is too large for this endpoint")
            }
            BodyError::Incomplete => {
                (ProblemKind::Validation, "The request body could not be read completely")
            }
            BodyError::Malformed => (
                ProblemKind::Validation,
                "The request body is not a valid multipart form, or is incomplete",
            ),
            BodyError::TimedOut => {
                (ProblemKind::RequestTimeout, "The request body was not received in time")
            }
        };
        Self::new(kind, message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.kind.status_and_code().0.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
