//! The file of a `SQLite` store, as others may handle it.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rusqlite::Connection;

/// Holds the write lock of a `SQLite` file until dropped, as a long transaction of another would.
#[must_use]
pub fn hold_writes(file: &Path) -> impl Send + use<> {
    let connection = Connection::open(file).expect("the file opens");
    connection.execute_batch("BEGIN IMMEDIATE").expect("the lock is free");
    connection
}

/// Marks a `SQLite` file as written by a later version, which this one may read and not write: all
/// who have it open find it read-only from then on. With `false` whoever opens it anew may write.
pub fn set_read_only(file: &Path, read_only: bool) {
    let connection = Connection::open(file).expect("the file opens");
    // The journal goes into the file, so that everybody looks there again.
    let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    moved.expect("the journal is emptied");
    // The header's format version for writing: beyond 2 is not known yet.
    let opened = std::fs::OpenOptions::new().write(true).open(file);
    let version = if read_only { 3 } else { 2 };
    opened.and_then(|it| it.write_all_at(&[version], 18)).expect("the header is written");
}

/// What `SQLite` says of the soundness of its file: `ok`, or what is wrong.
#[must_use]
pub fn integrity(path: &Path) -> String {
    let connection = Connection::open(path).expect("the file opens");
    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict")
}
