//! The writer thread. Units that wait together share one commit, hence one sync to disk. One that fails
//! after it changed something undoes only itself: those before it are run again, and those after it in
//! savepoints. Answers leave after the commit.

use crossbeam_channel::Receiver;
use metrics::histogram;
use rusqlite::Connection;

use super::Identity;
use super::reader::simple;
use crate::driver::Tx;
use crate::driver::job::Job;
use crate::error::{Error, Result};

pub(super) fn run(
    connection: &Connection,
    incoming: &Receiver<Job>,
    group: usize,
    identity: &mut Identity,
) {
    let sizes = histogram!("grantor_sqlite_commit_units");
    while let Ok(first) = incoming.recv() {
        let mut ran = Vec::with_capacity(group);
        let outcome = if identity.is_lost() { identity.check() } else { Ok(()) };
        let outcome = match outcome {
            Ok(()) => run_group(connection, first, incoming, group, &mut ran),
            Err(lost) => {
                first.finish(Err(lost));
                continue;
            }
        };
        // Nobody is told of a commit into a file that is not there any more.
        let outcome = outcome.and_then(|()| identity.check());
        if outcome.is_err() && !connection.is_autocommit() {
            let _ = simple(connection, "ROLLBACK");
        }
        sizes.record(f64::from(u32::try_from(ran.len()).unwrap_or(u32::MAX)));
        for job in ran {
            job.finish(outcome.clone());
        }
    }
    // Leaves a small file behind for whoever copies it while nobody runs.
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
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
            if careful { run_aside(connection, &mut job) } else { run_unit(connection, &mut job) }
        });
        ran.push(job);
        if outcome? == Left::Remains {
            undo_last(connection, ran)?;
            careful = true;
        }
        next = if ran.len() < group { incoming.try_recv().ok() } else { None };
    }
    simple(connection, "COMMIT")
}

/// What a unit left in the transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// What it changed, or nothing where it failed.
    AsItShould,
    /// Changes, though it failed.
    Remains,
}

/// Runs a unit. Fails only when the whole group is lost.
fn run_unit(connection: &Connection, job: &mut Job) -> Result<Left> {
    let before = connection.total_changes();
    let mut tx = Tx::sqlite(connection, None);
    let keep = job.run(&mut tx);
    still_there(connection)?;
    let changed = connection.total_changes() != before || tx.ran_script();
    Ok(if !keep && changed { Left::Remains } else { Left::AsItShould })
}

/// Takes back what the last unit changed before it failed, which seldom happens: the group begins anew
/// with those before it.
fn undo_last(connection: &Connection, ran: &mut [Job]) -> Result<()> {
    simple(connection, "ROLLBACK")?;
    simple(connection, "BEGIN IMMEDIATE")?;
    let before = ran.len().saturating_sub(1);
    for job in ran.iter_mut().take(before).filter(|it| it.has_succeeded()) {
        run_aside(connection, job)?;
    }
    Ok(())
}

/// Runs a unit so that it can be taken back by itself. That has its price: each page it changes is copied
/// before.
fn run_aside(connection: &Connection, job: &mut Job) -> Result<Left> {
    simple(connection, "SAVEPOINT unit")?;
    let keep = job.run(&mut Tx::sqlite(connection, None));
    still_there(connection)?;
    if !keep {
        simple(connection, "ROLLBACK TO unit")?;
    }
    simple(connection, "RELEASE unit")?;
    Ok(Left::AsItShould)
}

/// A full disk, an I/O error or no memory may have rolled the whole transaction back.
fn still_there(connection: &Connection) -> Result<()> {
    if connection.is_autocommit() {
        return Err(Error::Unavailable("the transaction was rolled back".to_owned()));
    }
    Ok(())
}
