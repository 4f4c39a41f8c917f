//! Direct access to the file of a `SQLite` store.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rusqlite::Connection;

/// Holds the write lock of a `SQLite` file until dropped, as another process's long transaction
/// would.
#[must_use]
pub fn hold_writes(file: &Path) -> impl Send + use<> {
    let connection = Connection::open(file).expect("the file opens");
    connection.execute_batch("BEGIN IMMEDIATE").expect("the lock is free");
    connection
}

/// Marks a `SQLite` file as written by a later version, which makes it read-only for all open
/// connections. With `false`, new connections may write again.
pub fn set_read_only(file: &Path, read_only: bool) {
    let connection = Connection::open(file).expect("the file opens");
    // Moves the journal into the file, so that all connections read the header again.
    let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    moved.expect("the journal is emptied");
    // The header's write format version: values over 2 are unknown.
    let opened = std::fs::OpenOptions::new().write(true).open(file);
    let version = if read_only { 3 } else { 2 };
    opened.and_then(|it| it.write_all_at(&[version], 18)).expect("the header is written");
}

/// The result of `SQLite`'s integrity check: `ok`, or what is wrong.
#[must_use]
pub fn integrity(path: &Path) -> String {
    let connection = Connection::open(path).expect("the file opens");
    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict")
}
