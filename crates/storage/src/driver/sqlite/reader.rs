//! Reading: one unit at a time on each connection, each in a snapshot of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam_channel::Receiver;
use rusqlite::Connection;

use super::failure;
use crate::driver::Tx;
use crate::driver::job::Job;

/// A thread that reads.
pub(super) fn run(connection: &Connection, incoming: &Receiver<Job>) {
    while let Ok(job) = incoming.recv() {
        serve(connection, job);
    }
}

fn serve(connection: &Connection, mut job: Job) {
    let outcome = begin(connection).map(|()| {
        job.run(&mut Tx::sqlite(connection));
    });
    // Nothing was changed: rolling back only closes the snapshot, also after a panic.
    if !connection.is_autocommit() {
        let _ = simple(connection, "ROLLBACK");
    }
    job.finish(outcome);
}

/// Connections for units that are over sooner than another thread would wake up.
#[derive(Debug)]
pub(in crate::driver) struct Glances(Mutex<Vec<Connection>>);

impl Glances {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self(Mutex::new(connections))
    }

    /// Runs a unit in the caller's own thread; gives it back where no connection is free.
    pub(in crate::driver) fn run(&self, job: Job) -> Result<(), Job> {
        let Some(connection) = self.lock().pop() else { return Err(job) };
        serve(&connection, job);
        self.lock().push(connection);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn begin(connection: &Connection) -> crate::Result<()> {
    simple(connection, "BEGIN DEFERRED")
}

/// Runs one of the few statements that frame a unit.
pub(super) fn simple(connection: &Connection, text: &str) -> crate::Result<()> {
    connection
        .prepare_cached(text)
        .and_then(|mut prepared| prepared.execute([]))
        .map(drop)
        .map_err(|error| failure(connection, &error))
}
