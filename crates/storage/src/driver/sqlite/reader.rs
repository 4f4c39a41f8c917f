//! Reader connections: each runs one unit at a time, in a snapshot.

use std::sync::{Mutex, MutexGuard, PoisonError};

use std::time::Duration;

use rusqlite::Connection;

use super::{TimeLimit, failure};
use crate::driver::Tx;
use crate::driver::job::Job;
use crate::driver::queue::Receiver;

/// A read-only connection with a time limit for each unit.
#[derive(Debug)]
pub(super) struct Reader {
    connection: Connection,
    time_limit: TimeLimit,
}

impl Reader {
    pub(super) fn new(mut connection: Connection, time: Duration) -> crate::Result<Self> {
        let time_limit = TimeLimit::on(&mut connection, time)?;
        Ok(Self { connection, time_limit })
    }

    /// Runs units until the queue closes.
    pub(super) fn run(&self, incoming: &Receiver<Job>) {
        while let Some(job) = incoming.recv() {
            self.serve(job);
        }
    }

    fn serve(&self, mut job: Job) {
        let connection = &self.connection;
        self.time_limit.begin();
        let outcome = begin(connection).map(|()| {
            job.run(&mut Tx::sqlite(connection, Some(&self.time_limit)));
        });
        self.time_limit.lift();
        // Nothing was changed, so the rollback only closes the snapshot, also after a panic.
        if !connection.is_autocommit() {
            let _ = simple(connection, "ROLLBACK");
        }
        job.finish(outcome);
    }
}

/// Connections for units that run on the caller's thread.
#[derive(Debug)]
pub(in crate::driver) struct InlineReaders(Mutex<Vec<Reader>>);

impl InlineReaders {
    pub(super) fn new(readers: Vec<Reader>) -> Self {
        Self(Mutex::new(readers))
    }

    /// Runs a unit on the caller's thread, or returns it if no connection is free.
    pub(in crate::driver) fn run(&self, job: Job) -> Option<Job> {
        let Some(reader) = self.lock().pop() else { return Some(job) };
        reader.serve(job);
        self.lock().push(reader);
        None
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn begin(connection: &Connection) -> crate::Result<()> {
    simple(connection, "BEGIN DEFERRED")
}

/// Runs a transaction statement such as BEGIN or ROLLBACK.
pub(super) fn simple(connection: &Connection, text: &str) -> crate::Result<()> {
    connection
        .prepare_cached(text)
        .and_then(|mut prepared| prepared.execute([]))
        .map(drop)
        .map_err(|error| failure(connection, &error))
}
