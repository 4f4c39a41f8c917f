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
    /// The database cannot be reached, has no room, or its queue is full.
    #[error("database not available: {0}")]
    Unavailable(String),
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

impl From<Error> for DomainError {
    /// Constraints that a rule foresees are caught where the rule is; here they are faults.
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable(_) | Error::Retry(_) | Error::Objects(_) => {
                Self::unavailable(error.to_string())
            }
            Error::Unique(_)
            | Error::Constraint(_)
            | Error::Migration(_)
            | Error::Backup(_)
            | Error::Fault(_) => Self::internal(error.to_string()),
        }
    }
}
