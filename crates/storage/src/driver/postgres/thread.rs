//! A thread with its own connection, which it reopens when the server went away.

use crossbeam_channel::Receiver;

use super::session::Session;
use super::{Access, Connector};
use crate::driver::Tx;
use crate::driver::job::Job;
use crate::error::{Error, Result};

/// How often a unit may conflict with others before it fails.
const ATTEMPTS: usize = 5;

pub(super) fn run(connector: &Connector, incoming: &Receiver<Job>) {
    // Connects with the first unit, so that threads without work cost the server nothing.
    let mut kept = None;
    while let Ok(mut job) = incoming.recv() {
        let outcome = attempt(connector, &mut kept, &mut job);
        job.finish(outcome);
        // The caller need not wait for a read-only transaction to end.
        let unfit = |session: &mut Session| session.end_snapshot().is_err() || session.is_closed();
        if kept.as_mut().is_some_and(unfit) {
            kept = None;
        }
    }
}

fn attempt(connector: &Connector, kept: &mut Option<Session>, job: &mut Job) -> Result<()> {
    let fresh = kept.is_none();
    let session = open(connector, kept)?;
    let outcome = run_unit(connector.access, session, job);
    // The server may have gone away while this connection was idle. A read can run again, and so
    // can a write that had not started; a started write cannot, because its commit may have
    // arrived.
    let repeatable = connector.access == Access::Read || !job.has_run();
    if session.is_closed() && !fresh && repeatable {
        *kept = None;
        return run_unit(connector.access, open(connector, kept)?, job);
    }
    outcome
}

fn open<'a>(connector: &Connector, kept: &'a mut Option<Session>) -> Result<&'a mut Session> {
    if kept.as_ref().is_none_or(Session::is_closed) {
        *kept = Some(connector.connect()?);
    }
    kept.as_mut().ok_or_else(|| Error::Unavailable("no connection".to_owned()))
}

fn run_unit(access: Access, session: &mut Session, job: &mut Job) -> Result<()> {
    match access {
        Access::Read => read(session, job),
        Access::Write => write(session, job),
    }
}

/// Runs a read-only unit. A replica may cancel it in order to catch up; then it runs again.
fn read(session: &mut Session, job: &mut Job) -> Result<()> {
    for _ in 0..ATTEMPTS {
        session.take_conflict();
        if job.needs_snapshot() {
            session.begin_snapshot()?;
        }
        job.run(&mut Tx::postgres(session));
        if !session.take_conflict() {
            break;
        }
        session.end_snapshot()?;
    }
    Ok(())
}

fn write(session: &mut Session, job: &mut Job) -> Result<()> {
    let mut last = Error::Retry("the unit conflicted with others too often".to_owned());
    for _ in 0..ATTEMPTS {
        session.script("BEGIN")?;
        session.take_conflict();
        let keep = job.run(&mut Tx::postgres(session));
        let conflict = session.take_conflict();
        if !keep {
            session.script("ROLLBACK")?;
            if !conflict {
                return Ok(());
            }
            continue;
        }
        match session.script("COMMIT") {
            Err(error @ Error::Retry(_)) => last = error,
            other => return other,
        }
    }
    Err(last)
}
