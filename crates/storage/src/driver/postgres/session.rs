//! One connection, its prepared statements, and what its refusals mean.

use std::collections::HashMap;
use std::fmt;
use std::io::ErrorKind;

use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, Config, Statement as Prepared};

use crate::bits::Shelf;
use crate::driver::{Row, RowOf};
use crate::error::{Error, Result};
use crate::statement::Statement;
use crate::value::Value;

/// A connection that remembers what it prepared.
pub(in crate::driver) struct Session {
    client: Client,
    prepared: HashMap<usize, Prepared>,
    texts: HashMap<String, Prepared>,
    met_conflict: bool,
    holds_still: bool,
}

/// Names the lock that keeps two nodes from migrating at once; any fixed number would do.
const SCHEMA_LOCK: &str = "7310604187";
/// Held by whoever writes the sets of licenses.
const LICENSE_SETS_LOCK: &str = "7310604188";
/// Held by whoever writes the sets of the log.
const LOG_SETS_LOCK: &str = "7310604189";

impl Session {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            prepared: HashMap::new(),
            texts: HashMap::new(),
            met_conflict: false,
            holds_still: false,
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether a statement since the last call met another transaction; forgets it.
    pub(super) fn take_conflict(&mut self) -> bool {
        std::mem::take(&mut self.met_conflict)
    }

