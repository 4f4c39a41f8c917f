//! The database engines and their schema queries.

/// A database engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The embedded engine, for a single node.
    Sqlite,
    /// The engine for several nodes.
    Postgres,
}

impl Engine {
    /// The engine's name in logs and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// Queries that describe an engine's schema; both engines return the same columns.
pub(crate) struct SchemaQueries {
    /// One row if there is a table with the name of the first parameter.
    pub(crate) table: &'static str,
    /// Table, column, type, whether the column is NOT NULL.
    pub(crate) columns: &'static str,
    /// Table, column, an empty string.
    pub(crate) primary_keys: &'static str,
    /// Table, index, unique, partial, column.
    pub(crate) indexes: &'static str,
    /// Table, column, referenced table.
    pub(crate) references: &'static str,
    /// The parts of the log: name, first ID, ID after the last; an empty string where there is no bound.
    pub(crate) log_partitions: &'static str,
}
