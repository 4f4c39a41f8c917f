//! A result row of either engine.

use std::cell::Cell;

use crate::error::{Error, Result};
use crate::value::Column;

/// Receives the rows of a result, one after another.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&Row<'_>) -> Result<()>;

/// A result row. Columns have the names that their statement gives them, each a different one.
#[derive(Debug)]
pub struct Row<'a> {
    columns: RowOf<'a>,
    /// Where the next column is looked for first: most are read in the order of the statement.
    next: Cell<usize>,
}

#[derive(Debug)]
pub(super) enum RowOf<'a> {
    Sqlite {
        row: &'a rusqlite::Row<'a>,
        /// The names of the columns, which `SQLite` would look up one by one.
        names: &'a [Box<str>],
    },
    Postgres(&'a ::tokio_postgres::Row),
}

impl<'a> Row<'a> {
    pub(super) const fn new(columns: RowOf<'a>) -> Self {
        Self { columns, next: Cell::new(0) }
    }

    /// Returns the column with this name.
    pub(crate) fn get<T: Column>(&self, name: &str) -> Result<T> {
        let index = self.position(name).ok_or_else(|| fault(name, "is missing"))?;
        self.next.set(index + 1);
        self.read(index).ok_or_else(|| fault(name, "has another type"))
    }

    fn position(&self, name: &str) -> Option<usize> {
        let (next, len) = (self.next.get(), self.len());
        (next..len).chain(0..next.min(len)).find(|index| self.name(*index) == name)
    }

    fn len(&self) -> usize {
        match self.columns {
            RowOf::Sqlite { names, .. } => names.len(),
            RowOf::Postgres(row) => row.len(),
        }
    }

    fn name(&self, index: usize) -> &str {
        match self.columns {
            RowOf::Sqlite { names, .. } => names.get(index).map_or("", |it| it),
            RowOf::Postgres(row) => row.columns().get(index).map_or("", |it| it.name()),
        }
    }

    fn read<T: Column>(&self, index: usize) -> Option<T> {
        match self.columns {
            RowOf::Sqlite { row, .. } => row.get_ref(index).ok().and_then(T::from_sqlite),
            RowOf::Postgres(row) => T::from_postgres(row, index),
        }
    }
}

/// Reads the only column. Not a method, so that it can be passed as a reader.
pub(crate) fn only_column<T: Column>(row: &Row<'_>) -> Result<T> {
    debug_assert_eq!(row.len(), 1, "there are more columns");
    row.read(0).ok_or_else(|| fault("the only one", "has another type"))
}

fn fault(name: &str, problem: &str) -> Error {
    Error::Fault(format!("column {name} {problem}"))
}
