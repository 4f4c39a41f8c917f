//! Units of work on their way to a thread and their answers on the way back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::oneshot;

use super::Tx;
use crate::changes::Changes;
use crate::error::{Error, Result};
use crate::waiter::Waiter;

/// A unit of work whose answer type is forgotten, so that one queue carries all of them.
pub(super) trait Unit: Send {
    /// Runs it and keeps the answer. True when its changes may stay.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Whether all it reads must be of one moment.
    fn holds_snapshot(&self) -> bool;
    /// Whether it was run at least once.
    fn has_run(&self) -> bool;
    /// Whether its last run did what it should.
    fn has_succeeded(&self) -> bool;
    /// Hands the answer over, or the reason why what it did was lost.
    fn finish(self: Box<Self>, outcome: Result<()>);
}

pub(super) type Job = Box<dyn Unit>;

struct Typed<F, T, E> {
    work: F,
    terms: Terms,
    /// Counts the statements of all units.
    meter: Arc<AtomicU64>,
    /// What its last run changed.
    changes: Changes,
    answer: Option<Result<T, Failure<E>>>,
    reply: oneshot::Sender<Result<T, Failure<E>>>,
}

/// What follows once a unit's changes are stored.
pub(super) type After = Box<dyn FnOnce(&Changes) + Send>;

/// How a unit is run.
#[derive(Default)]
pub(super) struct Terms {
    /// Its changes stay only while this one waits.
    pub(super) waiter: Option<Waiter>,
    /// What follows once its changes are stored.
    pub(super) after: Option<After>,
    /// All it reads must be of one moment.
    pub(super) snapshot: bool,
}

impl Terms {
    /// For what is read and fits together.
    pub(super) fn of_one_moment() -> Self {
        Self { snapshot: true, ..Self::default() }
    }
}

/// A unit's own error, or the driver's.
pub(super) enum Failure<E> {
    Unit(E),
    Driver(Error),
}

pub(super) type Answer<T, E> = oneshot::Receiver<Result<T, Failure<E>>>;

/// A job and the place where its answer will come.
pub(super) fn unit<T, E, F>(work: F, terms: Terms, meter: Arc<AtomicU64>) -> (Job, Answer<T, E>)
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let changes = Changes::default();
    (Box::new(Typed { work, terms, meter, changes, answer: None, reply }), answer)
}

/// Waits for a unit's answer.
pub(super) async fn answer<T, E: From<Error>>(answer: Answer<T, E>) -> Result<T, E> {
    match answer.await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(Failure::Unit(error))) => Err(error),
        Ok(Err(Failure::Driver(error))) => Err(error.into()),
        Err(_) => Err(Error::Unavailable("the database is closing".to_owned()).into()),
    }
}

fn nobody_waits() -> Error {
    Error::Unavailable("nobody waits for this unit any more".to_owned())
}

impl<F, T, E> Unit for Typed<F, T, E>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        // One that is run again had begun: it stands, whoever hung up meanwhile.
        let left = || self.terms.waiter.as_ref().is_some_and(Waiter::has_left);
        if !self.has_run() && (self.reply.is_closed() || left()) {
            self.answer = Some(Err(Failure::Driver(nobody_waits())));
            return false;
        }
        // A panic in one unit must not take the thread, and with it every later unit.
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(tx)));
        self.answer = Some(match outcome {
            Ok(Ok(_)) if tx.met_refusal() => Err(Failure::Driver(Error::Fault(
                "a unit of work went on after a statement had failed".to_owned(),
            ))),
            Ok(Ok(_)) if self.terms.waiter.as_ref().is_some_and(|it| !it.settle()) => {
                Err(Failure::Driver(nobody_waits()))
            }
            Ok(answer) => answer.map_err(Failure::Unit),
            Err(_) => Err(Failure::Driver(Error::Fault("a unit of work panicked".to_owned()))),
        });
        self.changes = tx.take_changes();
        self.meter.fetch_add(tx.statements(), Ordering::Relaxed);
        self.has_succeeded()
    }

    fn holds_snapshot(&self) -> bool {
        self.terms.snapshot
    }

    fn has_run(&self) -> bool {
        self.answer.is_some()
    }

    fn has_succeeded(&self) -> bool {
        matches!(self.answer, Some(Ok(_)))
    }

    fn finish(mut self: Box<Self>, outcome: Result<()>) {
        // Also where the commit failed: its answer may be lost and the changes there all the same.
        if self.has_succeeded()
            && let Some(after) = self.terms.after.take()
        {
            after(&self.changes);
        }
        let answer = match (outcome, self.answer) {
            (Ok(()), Some(answer)) => answer,
            // A unit that failed by itself keeps its own error, whatever became of its group.
            (Err(_), Some(Err(failure))) => Err(failure),
            (Err(error), _) => Err(Failure::Driver(error)),
            (Ok(()), None) => Err(Failure::Driver(Error::Fault("a unit did not run".to_owned()))),
        };
        // Nobody listens any more when the caller hung up after the unit had begun: without a
        // waiter the change stands all the same.
        let _ = self.reply.send(answer);
    }
}
