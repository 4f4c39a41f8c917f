//! A result row of either engine.

use crate::error::{Error, Result};
use crate::value::Column;

/// A result row.
#[derive(Debug)]
pub struct Row<'a>(pub(super) RowOf<'a>);

#[derive(Debug)]
pub(super) enum RowOf<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a ::tokio_postgres::Row),
}

impl Row<'_> {
    /// Returns the column at this index.
    pub(crate) fn get<T: Column>(&self, index: usize) -> Result<T> {
        let value = match &self.0 {
            RowOf::Sqlite(row) => row.get_ref(index).ok().and_then(T::from_sqlite),
            RowOf::Postgres(row) => T::from_postgres(row, index),
        };
        value.ok_or_else(|| Error::Fault(format!("column {index} is missing or has another type")))
    }
}
