//! A running unit of work on either engine.

use grantor_domain::id::{NodeId, TenantId};

use super::row::Visit;
use super::{Row, SchemaQueries, postgres, sqlite};
use crate::bitmap::BitmapIndex;
use crate::changes::Changes;
use crate::error::Result;
use crate::statement::Statement;
use crate::value::Value;

/// A running unit of work.
#[derive(Debug)]
pub struct Tx<'a> {
    session: Session<'a>,
    has_failed: bool,
    changes: Changes,
    statements: u64,
    ran_script: bool,
    /// The node that runs the unit.
    node: Option<NodeId>,
    /// Interrupts slow read-only units on `SQLite`; PostgreSQL has its own timeout.
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
        let (has_failed, ran_script, time_limit, node) = (false, false, None, None);
        let (changes, statements) = (Changes::default(), 0);
        Self { session, has_failed, changes, statements, ran_script, node, time_limit }
    }

    pub(super) fn set_node(&mut self, node: Option<NodeId>) {
        self.node = node;
    }

    /// The node that runs the unit, which holds what the unit claims. `None` if this process has
    /// not joined the others; its claims end when their time is over.
    pub(crate) fn node(&self) -> Option<NodeId> {
        self.node
    }

    /// Returns the changes so far and resets them.
    pub(super) fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// How many statements have run.
    pub(super) fn statements(&self) -> u64 {
        self.statements
    }

    /// Whether the schema may have changed, which `SQLite` does not count as a change.
    pub(super) fn ran_script(&self) -> bool {
        self.ran_script
    }

    /// Records that a feed received an event.
    pub(crate) fn note_feed(&mut self, feed: TenantId) {
        self.changes.add_feed(feed);
    }

    /// Whether a statement failed. PostgreSQL then rolls back the whole unit, even at a commit that
    /// reports success, so a unit that continued must count as failed on both engines.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    fn record<T>(&mut self, outcome: Result<T>) -> Result<T> {
        self.statements += 1;
        self.has_failed |= outcome.is_err();
        outcome
    }

    /// Whether the engine is `SQLite`.
    pub(crate) fn is_sqlite(&self) -> bool {
        matches!(self.session, Session::Sqlite(_))
    }

    /// The queries that describe this engine's schema.
    pub(crate) fn schema_queries(&self) -> &'static SchemaQueries {
        match self.session {
            Session::Sqlite(_) => &sqlite::QUERIES,
            Session::Postgres(_) => &postgres::QUERIES,
        }
    }

    /// Returns all rows, each read by `map`.
    pub(crate) fn query<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.visit(statement, params, &mut |row| {
            found.push(map(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Calls `visit` with each row. Not generic, so that each engine's way is compiled once.
    fn visit(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        visit: Visit<'_>,
    ) -> Result<()> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::query(connection, statement, params, visit),
            Session::Postgres(session) => session.query(statement, params, visit),
        };
        if outcome.as_ref().is_ok_and(|rows| *rows > 0) {
            self.changes.add(statement.topics());
        }
        self.record(outcome).map(drop)
    }

    /// Returns the first row, if any.
    pub(crate) fn find<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        Ok(self.query(statement, params, map)?.into_iter().next())
    }

    /// Runs a statement that returns no rows and returns the number of rows it changed.
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
            self.changes.add(statement.topics());
        }
        self.record(outcome)
    }

    /// Like [`Self::execute`], for a statement whose outcome nobody needs: PostgreSQL is not waited
    /// for, which saves a round trip. If the statement fails, the next call of this unit does, or its
    /// commit, so callers cannot handle an expected conflict.
    pub(crate) fn send(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<()> {
        let Session::Postgres(session) = &mut self.session else {
            return self.execute(statement, params).map(drop);
        };
        let outcome = session.send(statement, params);
        self.changes.add(statement.topics());
        self.record(outcome)
    }

    /// Locks the rows that a `/*for update*/` statement selects until this unit ends, before the next
    /// statement runs.
    pub(crate) fn lock(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<()> {
        match &self.session {
            // `SQLite` has a single writer.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(_) => self.send(statement, params),
        }
    }

    /// Runs several statements; for migrations only.
    pub(crate) fn script(&mut self, text: &str) -> Result<()> {
        self.ran_script = true;
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::script(connection, text),
            Session::Postgres(session) => session.script(text),
        };
        self.record(outcome)
    }

    /// Runs a statement built at run time: schema queries and whole-table copies only.
    pub(crate) fn query_text<T>(
        &mut self,
        text: &str,
        params: &[Value<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        let visit: Visit<'_> = &mut |row| {
            found.push(map(row)?);
            Ok(())
        };
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::query_text(connection, text, params, visit),
            Session::Postgres(session) => session.query_text(text, params, visit),
        };
        self.record(outcome)?;
        Ok(found)
    }

    /// Like [`Self::query_text`], for a statement that changes rows.
    pub(crate) fn execute_text(&mut self, text: &str, params: &[Value<'_>]) -> Result<u64> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => sqlite::execute_text(connection, text, params),
            Session::Postgres(session) => session.execute_text(text, params),
        };
        self.record(outcome)
    }

    /// Makes all further reads of this unit see the same snapshot, for a lookup with several
    /// statements. Other read-only units do so by default.
    pub fn begin_snapshot(&mut self) -> Result<()> {
        match &mut self.session {
            // A read-only unit is one snapshot already.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.begin_snapshot(),
        }
    }

    /// Lifts the time limit for the rest of this unit.
    pub(crate) fn lift_time_limit(&mut self) -> Result<()> {
        match &mut self.session {
            Session::Sqlite(_) => {
                self.time_limit.inspect(|limit| limit.lift());
                Ok(())
            }
            Session::Postgres(session) => session.lift_time_limit(),
        }
    }

    /// Prevents other nodes from changing the schema until this unit ends.
    pub(crate) fn lock_schema(&mut self) -> Result<()> {
        match &mut self.session {
            // The single writer holds the file's write lock.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.lock_schema(),
        }
    }

    /// Tries to lock an index for writing until this unit ends. False if another node holds the
    /// lock.
    pub(crate) fn claim_index(&mut self, index: BitmapIndex) -> Result<bool> {
        match &mut self.session {
            Session::Sqlite(_) => Ok(true),
            Session::Postgres(session) => session.claim_index(index),
        }
    }

    /// Like [`Self::claim_index`], but waits for the lock.
    pub(crate) fn lock_index(&mut self, index: BitmapIndex) -> Result<()> {
        match &mut self.session {
            // The single writer holds the file's write lock.
            Session::Sqlite(_) => Ok(()),
            Session::Postgres(session) => session.lock_index(index),
        }
    }

    /// Translates a migration into this engine's dialect.
    pub(crate) fn migration_text(&self, text: &str) -> String {
        match self.session {
            Session::Sqlite(_) => crate::dialect::sqlite_migration(text),
            Session::Postgres(_) => crate::dialect::postgres_migration(text),
        }
    }

    /// Checks whether the engine accepts a statement, and returns the names of its columns.
    pub fn prepare_text(&mut self, text: &str) -> Result<Vec<String>> {
        let outcome = match &mut self.session {
            Session::Sqlite(connection) => {
                sqlite::prepare(connection, &crate::dialect::sqlite_statement(text))
            }
            Session::Postgres(session) => {
                session.prepare(&crate::dialect::postgres_statement(text))
            }
        };
        self.record(outcome)
    }
}
