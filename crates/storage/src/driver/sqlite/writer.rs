//! The writer thread. Units that wait together share one commit, hence one sync to disk; each is
//! a savepoint, so that one unit's failure undoes only itself. Answers leave after the commit.

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
    while let Some(mut job) = next {
        let outcome = begun.clone().and_then(|()| run_unit(connection, &mut job));
        ran.push(job);
        outcome?;
        next = if ran.len() < group { incoming.try_recv().ok() } else { None };
    }
    simple(connection, "COMMIT")
}

/// Fails only when the whole group is lost.
fn run_unit(connection: &Connection, job: &mut Job) -> Result<()> {
    simple(connection, "SAVEPOINT unit")?;
    let keep = job.run(&mut Tx::sqlite(connection, None));
    // A full disk, an I/O error or no memory may have rolled the whole transaction back.
    if connection.is_autocommit() {
        return Err(Error::Unavailable("the transaction was rolled back".to_owned()));
    }
    if !keep {
        simple(connection, "ROLLBACK TO unit")?;
    }
    simple(connection, "RELEASE unit")
}
