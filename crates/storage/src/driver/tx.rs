//! A running unit of work, on whichever engine.

use grantor_domain::id::TenantId;

use super::{Row, SchemaQueries, postgres, sqlite};
use crate::bits::Shelf;
use crate::changes::Changes;
use crate::error::Result;
use crate::statement::Statement;
use crate::value::Value;

/// A running unit of work.
#[derive(Debug)]
pub struct Tx<'a> {
    session: Session<'a>,
    met_refusal: bool,
    changes: Changes,
    statements: u64,
    ran_script: bool,
    /// What ends a reading unit that takes too long, where the engine does not do so itself.
    time_limit: Option<&'a sqlite::TimeLimit>,
}

#[derive(Debug)]
enum Session<'a> {
    Sqlite(&'a rusqlite::Connection),
    Postgres(&'a mut postgres::Session),
}

impl<'a> Tx<'a> {
    pub(super) fn sqlite(
        connection: &'a rusqlite::Connection,
        time_limit: Option<&'a sqlite::TimeLimit>,
    ) -> Self {
        Self { time_limit, ..Self::on(Session::Sqlite(connection)) }
    }

    pub(super) fn postgres(session: &'a mut postgres::Session) -> Self {
        Self::on(Session::Postgres(session))
    }

    fn on(session: Session<'a>) -> Self {
        let (changes, statements, time_limit) = (Changes::default(), 0, None);
        Self { session, met_refusal: false, changes, statements, ran_script: false, time_limit }
    }

    /// What was changed so far; forgets it.
    pub(super) fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// How many statements were run.
    pub(super) fn statements(&self) -> u64 {
        self.statements
    }

    /// Whether the schema may have been changed, which the engine does not count among changes.
    pub(super) fn ran_script(&self) -> bool {
        self.ran_script
    }

    /// Notes that a feed got an event.
    pub(crate) fn note_feed(&mut self, feed: TenantId) {
        self.changes.add_feed(feed);
    }

    /// Whether a statement failed. PostgreSQL then undoes the whole unit, even at a commit that
    /// reports success, so a unit that goes on must not be taken for done on either engine.
    pub(super) fn met_refusal(&self) -> bool {
        self.met_refusal
    }

    fn noting<T>(&mut self, outcome: Result<T>) -> Result<T> {
        self.statements += 1;
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
        if outcome.as_ref().is_ok_and(|rows| !rows.is_empty()) {
            self.changes.add(statement.touched());
        }
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
        if outcome.as_ref().is_ok_and(|changed| *changed > 0) {
            self.changes.add(statement.touched());
        }
        self.noting(outcome)
    }

    /// Locks the rows that a statement selects `/*for update*/`, until this unit ends.
    pub(crate) fn lock(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<()> {
        match &self.session {
            // The one writer has everything for itself.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(_) => self.query(statement, params, |_| Ok(())).map(drop),
        }
    }

    /// Runs a text of several statements: migrations and nothing else.
    pub(crate) fn script(&mut self, text: &str) -> Result<()> {
        self.ran_script = true;
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

    /// Makes all further reads of this unit see one moment: for a glance of several statements.
    /// Other units that read do so by themselves.
    pub(crate) fn hold_still(&mut self) -> Result<()> {
        match &mut self.session {
            // A reading unit is one snapshot already.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.hold_still(),
        }
    }

    /// Lets all further reads of this unit take their time.
    pub(crate) fn take_time(&mut self) -> Result<()> {
        match &mut self.session {
            Session::Sqlite(_) => {
                self.time_limit.inspect(|limit| limit.lift());
                Ok(())
            }
            Session::Postgres(session) => session.take_time(),
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

    /// Keeps every other node from writing these sets until this unit ends. False when one is at it.
    pub(crate) fn claim_sets(&mut self, shelf: Shelf) -> Result<bool> {
        match &mut self.session {
            Session::Sqlite(_) => Ok(true),
            Session::Postgres(session) => session.claim_sets(shelf),
        }
    }

    /// The same, and waits for whoever is at it.
    pub(crate) fn lock_sets(&mut self, shelf: Shelf) -> Result<()> {
        match &mut self.session {
            // The one writer holds the file's write lock.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.lock_sets(shelf),
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
