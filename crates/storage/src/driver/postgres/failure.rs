//! What the errors of the driver mean.

use std::error::Error as StdError;
use std::io::ErrorKind;
use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, Error as DriverError};

use crate::error::Error;

/// Why a call to the server failed.
#[derive(Debug)]
pub(super) enum CallError {
    /// The driver's or the server's error.
    Driver(DriverError),
    /// There was no answer within this time.
    Silence(Duration),
    /// This machine lacks what a connection needs.
    System(std::io::Error),
}

impl From<DriverError> for CallError {
    fn from(error: DriverError) -> Self {
        Self::Driver(error)
    }
}

impl CallError {
    /// Why it failed, for operators.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Driver(error) => reason(error),
            Self::Silence(time) => format!("no answer within {} s", time.as_secs_f32()),
            Self::System(error) => error.to_string(),
        }
    }

    /// Whether a pooler rejected the settings of the session, which it cannot keep.
    pub(super) fn is_pooler(&self) -> bool {
        let Self::Driver(error) = self else { return false };
        error.as_db_error().is_some_and(|it| {
            *it.code() == SqlState::PROTOCOL_VIOLATION
                && it.message().starts_with("unsupported startup parameter")
        })
    }

    /// Whether the server ends the connection with this error.
    pub(super) fn ends_connection(&self) -> bool {
        let Self::Driver(error) = self else { return true };
        error.code().is_some_and(|it| {
            let code = it.code();
            code.starts_with("57P") || code.starts_with("08") || ended_idle(code)
        })
    }

    /// Whether the server answered. It may be the wrong one, but it is running.
    pub(super) fn is_answer(&self) -> bool {
        let Self::Driver(error) = self else { return false };
        // A handshake that failed over a certificate is also an I/O error, but of another kind.
        let is_silence = |source: &(dyn StdError + 'static)| {
            source
                .downcast_ref::<std::io::Error>()
                .is_some_and(|io| !matches!(io.kind(), ErrorKind::InvalidData | ErrorKind::Other))
        };
        !error.is_closed() && !StdError::source(error).is_some_and(is_silence)
    }

    /// Why the connection failed, without the user's name.
    pub(super) fn connect_reason(&self, config: &Config) -> String {
        let Self::Driver(error) = self else { return self.reason() };
        let Some(refusal) = error.as_db_error() else { return self.reason() };
        match (refusal.code(), config.get_user()) {
            (code, _) if *code == SqlState::INVALID_PASSWORD => "wrong user or password".to_owned(),
            // The server's message would contain the user's name, in the server's language.
            (code, _) if code.code().starts_with("28") => {
                "the server's roles or pg_hba.conf do not allow this user from this host".to_owned()
            }
            (_, Some(user)) if config.get_dbname() != Some(user) => {
                refusal.message().replace(&format!("\"{user}\""), "of this user")
            }
            _ => refusal.message().to_owned(),
        }
    }

    /// Converts it into an error of the store.
    pub(super) fn classify(&self) -> Error {
        let Self::Driver(error) = self else { return Error::Unavailable(self.reason()) };
        let Some(refusal) = error.as_db_error() else {
            return if error.is_closed() || StdError::source(error).is_some_and(is_io) {
                Error::Unavailable(reason(error))
            } else {
                Error::Fault(reason(error))
            };
        };
        let code = refusal.code();
        let text = refusal.message().to_owned();
        if *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED
        {
            Error::Retry(text)
        } else if *code == SqlState::UNIQUE_VIOLATION {
            Error::Unique(refusal.constraint().unwrap_or_default().to_owned())
        } else if code.code().starts_with("23") {
            Error::Constraint(text)
        } else if *code == SqlState::DISK_FULL {
            Error::Full(text)
        } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
            Error::ReadOnly(text)
        } else if is_outage(code.code()) {
            Error::Unavailable(text)
        } else {
            Error::Fault(format!("{text} ({})", code.code()))
        }
    }
}

/// The server's message if there is one: the client's says only "db error".
pub(super) fn reason(error: &DriverError) -> String {
    match error.as_db_error() {
        Some(refusal) => refusal.message().to_owned(),
        None => StdError::source(error)
            .map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    }
}

fn is_io(error: &(dyn StdError + 'static)) -> bool {
    error.is::<std::io::Error>()
}

/// Connection, resources, operator intervention, timeouts, and I/O.
fn is_outage(code: &str) -> bool {
    ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class))
        || code == "55P03"
        || ended_idle(code)
}

/// Whether the server ended a transaction or a session that was idle, for example because this
/// process stood still.
fn ended_idle(code: &str) -> bool {
    matches!(code, "25P03" | "25P04")
}
