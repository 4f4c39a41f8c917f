//! The one error of the house. It knows nothing of HTTP; each surface maps a kind once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::limit::Standing;

/// What a call of the house gives back.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in the house's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value does not fit its rules.
    Validation,
    /// No credential, or one that is not valid here.
    Unauthorized,
    /// The credential was valid once.
    TokenExpired,
    /// A name, password, key or secret that does not fit; which one is not said.
    InvalidCredentials,
    /// A key and secret that fit, of an API client that may not be used.
    CredentialInactive,
    /// A one-time code that is not the one that was sent.
    InvalidOtp,
    /// A one-time code that came too late.
    OtpExpired,
    /// A session of codes, or an invitation, that has ended or never was.
    InvalidSession,
    /// An account has this address already.
    EmailExists,
    /// A member has this address already.
    MemberExists,
    /// The caller's role or scopes do not reach so far.
    InsufficientPermissions,
    /// The caller has no right on this record.
    AccessDenied,
    /// The wrong kind of tenant, or a suspended one.
    Forbidden,
    /// There is no such thing, or none this caller may know of.
    NotFound,
    /// Something of this name is there already.
    Exists,
    /// The record's state does not allow it.
    Conflict,
    /// The tenant's plan allows no more of it.
    BoundReached {
        /// How much it allows.
        limit: u64,
        /// How much there is.
        used: u64,
    },
    /// The same request is being carried out.
    UnderWay {
        /// When to ask again.
        retry_after: Duration,
    },
    /// The caller's copy is not the current one.
    PreconditionFailed,
    /// An idempotency key came again with another body or query.
    IdempotencyMismatch,
    /// Too many requests in a window.
    RateLimited(Standing),
    /// The month's requests are used up.
    QuotaExceeded {
        /// Until the next month.
        retry_after: Duration,
    },
    /// A part the house needs is out of reach for now.
    Unavailable {
        /// When to try again.
        retry_after: Duration,
    },
    /// A fault of ours.
    Internal,
}

impl ErrorKind {
    /// Whether it keeps a caller out, rather than finding fault with what was sent.
    #[must_use]
    pub const fn keeps_out(&self) -> bool {
        matches!(
            self,
            Self::Unauthorized
                | Self::TokenExpired
                | Self::InvalidCredentials
                | Self::CredentialInactive
                | Self::InvalidOtp
                | Self::OtpExpired
                | Self::InvalidSession
                | Self::Forbidden
                | Self::RateLimited(_)
        )
    }
}

/// An error with a text for the caller and, apart from it, one for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Cow<'static, str>,
    fields: BTreeMap<String, String>,
    culprit: Option<&'static str>,
    internal: Option<String>,
}

impl Error {
    /// An error of a kind with its public text.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        let (fields, culprit, internal) = (BTreeMap::new(), None, None);
        Self { kind, message: message.into(), fields, culprit, internal }
    }

    /// One field is wrong.
    pub fn field(name: impl Into<String>, message: impl Into<String>) -> Self {
        Fields::default().with(name, message).into_error()
    }

    /// A request that is wrong as a whole.
    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Validation, message)
    }

    /// No such thing; `what` is its noun.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorKind::NotFound, format!("{what} not found"))
    }

    /// The state does not allow it.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Conflict, message)
    }

    /// A part is out of reach; the detail is for the log.
    pub fn unavailable(internal: impl Into<String>) -> Self {
        let kind = ErrorKind::Unavailable { retry_after: Duration::from_secs(1) };
        Self::new(kind, "The service is not available right now, try again shortly")
            .because(internal)
    }

    /// A fault of ours; the detail is for the log, the caller learns nothing of it.
    pub fn internal(internal: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, "An unexpected error occurred").because(internal)
    }

    /// Adds what the operator should know and the caller should not.
    #[must_use]
    pub fn because(mut self, internal: impl Into<String>) -> Self {
        self.internal = Some(internal.into());
        self
    }

    /// Names the one field the message is about, as the console names it. The APIs say it in words
    /// alone; a form says it beside the field.
    #[must_use]
    pub fn at(mut self, field: &'static str) -> Self {
        self.culprit = Some(field);
        self
    }

    /// Whether the caller is refused, and not the house at fault.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self.kind, ErrorKind::Internal | ErrorKind::Unavailable { .. })
    }

    /// The kind, for a surface to map.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The text for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Messages by dotted field name.
    #[must_use]
    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.fields
    }

    /// What is wrong with each field of a form: what [`Self::fields`] says, or else the message itself,
    /// where it is about one field.
    #[must_use]
    pub fn wrongs(&self) -> BTreeMap<String, String> {
        match self.culprit {
            Some(name) if self.fields.is_empty() && self.is_refusal() => {
                BTreeMap::from([(name.to_owned(), self.message.clone().into_owned())])
            }
            _ => self.fields.clone(),
        }
    }

    /// The text for the operator's log.
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

/// Collects what is wrong with each field, so that a caller hears of all of it at once.
#[derive(Clone, Debug, Default)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    /// Notes a message; the first one of a field stays.
    pub fn add(&mut self, name: impl Into<String>, message: impl Into<String>) {
        self.0.entry(name.into()).or_insert_with(|| message.into());
    }

    /// The same, in a chain.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, message: impl Into<String>) -> Self {
        self.add(name, message);
        self
    }

    /// Keeps the value, or notes why there is none.
    pub fn take<T, E: fmt::Display>(&mut self, name: &str, parsed: Result<T, E>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(name, error.to_string());
                None
            }
        }
    }

    /// Keeps the value, or notes every field that the error names.
    pub fn take_all<T>(&mut self, parsed: Result<T>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(error) => {
                error.fields.into_iter().for_each(|(name, message)| self.add(name, message));
                None
            }
        }
    }

    /// Nothing when no field is wrong.
    pub fn finish(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(self.into_error()) }
    }

    fn into_error(self) -> Error {
        let mut error = Error::validation("Some fields are not valid");
        error.fields = self.0;
        error
    }
}
