//! The one door to both databases. Only this folder knows which engine runs a unit of work.

mod job;
mod options;
mod pool;
mod postgres;
mod sqlite;

use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::search::{self, SearchQuery};

pub use self::options::{Options, StoreUrl};
use self::pool::{Pool, Threads};
use crate::Waiter;
use crate::dialect::{POSTGRES_WORDS, SQLITE_WORDS};
use crate::error::{Error, Result};
use crate::statement::Statement;
use crate::value::{Column, Value, params};

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

/// An open database. Cheap to clone; the last clone's drop closes it.
#[derive(Clone, Debug)]
pub struct Store {
    engine: Engine,
    pool: Arc<Pool>,
}

impl Store {
    /// Opens the database without looking at its schema: see [`crate::migrate`].
    pub async fn open(options: &Options) -> Result<Self> {
        let options = options.clone();
        tokio::task::spawn_blocking(move || {
            let (engine, pool) = match &options.url {
                StoreUrl::Sqlite(path) => (Engine::Sqlite, sqlite::open(path, &options)?),
                StoreUrl::Postgres(url) => (Engine::Postgres, postgres::open(url, &options)?),
            };
            Ok(Self { engine, pool: Arc::new(pool) })
        })
        .await
        .map_err(|error| Error::Fault(error.to_string()))?
    }

    /// Which engine this is: for reports, never for deciding what to run.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Runs a unit that only reads. On PostgreSQL each statement sees its own snapshot.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        run(&self.pool.reads, work, None).await
    }

    /// Runs a unit that looks up a few rows by key. Where that is over sooner than another thread
    /// would wake up, it runs in the caller's own: never for what may take longer.
    pub async fn glance<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (unit, answer) = job::unit(work, None);
        let left = match &self.pool.glances {
            Some(glances) => glances.run(unit).err(),
            None => Some(unit),
        };
        if let Some(unit) = left {
            self.pool.reads.send(unit)?;
        }
        job::answer(answer).await
    }

    /// Runs a unit that only reads and may see a moment ago: on the replica, where there is one.
    pub async fn read_lagging<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        run(self.pool.lagging.as_ref().unwrap_or(&self.pool.reads), work, None).await
    }

    /// Runs a unit that changes: all of it or nothing, durable when this returns. It may run more
    /// than once, so it must hold no effect but its statements.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        run(&self.pool.writes, work, None).await
    }

    /// The same for somebody at work in the background, who must not wait for all the changes that
    /// wait for each other: on a connection of its own, where there are several.
    pub async fn write_aside<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        run(self.pool.aside.as_ref().unwrap_or(&self.pool.writes), work, None).await
    }

    /// Like [`Self::write`], for somebody who may leave: what they left before it was stored is undone.
    pub async fn write_for<T, E, F>(&self, waiter: &Waiter, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        run(&self.pool.writes, work, Some(waiter.clone())).await
    }
}

async fn run<T, E, F>(threads: &Threads, work: F, waiter: Option<Waiter>) -> Result<T, E>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (unit, answer) = job::unit(work, waiter);
    threads.send(unit)?;
    job::answer(answer).await
}

/// A running unit of work.
#[derive(Debug)]
pub struct Tx<'a> {
    session: Session<'a>,
    met_refusal: bool,
}

