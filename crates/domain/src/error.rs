//! The error type shared by all crates. It is independent of HTTP: each API maps an [`ErrorKind`]
//! to a status once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::limit::LimitState;

/// The result of a fallible call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an error, independent of any transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value is invalid.
    Validation,
    /// The credential is missing or invalid.
    Unauthorized,
    /// The credential has expired.
    TokenExpired,
    /// A wrong name, password, key or secret. Deliberately does not say which one.
    InvalidCredentials,
    /// A correct key and secret of an API client that is not active.
    CredentialInactive,
    /// The first factor is right, and a second one is needed.
    SecondFactorRequired,
    /// The one-time code is wrong.
    InvalidOtp,
    /// The one-time code has expired.
    OtpExpired,
    /// The one-time code session or invitation has ended or never existed.
    InvalidSession,
    /// An account with this email address already exists.
    EmailExists,
    /// A member with this email address already exists.
    MemberExists,
    /// The caller's role or scopes do not allow the action.
    InsufficientPermissions,
    /// The caller has no permission on this record.
    AccessDenied,
    /// The tenant is of the wrong kind or suspended.
    Forbidden,
    /// The record does not exist, or the caller must not learn that it does.
    NotFound,
    /// A record with this name already exists.
    Exists,
    /// The state of the record does not allow the action.
    Conflict,
    /// A limit of the tenant's plan is reached.
    PlanLimitReached {
        /// The limit.
        limit: u64,
        /// The amount in use.
        used: u64,
    },
    /// The same request is already in progress.
    InProgress {
        /// When to retry.
        retry_after: Duration,
    },
    /// The caller's copy of the record is outdated.
    PreconditionFailed,
    /// The idempotency key was already used with a different body or query.
    IdempotencyMismatch,
    /// Too many requests in the current window.
    RateLimited(LimitState),
    /// The monthly request quota is used up.
    QuotaExceeded {
        /// The time until the next month.
        retry_after: Duration,
    },
    /// A dependency is temporarily unavailable.
    Unavailable {
        /// When to retry.
        retry_after: Duration,
    },
    /// An unexpected server error.
    Internal,
}

impl ErrorKind {
    /// Whether the error denies access, as opposed to rejecting the content of a request.
    #[must_use]
    pub const fn denies_access(&self) -> bool {
        matches!(
            self,
            Self::Unauthorized
                | Self::TokenExpired
                | Self::InvalidCredentials
                | Self::CredentialInactive
                | Self::SecondFactorRequired
                | Self::InvalidOtp
                | Self::OtpExpired
                | Self::InvalidSession
                | Self::Forbidden
                | Self::RateLimited(_)
        )
    }
}

/// An error with a message for the caller and, separately, a detail for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Cow<'static, str>,
    fields: BTreeMap<String, String>,
    form_field: Option<&'static str>,
    internal: Option<String>,
}

impl Error {
    /// Creates an error with a message for the caller.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        let (fields, form_field, internal) = (BTreeMap::new(), None, None);
        Self { kind, message: message.into(), fields, form_field, internal }
    }

    /// A validation error for one field.
    pub fn field(name: impl Into<String>, message: impl Into<String>) -> Self {
        Fields::default().with(name, message).into_error()
    }

    /// A validation error for the request as a whole.
    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Validation, message)
    }

    /// A not-found error; `what` is the name of the resource.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorKind::NotFound, format!("{what} not found"))
    }

    /// A conflict with the current state of a record.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Conflict, message)
    }

    /// A dependency is unavailable; the detail goes to the log.
    pub fn unavailable(internal: impl Into<String>) -> Self {
        let kind = ErrorKind::Unavailable { retry_after: Duration::from_secs(1) };
        Self::new(kind, "The service is temporarily unavailable; try again shortly")
            .because(internal)
    }

    /// An unexpected error; the detail goes to the log and is not shown to the caller.
    pub fn internal(internal: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, "An unexpected error occurred").because(internal)
    }

    /// Adds a detail for the operator's log.
    #[must_use]
    pub fn because(mut self, internal: impl Into<String>) -> Self {
        self.internal = Some(internal.into());
        self
    }

    /// Adds a value that helps the caller act, such as the ID of the record in conflict. The APIs
    /// include it in the error's details.
    #[must_use]
    pub fn with_detail(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Names the form field that the message is about. Forms show the message next to that field;
    /// the APIs do not include the name.
    #[must_use]
    pub fn at(mut self, field: &'static str) -> Self {
        self.form_field = Some(field);
        self
    }

    /// Whether the caller's request was refused, as opposed to a failure of the server.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self.kind, ErrorKind::Internal | ErrorKind::Unavailable { .. })
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The message for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Messages by dotted field name.
    #[must_use]
    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.fields
    }

    /// The messages for the fields of a form: [`Self::fields`], or the error's own message under
    /// the field given to [`Self::at`].
    #[must_use]
    pub fn field_errors(&self) -> BTreeMap<String, String> {
        match self.form_field {
            Some(name) if self.fields.is_empty() && self.is_refusal() => {
                BTreeMap::from([(name.to_owned(), self.message.clone().into_owned())])
            }
            _ => self.fields.clone(),
        }
    }

    /// The detail for the operator's log.
    #[must_use]
    pub fn internal_detail(&self) -> Option<&str> {
        self.internal.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for (name, message) in &self.fields {
            write!(f, "; {name}: {message}")?;
        }
        match &self.internal {
            Some(detail) => write!(f, " ({detail})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Collects the errors of all fields, so that the caller sees all of them at once.
#[derive(Clone, Debug, Default)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    /// Adds a message; only the first message of a field is kept.
    pub fn add(&mut self, name: impl Into<String>, message: impl Into<String>) {
        self.0.entry(name.into()).or_insert_with(|| message.into());
    }

    /// Like [`Self::add`], for chaining.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, message: impl Into<String>) -> Self {
        self.add(name, message);
        self
    }

    /// Returns the value, or adds the error under `name`.
    pub fn take<T, E: fmt::Display>(&mut self, name: &str, parsed: Result<T, E>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(name, error.to_string());
                None
            }
        }
    }

    /// Returns the parsed value of a member that has to be given, or adds the error under `name`.
    pub fn require<V, T, E: fmt::Display>(
        &mut self,
        name: &str,
        member: Option<V>,
        parse: impl FnOnce(V) -> Result<T, E>,
    ) -> Option<T> {
        let Some(member) = member else {
            self.add(name, "is required");
            return None;
        };
        self.take(name, parse(member))
    }

    /// Returns the value, or adds every field of the error.
    pub fn take_all<T>(&mut self, parsed: Result<T>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(error) => {
                error.fields.into_iter().for_each(|(name, message)| self.add(name, message));
                None
            }
        }
    }

    /// Fails if any message was added.
    pub fn finish(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(self.into_error()) }
    }

    fn into_error(self) -> Error {
        let mut error = Error::validation("Some fields are not valid");
        error.fields = self.0;
        error
    }
}
