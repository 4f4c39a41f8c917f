//! Storage errors.

use grantor_domain::Error as DomainError;

/// The result of a storage call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the store, or a violated constraint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A unique constraint or index with this name was violated.
    #[error("unique constraint violated: {0}")]
    Unique(String),
    /// A foreign key or check constraint was violated.
    #[error("constraint violated: {0}")]
    Constraint(String),
    /// The unit conflicted with another transaction. Drivers retry it themselves.
    #[error("serialization conflict: {0}")]
    Retry(String),
    /// The database is unreachable, too slow, or its queue is full.
    #[error("database not available: {0}")]
    Unavailable(String),
    /// The database has no disk space left.
    #[error("the database disk is full: {0}")]
    Full(String),
    /// The database is read-only.
    #[error("the database is read-only: {0}")]
    ReadOnly(String),
    /// The database file at this path was deleted or replaced while it was open.
    #[error("the database file was deleted or replaced: {0}")]
    Lost(String),
    /// The object store is unreachable, full, or denies access.
    #[error("object store not available: {0}")]
    Objects(String),
    /// The schema does not match this version of Grantor.
    #[error("{0}")]
    Migration(String),
    /// A backup cannot be written, or cannot be restored into this store.
    #[error("{0}")]
    Backup(String),
    /// An invalid statement, or a row with an unexpected shape.
    #[error("database fault: {0}")]
    Fault(String),
}

impl Error {
    /// Whether the store itself failed, so that the same call may succeed later.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        matches!(
            self,
            Self::Unavailable(_)
                | Self::Full(_)
                | Self::ReadOnly(_)
                | Self::Lost(_)
                | Self::Retry(_)
                | Self::Objects(_)
        )
    }
}

impl From<Error> for DomainError {
    /// Callers handle the constraints they expect; any other violation is an internal error.
    fn from(error: Error) -> Self {
        if error.is_outage() {
            Self::unavailable(error.to_string())
        } else {
            Self::internal(error.to_string())
        }
    }
}
