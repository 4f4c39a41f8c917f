//! One connection, its statements, and what its errors mean for the unit that runs.
//!
//! Behind a pooler such as `PgBouncer` in transaction mode, each transaction may run on another
//! connection of the pooler. Nothing is kept on the connection then: every unit is a transaction,
//! its limits are set with `SET LOCAL`, and statements are parsed each time.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::client::{Client, Plan};
use super::connector::Access;
use super::failure::CallError;
use crate::bitmap::BitmapIndex;
use crate::driver::only_column;
use crate::driver::row::Visit;
use crate::error::{Error, Result};
use crate::statement::Statement;
use crate::value::Value;

/// How long a statement waits for a lock.
pub(super) const LOCK_LIMIT: Duration = Duration::from_secs(5);
/// How long a transaction may be idle.
pub(super) const IDLE_LIMIT: Duration = Duration::from_secs(30);
/// How much longer than its own limit the server may take for an answer.
const SLACK: Duration = Duration::from_secs(2);
/// How long the server may take to begin a transaction, for which it needs nothing but itself.
const BEGIN_LIMIT: Duration = Duration::from_secs(5);

/// A connection with its statements.
pub(in crate::driver) struct Session {
    client: Client,
    options: SessionOptions,
    plans: HashMap<usize, Plan>,
    text_plans: HashMap<String, Plan>,
    met: Met,
    in_snapshot: bool,
    /// Whether the server said that it ends the connection.
    is_over: bool,
}

/// Where a session is connected, and how it may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct SessionOptions {
    /// The number of the server.
    pub(super) server: usize,
    /// Whether a pooler is in between.
    pub(super) pooled: bool,
    pub(super) access: Access,
    /// Whether the server must not be a standby.
    pub(super) primary_only: bool,
    /// The time limit of a statement.
    pub(super) time: Duration,
}

/// What a unit met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    conflict: bool,
    outage: bool,
    refused_write: bool,
}

/// The advisory lock for migrations; any fixed number would do.
const SCHEMA_LOCK: &str = "7310604187";
/// The advisory lock for writing the license index.
const LICENSE_INDEX_LOCK: &str = "7310604188";
/// The advisory lock for writing the log index.
const LOG_INDEX_LOCK: &str = "7310604189";
/// The advisory lock for writing the index of records.
const RECORD_INDEX_LOCK: &str = "7310604190";

impl Session {
    pub(super) fn new(client: Client, options: SessionOptions) -> Self {
        let (plans, text_plans) = (HashMap::new(), HashMap::new());
        let (met, in_snapshot, is_over) = (Met::default(), false, false);
        Self { client, options, plans, text_plans, met, in_snapshot, is_over }
    }

    /// Tells the server that the session ends.
    pub(super) fn close(self) {
        self.client.close();
    }

    /// The number of its server.
    pub(super) fn server(&self) -> usize {
        self.options.server
    }

    pub(super) fn access(&self) -> Access {
        self.options.access
    }

    pub(super) fn is_pooled(&self) -> bool {
        self.options.pooled
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_over || self.client.is_closed()
    }

    /// Whether the server did not answer in time.
    pub(super) fn is_silent(&self) -> bool {
        self.client.is_silent()
    }

    /// Forgets what the last unit met, and restores the time limit that it may have lifted.
    pub(super) fn begin_unit(&mut self) {
        self.met = Met::default();
        self.restore_limit();
    }

    /// Whether a statement since the last call conflicted with another transaction; resets the
    /// flag.
    pub(super) fn take_conflict(&mut self) -> bool {
        std::mem::take(&mut self.met.conflict)
    }

    /// Whether the unit met a server that does not accept writes, so that nothing is stored.
    pub(super) fn was_refused(&self) -> bool {
        self.met.refused_write
    }

    /// Whether the unit met an outage.
    pub(super) fn met_outage(&self) -> bool {
        self.met.outage
    }