#[derive(Debug)]
enum Session<'a> {
    Sqlite(&'a rusqlite::Connection),
    Postgres(&'a mut postgres::Session),
}

impl<'a> Tx<'a> {
    fn sqlite(connection: &'a rusqlite::Connection) -> Self {
        Self { session: Session::Sqlite(connection), met_refusal: false }
    }

    fn postgres(session: &'a mut postgres::Session) -> Self {
        Self { session: Session::Postgres(session), met_refusal: false }
    }

    /// Whether a statement failed. PostgreSQL then undoes the whole unit, even at a commit that
    /// reports success, so a unit that goes on must not be taken for done on either engine.
    fn met_refusal(&self) -> bool {
        self.met_refusal
    }

    fn noting<T>(&mut self, outcome: Result<T>) -> Result<T> {
        self.met_refusal |= outcome.is_err();
        outcome
    }

    /// How this engine describes its own schema.
    pub(crate) fn schema_queries(&self) -> &'static SchemaQueries {
        match self.session {
            Session::Sqlite(_) => &sqlite::QUERIES,
            Session::Postgres(_) => &postgres::QUERIES,
        }
    }

    /// All rows, each read by `map`.
    pub(crate) fn query<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::query(connection, statement, params, &mut map),
            Session::Postgres(session) => session.query(statement, params, &mut map),
        };
        self.noting(outcome)
    }

    /// The one row, or none.
    pub(crate) fn find<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        Ok(self.query(statement, params, map)?.into_iter().next())
    }

    /// Runs a statement that returns no rows; gives the number of rows it changed.
    pub(crate) fn execute(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<u64> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::execute(connection, statement, params),
            Session::Postgres(session) => session.execute(statement, params),
        };
        self.noting(outcome)
    }

    /// Runs a text of several statements: migrations and nothing else.
    pub(crate) fn script(&mut self, text: &str) -> Result<()> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::script(connection, text),
            Session::Postgres(session) => session.script(text),
        };
        self.noting(outcome)
    }

    /// Runs a text that is not known before: the schema's own tables and whole-table copies.
    pub(crate) fn query_text<T>(
        &mut self,
        text: &str,
        params: &[Value<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::query_text(connection, text, params, &mut map),
            Session::Postgres(session) => session.query_text(text, params, &mut map),
        };
        self.noting(outcome)
    }

    /// The same for a text that changes rows.
    pub(crate) fn execute_text(&mut self, text: &str, params: &[Value<'_>]) -> Result<u64> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::execute_text(connection, text, params),
            Session::Postgres(session) => session.execute_text(text, params),
        };
        self.noting(outcome)
    }

    /// A search in the form this engine reads.
    pub(crate) fn search_text(&self, query: &SearchQuery) -> String {
        match self.session {
            Session::Sqlite(_) => query.fts5(),
            Session::Postgres(_) => query.tsquery(),
        }
    }

    /// Puts the words of a license into this engine's index, instead of those before.
    pub(crate) fn index_words(&mut self, id: LicenseId, words: &[String]) -> Result<()> {
        self.forget_words(id)?;
        let (statements, text) = match self.session {
            Session::Sqlite(_) => (&SQLITE_WORDS, search::fts5_text(words)),
            Session::Postgres(_) => (&POSTGRES_WORDS, search::tsvector(words)),
        };
        for statement in statements.index {
            self.execute_text(statement, params![id, text])?;
        }
        Ok(())
    }

    /// Takes the words of a license out of this engine's index.
    pub(crate) fn forget_words(&mut self, id: LicenseId) -> Result<()> {
        let statements = match self.session {
            Session::Sqlite(_) => &SQLITE_WORDS,
            Session::Postgres(_) => &POSTGRES_WORDS,
        };
        for statement in statements.forget {
            self.execute_text(statement, params![id])?;
        }
        Ok(())
    }

    /// Makes all further reads of this unit see one moment, and lets them take their time.
    pub(crate) fn hold_snapshot(&mut self) -> Result<()> {
        match &mut self.session {
            // A reading unit is one snapshot already.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.hold_snapshot(),
        }
    }

    /// Keeps every other node from changing the schema until this unit ends.
    pub(crate) fn lock_schema(&mut self) -> Result<()> {
        match &mut self.session {
            // The one writer holds the file's write lock.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.lock_schema(),
        }
    }

    /// The schema's text in this engine's words.
    pub(crate) fn migration_text(&self, text: &str) -> String {
        match self.session {
            Session::Sqlite(_) => crate::dialect::sqlite_migration(text),
            Session::Postgres(_) => crate::dialect::postgres_migration(text),
        }
    }

    /// Asks the engine whether it understands a statement.
    pub fn prepare_text(&mut self, text: &str) -> Result<()> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => {
                sqlite::prepare(connection, &crate::dialect::sqlite_statement(text))
            }
            Session::Postgres(session) => {
                session.prepare(&crate::dialect::postgres_statement(text))
            }
        };
        self.noting(outcome)
    }
}

/// One row of an answer.
#[derive(Debug)]
pub struct Row<'a>(RowOf<'a>);

#[derive(Debug)]
enum RowOf<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a ::postgres::Row),
}

impl Row<'_> {
    /// The column at this place.
    pub(crate) fn get<T: Column>(&self, index: usize) -> Result<T> {
        let value = match &self.0 {
            RowOf::Sqlite(row) => row.get_ref(index).ok().and_then(T::from_sqlite),
            RowOf::Postgres(row) => T::from_postgres(row, index),
        };
        value.ok_or_else(|| Error::Fault(format!("column {index} is missing or of another type")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let secret = "postgres://grantor:hunter2@db/grantor".to_owned();
        let mut options = Options::new(StoreUrl::Postgres(secret.clone()), 1);
        options.replica = Some(secret);
        assert!(!format!("{options:?}").contains("hunter2"));
    }
}
