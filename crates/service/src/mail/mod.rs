//! Mail. A mail is queued in the same unit of work as its change, encrypted, and sent later by the
//! node that claims it. A mail of a rolled-back change is never sent; any other is sent at least
//! once, always with the same Message-ID.

pub mod built_in;
pub(crate) mod compose;
mod files;
mod mailbox;
mod message;
pub(crate) mod notify;
pub(crate) mod phrase;
mod queue;
mod smtp;
pub mod template;
pub mod throttle;

use std::pin::Pin;

use grantor_domain::mail::Mail;

pub use self::files::Files;
pub use self::mailbox::{Mailbox, SavedMail, SavedMailSummary};
pub use self::queue::Mailer;
pub use self::smtp::{InvalidSmtpUrl, Smtp, SmtpOptions};

/// Sends mail.
pub trait Transport: Send + Sync + 'static {
    /// Sends one mail; `Ok` means that the receiver has accepted it. The message id has the form
    /// `<mail id@domain>` and is the same at every attempt.
    fn send<'a>(&'a self, from: &'a str, mail: &'a Mail, message_id: &'a str) -> Sending<'a>;

    /// The mailbox with the sent mails, if they are stored locally.
    fn mailbox(&self) -> Option<Mailbox> {
        None
    }
}

/// The future of [`Transport::send`].
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), SendError>> + Send + 'a>>;

/// Why a mail was not accepted. The reason is stored and logged, so it never contains any of the
/// mail's content, not even as quoted by a mail server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SendError {
    /// Whether a retry would fail too.
    pub permanent: bool,
    /// Whether the recipient's address was refused for good, so that every mail there would fail.
    pub recipient_refused: bool,
    /// The reason, for the operator.
    pub reason: String,
}

impl SendError {
    /// An error that may go away.
    pub fn transient(reason: impl Into<String>) -> Self {
        Self { permanent: false, recipient_refused: false, reason: reason.into() }
    }

    /// An error that won't go away.
    pub fn permanent(reason: impl Into<String>) -> Self {
        Self { permanent: true, recipient_refused: false, reason: reason.into() }
    }
}