    pub(in crate::driver) fn query<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
        map: &mut dyn FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let prepared = self.prepared(statement)?;
        self.run(&prepared, params, map)
    }

    pub(in crate::driver) fn query_text<T>(
        &mut self,
        text: &str,
        params: &[Value<'_>],
        map: &mut dyn FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let prepared = self.prepared_text(text)?;
        self.run(&prepared, params, map)
    }

    pub(in crate::driver) fn execute_text(
        &mut self,
        text: &str,
        params: &[Value<'_>],
    ) -> Result<u64> {
        let prepared = self.prepared_text(text)?;
        let params: Vec<_> = params.iter().map(|it| it as &(dyn ToSql + Sync)).collect();
        self.client.execute(&prepared, &params).map_err(|error| self.failure(&error))
    }

    /// Makes all that is read from here on be of one moment.
    pub(in crate::driver) fn hold_still(&mut self) -> Result<()> {
        if self.holds_still {
            return Ok(());
        }
        self.holds_still = true;
        self.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    /// Ends what [`Self::hold_still`] began, if it did.
    pub(super) fn let_go(&mut self) -> Result<()> {
        if std::mem::take(&mut self.holds_still) { self.script("COMMIT") } else { Ok(()) }
    }

    pub(in crate::driver) fn take_time(&mut self) -> Result<()> {
        self.hold_still()?;
        self.script(
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
        )
    }

    pub(in crate::driver) fn lock_schema(&mut self) -> Result<()> {
        self.script(&format!(
            "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s';
             SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"
        ))
    }

    pub(in crate::driver) fn claim_sets(&mut self, shelf: Shelf) -> Result<bool> {
        let text = format!("SELECT pg_try_advisory_xact_lock({})", lock_of(shelf));
        let claimed = self.query_text(&text, &[], &mut |row| row.get::<bool>(0))?;
        Ok(claimed.first().copied().unwrap_or(false))
    }

    pub(in crate::driver) fn lock_sets(&mut self, shelf: Shelf) -> Result<()> {
        self.script(&format!("SELECT pg_advisory_xact_lock({})", lock_of(shelf)))
    }

    pub(in crate::driver) fn execute(
        &mut self,
        statement: &'static Statement,
        params: &[Value<'_>],
    ) -> Result<u64> {
        let prepared = self.prepared(statement)?;
        let params: Vec<_> = params.iter().map(|it| it as &(dyn ToSql + Sync)).collect();
        self.client.execute(&prepared, &params).map_err(|error| self.failure(&error))
    }

    pub(in crate::driver) fn script(&mut self, text: &str) -> Result<()> {
        self.client.batch_execute(text).map_err(|error| self.failure(&error))
    }

    pub(in crate::driver) fn prepare(&mut self, text: &str) -> Result<()> {
        self.client.prepare(text).map(drop).map_err(|error| self.failure(&error))
    }

    fn prepared(&mut self, statement: &'static Statement) -> Result<Prepared> {
        // A statement is a static: its address is its name.
        let key = std::ptr::from_ref(statement).addr();
        if let Some(known) = self.prepared.get(&key) {
            return Ok(known.clone());
        }
        let made =
            self.client.prepare(statement.for_postgres()).map_err(|error| self.failure(&error))?;
        self.prepared.insert(key, made.clone());
        Ok(made)
    }

    fn prepared_text(&mut self, text: &str) -> Result<Prepared> {
        if let Some(known) = self.texts.get(text) {
            return Ok(known.clone());
        }
        let made = self.client.prepare(text).map_err(|error| self.failure(&error))?;
        self.texts.insert(text.to_owned(), made.clone());
        Ok(made)
    }

    fn run<T>(
        &mut self,
        prepared: &Prepared,
        params: &[Value<'_>],
        map: &mut dyn FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let outcome = collect(&mut self.client, prepared, params, map);
        outcome.map_err(|error| self.failure(&error))?
    }

    fn failure(&mut self, error: &postgres::Error) -> Error {
        let failure = classify(error);
        self.met_conflict |= matches!(failure, Error::Retry(_));
        failure
    }
}

const fn lock_of(shelf: Shelf) -> &'static str {
    match shelf {
        Shelf::Licenses => LICENSE_SETS_LOCK,
        Shelf::Log => LOG_SETS_LOCK,
    }
}

/// The outer result is the connection's, the inner one the row reader's.
fn collect<T>(
    client: &mut Client,
    prepared: &Prepared,
    params: &[Value<'_>],
    map: &mut dyn FnMut(&Row<'_>) -> Result<T>,
) -> Result<Result<Vec<T>>, postgres::Error> {
    let mut rows = client.query_raw(prepared, params.iter().copied())?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        match map(&Row(RowOf::Postgres(&row))) {
            Ok(value) => found.push(value),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(found))
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session")
    }
}

/// The server's own sentence where there is one: the client's says only "db error".
pub(super) fn reason(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(refusal) => refusal.message().to_owned(),
        None => std::error::Error::source(error)
            .map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    }
}

/// Whether a server was there to say no: it may be the wrong one, but it need not be started.
pub(super) fn is_answer(error: &postgres::Error) -> bool {
    // A handshake that failed over a certificate comes as an I/O error too, of another kind.
    let is_silence = |source: &(dyn std::error::Error + 'static)| {
        source
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| !matches!(io.kind(), ErrorKind::InvalidData | ErrorKind::Other))
    };
    !error.is_closed() && !std::error::Error::source(error).is_some_and(is_silence)
}

/// Why a connection was not made, without the name of the user.
pub(super) fn connect_reason(error: &postgres::Error, config: &Config) -> String {
    let Some(refusal) = error.as_db_error() else { return reason(error) };
    match (refusal.code(), config.get_user()) {
        (code, _) if *code == SqlState::INVALID_PASSWORD => {
            "the user or the password is wrong".to_owned()
        }
        // The server's sentence would name the user, in whatever language it speaks.
        (code, _) if code.code().starts_with("28") => {
            "its roles or its pg_hba.conf do not let this user in from here".to_owned()
        }
        (_, Some(user)) if config.get_dbname() != Some(user) => {
            refusal.message().replace(&format!("\"{user}\""), "of this user")
        }
        _ => refusal.message().to_owned(),
    }
}

fn classify(error: &postgres::Error) -> Error {
    let Some(refusal) = error.as_db_error() else {
        return if error.is_closed() || std::error::Error::source(error).is_some_and(is_io) {
            Error::Unavailable(reason(error))
        } else {
            Error::Fault(reason(error))
        };
    };
    let code = refusal.code();
    let text = refusal.message().to_owned();
    if *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED {
        Error::Retry(text)
    } else if *code == SqlState::UNIQUE_VIOLATION {
        Error::Unique(refusal.constraint().unwrap_or_default().to_owned())
    } else if code.code().starts_with("23") {
        Error::Constraint(text)
    } else if *code == SqlState::DISK_FULL {
        Error::Full(text)
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        Error::ReadOnly(text)
    } else if is_outage(code.code()) {
        Error::Unavailable(text)
    } else {
        Error::Fault(format!("{text} ({})", code.code()))
    }
}

fn is_io(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<std::io::Error>()
}

/// Connection, resources, operator intervention, time limits, and I/O.
fn is_outage(code: &str) -> bool {
    ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class)) || code == "55P03"
}
