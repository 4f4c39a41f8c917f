//! Mail: queued in the same unit of work as the change it tells of, sealed until it is sent, and
//! sent later by whoever claims it. A mail of a change that did not happen is never sent; a mail
//! of one that did is sent at least once, always under the same Message-ID.

pub mod bound;
mod files;
mod mailbox;
mod message;
mod queue;
mod smtp;

use std::pin::Pin;

use grantor_domain::mail::Mail;

pub use self::files::Files;
pub use self::mailbox::{Letter, Mailbox, Summary};
pub use self::queue::Mailer;
pub use self::smtp::{InvalidSmtpUrl, Smtp, SmtpTerms};

/// How a mail leaves the house.
pub trait Transport: Send + Sync + 'static {
    /// Hands one mail over; `Ok` means that the other side has taken charge of it. The message id
    /// has the form `<mail id@domain>` and is the same at every attempt.
    fn send<'a>(&'a self, from: &'a str, mail: &'a Mail, message_id: &'a str) -> Sending<'a>;

    /// Where what was sent can be read again, if it stays in the house.
    fn mailbox(&self) -> Option<Mailbox> {
        None
    }
}

/// A mail on its way.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), SendError>> + Send + 'a>>;

/// Why a mail was not taken. The reason is kept and logged, so it never holds any of the mail's
/// content, nor what a server may have quoted of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SendError {
    /// Another attempt would end the same way.
    pub permanent: bool,
    /// What happened, for the operator.
    pub reason: String,
}

impl SendError {
    /// It may go better later.
    pub fn transient(reason: impl Into<String>) -> Self {
        Self { permanent: false, reason: reason.into() }
    }

    /// It will not go better later.
    pub fn permanent(reason: impl Into<String>) -> Self {
        Self { permanent: true, reason: reason.into() }
    }
}
