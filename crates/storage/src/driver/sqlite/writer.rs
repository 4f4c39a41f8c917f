//! The writer thread. Units that wait together share one commit and thus one sync to disk. If a
//! unit fails after it changed something, only that unit is undone: the units before it run again,
//! and those after it run in savepoints. Answers are sent after the commit.

use metrics::histogram;
use rusqlite::Connection;

use super::Identity;
use super::reader::simple;
use crate::driver::Tx;
use crate::driver::job::Job;
use crate::driver::queue::Receiver;
use crate::error::{Error, Result};

pub(super) fn run(
    connection: &Connection,
    incoming: &Receiver<Job>,
    group: usize,
    identity: &mut Identity,
) {
    let sizes = histogram!("grantor_sqlite_commit_units");
    while let Some(first) = incoming.recv() {
        let mut ran = Vec::with_capacity(group);
        let outcome = if identity.is_lost() { identity.check() } else { Ok(()) };
        let outcome = match outcome {
            Ok(()) => run_group(connection, first, incoming, group, &mut ran),
            Err(lost) => {
                first.finish(Err(lost));
                continue;
            }
        };
        // A commit into a deleted or replaced file must not be reported as success.
        let outcome = outcome.and_then(|()| identity.check());
        if outcome.is_err() && !connection.is_autocommit() {
            let _ = simple(connection, "ROLLBACK");
        }
        sizes.record(f64::from(u32::try_from(ran.len()).unwrap_or(u32::MAX)));
        for job in ran {
            job.finish(outcome.clone());
        }
    }
    // Leaves a small file for copies made while the server is stopped. Does not wait for others:
    // a program that copies the database continuously keeps the log.
    let _ = connection.execute_batch("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
}

fn run_group(
    connection: &Connection,
    first: Job,
    incoming: &Receiver<Job>,
    group: usize,
    ran: &mut Vec<Job>,
) -> Result<()> {
    let begun = simple(connection, "BEGIN IMMEDIATE");
    let mut next = Some(first);
    let mut careful = false;
    while let Some(mut job) = next {
        let outcome = begun.clone().and_then(|()| {
            if careful {
                run_in_savepoint(connection, &mut job)
            } else {
                run_unit(connection, &mut job)
            }
        });
        ran.push(job);
        if outcome? == Leftover::Changes {
            undo_last(connection, ran)?;
            careful = true;
        }
        next = if ran.len() < group { incoming.try_recv() } else { None };
    }
    simple(connection, "COMMIT")
}

/// What a unit left in the transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leftover {
    /// The changes of a successful unit, or nothing.
    None,
    /// The changes of a failed unit.
    Changes,
}

/// Runs a unit. Returns an error only if the whole group is lost.
fn run_unit(connection: &Connection, job: &mut Job) -> Result<Leftover> {
    let before = connection.total_changes();
    let mut tx = Tx::sqlite(connection, None);
    let keep = job.run(&mut tx);
    ensure_in_transaction(connection)?;
    let changed = connection.total_changes() != before || tx.ran_script();
    Ok(if !keep && changed { Leftover::Changes } else { Leftover::None })
}

/// Undoes the changes of the failed last unit, which is rare: rolls back and runs the units before
/// it again.
fn undo_last(connection: &Connection, ran: &mut [Job]) -> Result<()> {
    simple(connection, "ROLLBACK")?;
    simple(connection, "BEGIN IMMEDIATE")?;
    let before = ran.len().saturating_sub(1);
    for job in ran.iter_mut().take(before).filter(|it| it.has_succeeded()) {
        run_in_savepoint(connection, job)?;
    }
    Ok(())
}

/// Runs a unit in a savepoint, so that it can be undone separately. This copies each page before
/// changing it, so it is not the default.
fn run_in_savepoint(connection: &Connection, job: &mut Job) -> Result<Leftover> {
    simple(connection, "SAVEPOINT unit")?;
    let keep = job.run(&mut Tx::sqlite(connection, None));
    ensure_in_transaction(connection)?;
    if !keep {
        simple(connection, "ROLLBACK TO unit")?;
    }
    simple(connection, "RELEASE unit")?;
    Ok(Leftover::None)
}

/// A full disk, an I/O error or a lack of memory may have rolled back the whole transaction.
fn ensure_in_transaction(connection: &Connection) -> Result<()> {
    if connection.is_autocommit() {
        return Err(Error::Unavailable("the transaction was rolled back".to_owned()));
    }
    Ok(())
}
