//! `SQLite`: reader threads and one writer that commits in groups.

mod catalog;
mod identity;
mod reader;
mod time_limit;
mod writer;

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};

pub(super) use self::catalog::QUERIES;
use self::identity::Identity;
pub(super) use self::reader::InlineReaders;
use self::reader::Reader;
pub(super) use self::time_limit::TimeLimit;
use super::job::Job;
use super::pool::{Pool, Threads};
use super::queue::Receiver;
use super::row::Visit;
use super::{Options, Row, RowOf};
use crate::error::{Error, Result};
use crate::statement::Statement;
use crate::value::Value;

const STATEMENTS: usize = 256;

/// Opens the file, creating it if necessary, and starts its threads.
pub(super) fn open(path: &Path, options: &Options) -> Result<Pool> {
    // The writer comes first: it creates the file and switches it to WAL before any reader opens
    // it.
    create_private(path)?;
    let writer = connect(path, Role::Writer)?;
    let (group, mut identity) = (options.group.max(1), Identity::of(path)?);
    let write =
        move |incoming: &Receiver<Job>| writer::run(&writer, incoming, group, &mut identity);
    let writes = Threads::start("sqlite-writer", options.wait_limit, [write])?;
    let readers = || -> Result<Vec<Reader>> {
        let one = |_| Reader::new(connect(path, Role::Reader)?, options.time_limit);
        (0..options.readers.max(1)).map(one).collect()
    };
    let read = |reader: Reader| move |incoming: &Receiver<Job>| reader.run(incoming);
    let bodies = readers()?.into_iter().map(read);
    let reads = Threads::start("sqlite-reader", options.wait_limit, bodies)?;
    let folder = path.parent().map(Path::to_owned);
    let inline = Some(InlineReaders::new(readers()?));
    let (replica, background, heartbeat) = (None, None, None);
    Ok(Pool { reads, inline, replica, writes, background, heartbeat, folder })
}

/// Free bytes on the disk of this directory.
pub(super) fn free_space(folder: &Path) -> Option<u64> {
    // A bare file name has an empty parent.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Writer,
    Reader,
}

/// Creates the file readable by its owner only; `SQLite` gives its journal the same permissions.
fn create_private(path: &Path) -> Result<()> {
    let made = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    made.map(drop).map_err(|error| Error::Unavailable(format!("{}: {error}", path.display())))
}

fn connect(path: &Path, role: Role) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .map_err(|error| Error::Unavailable(format!("{}: {error}", path.display())))?;
    configure(&connection, role).map_err(|error| match failure(&connection, &error) {
        Error::Fault(text) => Error::Unavailable(format!("{}: {text}", path.display())),
        other => other,
    })?;
    Ok(connection)
}

fn configure(connection: &Connection, role: Role) -> rusqlite::Result<()> {
    // Without this, the planner's statistics cause every execution to prepare the statement again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    rusqlite::vtab::array::load_module(connection)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456; PRAGMA cache_size = -4096;",
    )?;
    if role == Role::Reader {
        connection.execute_batch("PRAGMA query_only = ON;")?;
    }
    Ok(())
}

