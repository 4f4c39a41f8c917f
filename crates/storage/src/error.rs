//! What can go wrong below the rules.

use grantor_domain::Error as DomainError;

/// What a storage call gives back.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A fault of the store, or a constraint that refused a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A unique constraint or index of this name refused the row.
    #[error("{0} is taken")]
    Unique(String),
    /// A foreign key or check refused the row.
    #[error("constraint refused: {0}")]
    Constraint(String),
    /// The unit met another one and may run again; drivers do so themselves.
    #[error("serialization conflict: {0}")]
    Retry(String),
    /// The database cannot be reached, took too long, or its queue is full.
    #[error("database not available: {0}")]
    Unavailable(String),
    /// The database has no room left.
    #[error("the disk of the database is full: {0}")]
    Full(String),
    /// The database takes no writes.
    #[error("the database is read-only: {0}")]
    ReadOnly(String),
    /// The database file at this path was deleted or replaced while it was open.
    #[error("the database file was deleted or replaced: {0}")]
    Lost(String),
    /// The object store cannot be reached, has no room, or refuses us.
    #[error("object store not available: {0}")]
    Objects(String),
    /// The schema is not the one this program knows.
    #[error("{0}")]
    Migration(String),
    /// A backup that cannot be written, or that this store cannot take.
    #[error("{0}")]
    Backup(String),
    /// A mistake in a statement or a row that does not read as expected.
    #[error("database fault: {0}")]
    Fault(String),
}

impl Error {
    /// Whether the store, and not what was asked of it, is at fault: another time it may work.
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
    /// Constraints that a rule foresees are caught where the rule is; here they are faults.
    fn from(error: Error) -> Self {
        if error.is_outage() {
            Self::unavailable(error.to_string())
        } else {
            Self::internal(error.to_string())
        }
    }
}
