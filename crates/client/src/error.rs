//! Why a call failed.

use std::fmt;
use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The result of a call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client cannot do this, for example because its URL is not valid.
    #[error("{0}")]
    Invalid(String),
    /// The server cannot be reached, or the connection broke.
    #[error("The server cannot be reached: {0}")]
    Transport(String),
    /// The server refused the request.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// The response is not one that the API documents.
    #[error("The server's response is not valid: {0}")]
    Response(String),
}

impl Error {
    /// The server's refusal, if there is one.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// The status of the response, if the server refused the request.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.refusal().map(|it| it.status)
    }

    /// The error code of the API, such as `NOT_FOUND`.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.refusal()?.code.as_deref()
    }

    /// The ID of the request, with which the operator of the server finds it in the log.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.refusal()?.request_id.as_deref()
    }

    /// How long the server asks to wait before a retry.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.refusal()?.retry_after
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Invalid(_) => false,
            // A proxy in front of the server may answer in its place for a while.
            Self::Transport(_) | Self::Response(_) => true,
            // A conflict with a time to wait: the first request with this key is still running.
            Self::Refused(it) => match it.status {
                408 | 429 | 500.. => true,
                409 => it.retry_after.is_some(),
                _ => false,
            },
        }
    }
}

/// The server's refusal of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the response.
    pub status: u16,
    /// The error code of the API, unless something else answered, such as a proxy.
    pub code: Option<String>,
    /// The message, for people.
    pub message: String,
    /// Details by name. For an invalid request, the names are those of the invalid fields.
    pub details: Map<String, Value>,
    /// The ID of the request, with which the operator of the server finds it in the log.
    pub request_id: Option<String>,
    /// How long to wait before a retry.
    pub retry_after: Option<Duration>,
}

#[derive(Deserialize)]
struct ErrorEnvelope {
    error: ErrorBody,
}

#[derive(Deserialize)]
struct ErrorBody {
    code: String,
    message: String,
    #[serde(default)]
    details: Map<String, Value>,
    request_id: Option<String>,
}

impl Refusal {
    /// Reads the body of a response that is not a success.
    pub(crate) fn read(status: StatusCode, body: &[u8]) -> Self {
        let mut refusal = Self {
            status: status.as_u16(),
            code: None,
            message: reason(status),
            details: Map::new(),
            request_id: None,
            retry_after: None,
        };
        if let Ok(ErrorEnvelope { error }) = serde_json::from_slice(body) {
            refusal.code = Some(error.code);
            refusal.message = error.message;
            refusal.details = error.details;
            refusal.request_id = error.request_id;
        }
        refusal
    }
}

impl fmt::Display for Refusal {
    /// One line: the message, what is wrong with each field, and what to tell the operator.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.trim_end_matches('.'))?;
        for (index, (name, detail)) in self.details.iter().enumerate() {
            f.write_str(if index == 0 { ": " } else { "; " })?;
            match detail {
                Value::String(text) => write!(f, "{name} {text}")?,
                other => write!(f, "{name} {other}")?,
            }
        }
        write!(f, " ({}", self.status)?;
        if let Some(code) = &self.code {
            write!(f, " {code}")?;
        }
        if let Some(id) = &self.request_id {
            write!(f, ", request {id}")?;
        }
        f.write_str(")")
    }
}

impl std::error::Error for Refusal {}

/// The message for a response that is not one of the API.
fn reason(status: StatusCode) -> String {
    if status.is_redirection() {
        return "The server redirects to another address; check its URL".to_owned();
    }
    let name = status.canonical_reason().unwrap_or("an unknown status");
    format!("The server responded with {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_line_with_everything_that_helps() {
        let body = br#"{"success":false,"error":{"code":"VALIDATION_ERROR","message":"Not valid.",
            "details":{"title":"is required","limit":5},"request_id":"r-1"}}"#;
        let refusal = Refusal::read(StatusCode::BAD_REQUEST, body);
        let line = "Not valid: title is required; limit 5 (400 VALIDATION_ERROR, request r-1)";
        assert_eq!(refusal.to_string(), line);
        let error = Error::Refused(Box::new(refusal));
        assert_eq!((error.code(), error.request_id()), (Some("VALIDATION_ERROR"), Some("r-1")));
        assert_eq!((error.to_string().as_str(), error.is_temporary()), (line, false));
    }

    #[test]
    fn what_is_not_of_the_api_is_named_by_its_status() {
        for (status, line) in [
            (502, "The server responded with Bad Gateway (502)"),
            (308, "The server redirects to another address; check its URL (308)"),
        ] {
            let refusal = Refusal::read(StatusCode::from_u16(status).unwrap(), b"<html>");
            assert_eq!(refusal.to_string(), line);
        }
    }

    #[test]
    fn only_what_may_pass_is_temporary() {
        let refused = |status, retry_after| {
            let status = StatusCode::from_u16(status).unwrap();
            Error::Refused(Box::new(Refusal { retry_after, ..Refusal::read(status, b"") }))
        };
        for status in [408, 429, 500, 502, 503] {
            assert!(refused(status, None).is_temporary(), "{status}");
        }
        for status in [301, 400, 401, 403, 404, 409, 412, 422] {
            assert!(!refused(status, None).is_temporary(), "{status}");
        }
        assert!(refused(409, Some(Duration::ZERO)).is_temporary());
        assert!(Error::Transport("timed out".to_owned()).is_temporary());
        assert!(!Error::Invalid("no".to_owned()).is_temporary());
    }
}
