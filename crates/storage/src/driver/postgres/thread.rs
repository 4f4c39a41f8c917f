//! A thread with its own connection, which it reopens when the server went away or is the wrong
//! one.

use super::connector::{Access, Connector};
use super::replica::Fallback;
use super::session::Session;
use crate::driver::Tx;
use crate::driver::job::Job;
use crate::driver::queue::Receiver;
use crate::error::{Error, Result};

/// How often a unit may conflict with others before it fails.
const ATTEMPTS: usize = 5;

/// Runs units until the queue closes. Those that a replica cannot run go to its fallback.
pub(super) fn run(connector: &Connector, incoming: &Receiver<Job>, fallback: Option<&Fallback>) {
    // Connects with the first unit, so that threads without work cost the server nothing.
    let mut kept = None;
    while let Some(mut job) = incoming.recv() {
        kept = kept.or_else(|| connector.take_spare());
        if let Some(fallback) = fallback
            && !fallback.is_replica_fresh()
        {
            fallback.take(job);
            continue;
        }
        match fallback {
            None => {
                let outcome = attempt_twice(connector, &mut kept, &mut job);
                job.finish(outcome);
            }
            Some(fallback) => match attempt(connector, &mut kept, &mut job) {
                Err(_) => fallback.take(job),
                done => job.finish(done),
            },
        }
        // The caller need not wait for a read-only transaction to end.
        let unfit = |session: &mut Session| session.end_snapshot().is_err() || session.is_closed();
        if kept.as_mut().is_some_and(unfit) {
            kept = None;
        }
    }
    if let Some(session) = kept.or_else(|| connector.take_spare()) {
        session.close();
    }
}

/// Runs a unit once.
fn attempt(connector: &Connector, kept: &mut Option<Session>, job: &mut Job) -> Result<()> {
    let session = open(connector, kept)?;
    let outcome = run_unit(session, job);
    settled(session, job, outcome)
}

/// Runs a unit, and once more on a new connection if the first one was lost or leads to the wrong
/// server.
fn attempt_twice(connector: &Connector, kept: &mut Option<Session>, job: &mut Job) -> Result<()> {
    let is_new = !kept.as_ref().is_some_and(|it| fits(connector, it));
    let outcome = attempt(connector, kept, job);
    let Some(session) = kept else { return outcome };
    if session.was_refused() {
        connector.leave(session.server());
    } else if !can_repeat(session, is_new, job) {
        return outcome;
    }
    *kept = None;
    attempt(connector, kept, job)
}

fn fits(connector: &Connector, session: &Session) -> bool {
    !session.is_closed() && connector.is_current(session)
}

/// Whether a unit whose connection was lost can run again. The server may have gone away while the
/// connection was idle. A read can run again, and so can a write that had not started; a started
/// write cannot, because its commit may have arrived. Nobody waits twice for a server that stands
/// still.
fn can_repeat(session: &Session, is_new: bool, job: &Job) -> bool {
    let harmless = session.access() == Access::Read && !session.is_silent();
    session.is_closed() && !is_new && (harmless || !job.has_run())
}

/// The outcome, which is an error if the unit failed because of the server.
fn settled(session: &Session, job: &Job, outcome: Result<()>) -> Result<()> {
    if outcome.is_ok() && !job.has_succeeded() && session.met_outage() {
        return Err(Error::Unavailable("the server could not run the unit".to_owned()));
    }
    outcome
}

fn open<'a>(connector: &Connector, kept: &'a mut Option<Session>) -> Result<&'a mut Session> {
    if !kept.as_ref().is_some_and(|it| fits(connector, it)) {
        *kept = None;
        *kept = Some(connector.connect()?);
    }
    kept.as_mut().ok_or_else(|| Error::Unavailable("no connection".to_owned()))
}

fn run_unit(session: &mut Session, job: &mut Job) -> Result<()> {
    session.begin_unit();
    match session.access() {
        Access::Read => read(session, job),
        Access::Write => write(session, job),
    }
}

/// Runs a read-only unit. A replica may cancel it in order to catch up; then it runs again.
fn read(session: &mut Session, job: &mut Job) -> Result<()> {
    for _ in 0..ATTEMPTS {
        if job.needs_snapshot() || session.is_pooled() {
            session.begin_snapshot()?;
        }
        job.run(&mut Tx::postgres(session));
        if !session.take_conflict() {
            return Ok(());
        }
        session.end_snapshot()?;
    }
    Err(Error::Retry("the replica canceled the unit too often".to_owned()))
}

fn write(session: &mut Session, job: &mut Job) -> Result<()> {
    let mut last = Error::Retry("the unit conflicted with others too often".to_owned());
    for _ in 0..ATTEMPTS {
        session.begin_write()?;
        session.take_conflict();
        let keep = job.run(&mut Tx::postgres(session));
        if !keep {
            // The unit has its error. Only a conflict of what it had sent matters.
            let _ = session.settle();
            let conflict = session.take_conflict();
            session.script("ROLLBACK")?;
            if !conflict {
                return Ok(());
            }
            continue;
        }
        session.take_conflict();
        match session.script("COMMIT") {
            Err(error @ Error::Retry(_)) => last = error,
            other => return other,
        }
    }
    Err(last)
}