    /// Returns the number of rows.
    pub(in crate::driver) fn query(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        visit: Visit<'_>,
    ) -> Result<u64> {
        let plan = self.plan(statement)?;
        self.run(statement.for_postgres(), &plan, params, visit)
    }

    /// Executes a statement of a unit that writes without waiting for its outcome. If it fails, so
    /// does the next call, or the commit.
    pub(in crate::driver) fn send(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<()> {
        if self.options.access == Access::Read {
            // Nothing would tell a unit without a commit.
            return self.execute(statement, params).map(drop);
        }
        let plan = self.plan(statement)?;
        let sent = self.client.send(statement.for_postgres(), &plan, params);
        sent.map_err(|error| self.failure(&error))
    }

    /// Waits for the statements that were sent.
    pub(super) fn settle(&mut self) -> Result<()> {
        self.client.settle().map_err(|error| self.failure(&error))
    }

    pub(in crate::driver) fn query_text(
        &mut self,
        text: &str,
        params: &[Value<'_>],
        visit: Visit<'_>,
    ) -> Result<u64> {
        let plan = self.text_plan(text)?;
        self.run(text, &plan, params, visit)
    }

    pub(in crate::driver) fn execute(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<u64> {
        let plan = self.plan(statement)?;
        let done = self.client.execute(statement.for_postgres(), &plan, params);
        done.map_err(|error| self.failure(&error))
    }

    pub(in crate::driver) fn execute_text(
        &mut self,
        text: &str,
        params: &[Value<'_>],
    ) -> Result<u64> {
        let plan = self.text_plan(text)?;
        self.client.execute(text, &plan, params).map_err(|error| self.failure(&error))
    }

    pub(in crate::driver) fn script(&mut self, text: &str) -> Result<()> {
        self.client.script(text).map_err(|error| self.failure(&error))
    }

    pub(in crate::driver) fn prepare(&mut self, text: &str) -> Result<Vec<String>> {
        let prepared = self.client.prepare(text).map_err(|error| self.failure(&error))?;
        Ok(prepared.columns().iter().map(|it| it.name().to_owned()).collect())
    }

    /// The numbers in the columns of the only row, within this time; `None` if one is missing.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        text: &str,
        limit: Duration,
    ) -> Result<Option<[u64; N]>> {
        self.client.limit(Some(limit));
        let row = self.client.last_row(text).map_err(|error| self.failure(&error))?;
        let numbers = row.iter().map(|it| it.as_deref()?.parse::<u64>().ok());
        let numbers: Option<Vec<_>> = numbers.collect();
        Ok(numbers.and_then(|it| it.try_into().ok()))
    }

    /// Begins a transaction that writes.
    pub(super) fn begin_write(&mut self) -> Result<()> {
        self.begin("BEGIN")
    }

    /// Makes all further reads see the same snapshot.
    pub(in crate::driver) fn begin_snapshot(&mut self) -> Result<()> {
        const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        if !self.in_snapshot {
            if self.options.pooled {
                self.begin(BEGIN)?;
            } else {
                // The first read need not wait for it. A unit that writes waits: it can run again
                // after a lost connection only if it has not begun.
                let sent = self.client.send_script(BEGIN, BEGIN_LIMIT);
                sent.map_err(|error| self.failure(&error))?;
            }
            self.in_snapshot = true;
        }
        Ok(())
    }

    /// Ends the snapshot if there is one.
    pub(super) fn end_snapshot(&mut self) -> Result<()> {
        if std::mem::take(&mut self.in_snapshot) { self.script("COMMIT") } else { Ok(()) }
    }

    pub(in crate::driver) fn lift_time_limit(&mut self) -> Result<()> {
        self.begin_snapshot()?;
        self.client.limit(None);
        self.script(
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
        )
    }

    pub(in crate::driver) fn lock_schema(&mut self) -> Result<()> {
        self.client.limit(None);
        self.script(&format!(
            "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s';
             SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"
        ))
    }

    pub(in crate::driver) fn claim_index(&mut self, index: BitmapIndex) -> Result<bool> {
        let text = format!("SELECT pg_try_advisory_xact_lock({})", lock_of(index));
        let mut is_claimed = false;
        self.query_text(&text, &[], &mut |row| {
            is_claimed = only_column(row)?;
            Ok(())
        })?;
        Ok(is_claimed)
    }

    pub(in crate::driver) fn lock_index(&mut self, index: BitmapIndex) -> Result<()> {
        self.script(&format!("SELECT pg_advisory_xact_lock({})", lock_of(index)))
    }

    fn begin(&mut self, text: &str) -> Result<()> {
        self.client.limit(Some(BEGIN_LIMIT));
        let begun = if self.options.pooled { self.begin_pooled(text) } else { self.script(text) };
        self.restore_limit();
        begun
    }

    /// Begins a transaction with its own limits. The pooler may lead it to another server than the
    /// last one, so that it also asks what the server is.
    fn begin_pooled(&mut self, text: &str) -> Result<()> {
        let (time, lock) = (self.options.time.as_millis(), LOCK_LIMIT.as_millis());
        let idle = IDLE_LIMIT.as_millis();
        let begun = self.client.last_row(&format!(
            "{text}; SET LOCAL statement_timeout = {time}; SET LOCAL lock_timeout = {lock};
             SET LOCAL idle_in_transaction_session_timeout = {idle}; SELECT pg_is_in_recovery()"
        ));
        let row = begun.map_err(|error| self.failure(&error))?;
        let is_standby = row.first().and_then(Option::as_deref) == Some("t");
        if self.options.primary_only && is_standby {
            self.met.refused_write = true;
            self.script("ROLLBACK")?;
            return Err(Error::ReadOnly("the pooler leads to a standby".to_owned()));
        }
        Ok(())
    }

    fn restore_limit(&self) {
        self.client.limit(Some(self.options.time + SLACK));
    }

    fn plan(&mut self, statement: &'static Statement) -> Result<Plan> {
        // A statement is a static, so its address identifies it.
        let key = std::ptr::from_ref(statement).addr();
        if let Some(known) = self.plans.get(&key) {
            return Ok(known.clone());
        }
        let made = self.make_plan(statement.for_postgres())?;
        self.plans.insert(key, made.clone());
        Ok(made)
    }

    fn text_plan(&mut self, text: &str) -> Result<Plan> {
        if let Some(known) = self.text_plans.get(text) {
            return Ok(known.clone());
        }
        let made = self.make_plan(text)?;
        self.text_plans.insert(text.to_owned(), made.clone());
        Ok(made)
    }

    /// Behind a pooler only the types of the parameters are kept: the prepared statement is dropped
    /// here, while the transaction still has its connection.
    fn make_plan(&mut self, text: &str) -> Result<Plan> {
        let made = self.client.prepare(text).map_err(|error| self.failure(&error))?;
        Ok(if self.options.pooled {
            Plan::Parsed(made.params().into())
        } else {
            Plan::Prepared(made)
        })
    }

    fn run(
        &mut self,
        text: &str,
        plan: &Plan,
        params: &[Value<'_>],
        visit: Visit<'_>,
    ) -> Result<u64> {
        let outcome = self.client.query(text, plan, params, visit);
        outcome.map_err(|error| self.failure(&error))?
    }

    fn failure(&mut self, error: &CallError) -> Error {
        let failure = error.classify();
        match failure {
            Error::Retry(_) => self.met.conflict = true,
            Error::Unavailable(_) => self.met.outage = true,
            // A read-only unit that tries to write is refused by every server.
            Error::ReadOnly(_) if self.options.access == Access::Write => {
                self.met.refused_write = true;
            }
            _ => {}
        }
        self.is_over |= error.ends_connection();
        failure
    }
}

const fn lock_of(index: BitmapIndex) -> &'static str {
    match index {
        BitmapIndex::Licenses => LICENSE_INDEX_LOCK,
        BitmapIndex::Log => LOG_INDEX_LOCK,
        BitmapIndex::Records => RECORD_INDEX_LOCK,
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session")
    }
}
