//! A reader thread: one unit at a time, each in a snapshot of its own.

use crossbeam_channel::Receiver;
use rusqlite::Connection;

use super::failure;
use crate::driver::Tx;
use crate::driver::job::Job;
use crate::error::Result;

pub(super) fn run(connection: &Connection, incoming: &Receiver<Job>) {
    while let Ok(mut job) = incoming.recv() {
        let outcome = begin(connection).map(|()| {
            job.run(&mut Tx::sqlite(connection));
        });
        // Nothing was changed: rolling back only closes the snapshot, also after a panic.
        if !connection.is_autocommit() {
            let _ = simple(connection, "ROLLBACK");
        }
        job.finish(outcome);
    }
}

fn begin(connection: &Connection) -> Result<()> {
    simple(connection, "BEGIN DEFERRED")
}

/// Runs one of the few statements that frame a unit.
pub(super) fn simple(connection: &Connection, text: &str) -> Result<()> {
    connection
        .prepare_cached(text)
        .and_then(|mut prepared| prepared.execute([]))
        .map(drop)
        .map_err(|error| failure(connection, &error))
}
