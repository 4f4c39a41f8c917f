//! One connection, its prepared statements, and how its errors are classified.

use std::collections::HashMap;
use std::fmt;
use std::io::ErrorKind;

use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, Config, Statement as Prepared};

use crate::bitmap::BitmapIndex;
use crate::driver::{Row, RowOf};
use crate::error::{Error, Result};
use crate::statement::Statement;
use crate::value::Value;

/// A connection with its prepared statements.
pub(in crate::driver) struct Session {
    client: Client,
    prepared: HashMap<usize, Prepared>,
    texts: HashMap<String, Prepared>,
    met_conflict: bool,
    in_snapshot: bool,
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
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            prepared: HashMap::new(),
            texts: HashMap::new(),
            met_conflict: false,
            in_snapshot: false,
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether a statement since the last call conflicted with another transaction; resets the
    /// flag.
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

    /// Makes all further reads see the same snapshot.
    pub(in crate::driver) fn begin_snapshot(&mut self) -> Result<()> {
        if self.in_snapshot {
            return Ok(());
        }
        self.in_snapshot = true;
        self.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    /// Ends the snapshot if there is one.
    pub(super) fn end_snapshot(&mut self) -> Result<()> {
        if std::mem::take(&mut self.in_snapshot) { self.script("COMMIT") } else { Ok(()) }
    }

    pub(in crate::driver) fn lift_time_limit(&mut self) -> Result<()> {
        self.begin_snapshot()?;
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

    pub(in crate::driver) fn claim_index(&mut self, index: BitmapIndex) -> Result<bool> {
        let text = format!("SELECT pg_try_advisory_xact_lock({})", lock_of(index));
        let claimed = self.query_text(&text, &[], &mut |row| row.get::<bool>(0))?;
        Ok(claimed.first().copied().unwrap_or(false))
    }

    pub(in crate::driver) fn lock_index(&mut self, index: BitmapIndex) -> Result<()> {
        self.script(&format!("SELECT pg_advisory_xact_lock({})", lock_of(index)))
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
        // A statement is a static, so its address identifies it.
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

const fn lock_of(index: BitmapIndex) -> &'static str {
    match index {
        BitmapIndex::Licenses => LICENSE_INDEX_LOCK,
        BitmapIndex::Log => LOG_INDEX_LOCK,
        BitmapIndex::Records => RECORD_INDEX_LOCK,
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

/// The server's message if there is one: the client's says only "db error".
pub(super) fn reason(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(refusal) => refusal.message().to_owned(),
        None => std::error::Error::source(error)
            .map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    }
}

/// Whether the server answered. It may be the wrong one, but it is running.
pub(super) fn is_answer(error: &postgres::Error) -> bool {
    // A handshake that failed over a certificate is also an I/O error, but of another kind.
    let is_silence = |source: &(dyn std::error::Error + 'static)| {
        source
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| !matches!(io.kind(), ErrorKind::InvalidData | ErrorKind::Other))
    };
    !error.is_closed() && !std::error::Error::source(error).is_some_and(is_silence)
}

/// Why the connection failed, without the user's name.
pub(super) fn connect_reason(error: &postgres::Error, config: &Config) -> String {
    let Some(refusal) = error.as_db_error() else { return reason(error) };
    match (refusal.code(), config.get_user()) {
        (code, _) if *code == SqlState::INVALID_PASSWORD => "wrong user or password".to_owned(),
        // The server's message would contain the user's name, in the server's language.
        (code, _) if code.code().starts_with("28") => {
            "the server's roles or pg_hba.conf do not allow this user from this host".to_owned()
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

/// Connection, resources, operator intervention, timeouts, and I/O.
fn is_outage(code: &str) -> bool {
    ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class)) || code == "55P03"
}
