//! Which database a store is, and how it is asked about itself.

/// Which database a store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
    /// The one for many nodes.
    Postgres,
}

impl Engine {
    /// Its name in logs and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// What to ask an engine about its schema; both answer in the same columns.
pub(crate) struct SchemaQueries {
    /// Table, column, type, whether it is required.
    pub(crate) columns: &'static str,
    /// Table, column, nothing.
    pub(crate) primary_keys: &'static str,
    /// Table, index, unique, partial, column.
    pub(crate) indexes: &'static str,
    /// Table, column, the table it names.
    pub(crate) references: &'static str,
}