/// Returns the number of rows.
pub(super) fn query(
    connection: &Connection,
    statement: &'static Statement,
    params: &[Value<'_>],
    visit: Visit<'_>,
) -> Result<u64> {
    let fault = |error| failure(connection, &error);
    let mut prepared = connection.prepare_cached(statement.for_sqlite()).map_err(fault)?;
    let names = statement.columns(|| column_names(&prepared));
    read_rows(&mut prepared, names, params, visit).map_err(fault)?
}

pub(super) fn query_text(
    connection: &Connection,
    text: &str,
    params: &[Value<'_>],
    visit: Visit<'_>,
) -> Result<u64> {
    let fault = |error| failure(connection, &error);
    let mut prepared = connection.prepare_cached(text).map_err(fault)?;
    let names = column_names(&prepared);
    read_rows(&mut prepared, &names, params, visit).map_err(fault)?
}

/// The outer result is the statement's, the inner one the row reader's.
fn read_rows(
    prepared: &mut rusqlite::Statement<'_>,
    names: &[Box<str>],
    params: &[Value<'_>],
    visit: Visit<'_>,
) -> rusqlite::Result<Result<u64>> {
    let mut rows = prepared.query(params_from_iter(params))?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        if let Err(error) = visit(&Row::new(RowOf::Sqlite { row, names })) {
            return Ok(Err(error));
        }
        count += 1;
    }
    Ok(Ok(count))
}

fn column_names(prepared: &rusqlite::Statement<'_>) -> Box<[Box<str>]> {
    prepared.column_names().map(Box::from).collect()
}

pub(super) fn execute(
    connection: &Connection,
    statement: &'static Statement,
    params: &[Value<'_>],
) -> Result<u64> {
    execute_text(connection, statement.for_sqlite(), params)
}

pub(super) fn execute_text(
    connection: &Connection,
    text: &str,
    params: &[Value<'_>],
) -> Result<u64> {
    connection
        .prepare_cached(text)
        .and_then(|mut prepared| prepared.execute(params_from_iter(params)))
        .map(|changed| changed as u64)
        .map_err(|error| failure(connection, &error))
}

pub(super) fn script(connection: &Connection, text: &str) -> Result<()> {
    connection.execute_batch(text).map_err(|error| failure(connection, &error))
}

pub(super) fn prepare(connection: &Connection, text: &str) -> Result<Vec<String>> {
    let prepared = connection.prepare(text).map_err(|error| failure(connection, &error))?;
    Ok(prepared.column_names().map(str::to_owned).collect())
}

/// Converts an engine error.
fn failure(connection: &Connection, error: &rusqlite::Error) -> Error {
    let rusqlite::Error::SqliteFailure(code, message) = error else {
        return Error::Fault(error.to_string());
    };
    let text = message.clone().unwrap_or_else(|| code.to_string());
    match code.code {
        ErrorCode::ConstraintViolation => match text.strip_prefix("UNIQUE constraint failed: ") {
            Some(columns) => Error::Unique(unique_name(connection, columns)),
            None => Error::Constraint(text),
        },
        ErrorCode::DiskFull => Error::Full(text),
        ErrorCode::ReadOnly => Error::ReadOnly(text),
        ErrorCode::OperationInterrupted => Error::Unavailable("the read took too long".to_owned()),
        ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::OutOfMemory => Error::Unavailable(text),
        _ => Error::Fault(text),
    }
}

/// `SQLite` reports the columns, PostgreSQL the constraint; callers expect the constraint's name.
fn unique_name(connection: &Connection, columns: &str) -> String {
    let wanted: Vec<&str> =
        columns.split(", ").map(|it| it.rsplit('.').next().unwrap_or(it)).collect();
    let table = columns.split('.').next().unwrap_or(columns);
    let named = connection
        .prepare_cached(
            "SELECT l.name, l.origin, group_concat(i.name, ',')
             FROM pragma_index_list(?1) l JOIN pragma_index_info(l.name) i
             WHERE l.\"unique\" = 1 GROUP BY l.name, l.origin",
        )
        .and_then(|mut prepared| {
            let rows = prepared.query_map([table], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
    let found = named.into_iter().flatten().find(|(_, _, of)| *of == wanted.join(","));
    match found {
        Some((name, origin, _)) if origin == "c" => name,
        _ => format!("{table}_pkey"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let connection = connect(&folder.path().join("t.sqlite"), Role::Writer).unwrap();
        (folder, connection)
    }

    #[test]
    fn a_cached_statement_is_never_prepared_again() {
        let (_folder, connection) = scratch();
        connection
            .execute_batch(
                "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER) STRICT; CREATE INDEX tb ON t(b);
                 INSERT INTO t SELECT value, value % 7 FROM generate_series(1, 1000); ANALYZE;",
            )
            .or_else(|_| {
                connection.execute_batch(
                    "WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 1000)
                     INSERT INTO t SELECT v, v % 7 FROM n; ANALYZE;",
                )
            })
            .unwrap();
        let mut prepared = connection.prepare_cached("SELECT a FROM t WHERE b > ?1").unwrap();
        for bound in 0..50 {
            prepared.query([bound]).unwrap().next().unwrap();
        }
        assert_eq!(prepared.get_status(rusqlite::StatementStatus::RePrepare), 0);
    }

    #[test]
    fn a_unique_violation_carries_the_constraints_name() {
        let (_folder, connection) = scratch();
        script(
            &connection,
            "CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a)) STRICT, WITHOUT ROWID;
             CREATE UNIQUE INDEX t_b ON t (b); INSERT INTO t VALUES (1, 1);",
        )
        .unwrap();
        let refused = |text: &str| script(&connection, text).unwrap_err();
        assert_eq!(refused("INSERT INTO t VALUES (2, 1)"), Error::Unique("t_b".into()));
        assert_eq!(refused("INSERT INTO t VALUES (1, 2)"), Error::Unique("t_pkey".into()));
    }
}
