//! Units of work sent to a thread, and their answers sent back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::oneshot;

use super::Tx;
use crate::changes::Changes;
use crate::error::{Error, Result};
use grantor_domain::waiter::Waiter;

/// A unit of work with its answer type erased, so that one queue carries all units.
pub(super) trait Unit: Send {
    /// Runs the unit and keeps its answer. Returns whether its changes should be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Whether all its reads must see the same snapshot.
    fn needs_snapshot(&self) -> bool;
    /// Whether the unit ran at least once.
    fn has_run(&self) -> bool;
    /// Whether its last run succeeded.
    fn has_succeeded(&self) -> bool;
    /// Sends the answer, or the error because of which its changes were lost.
    fn finish(self: Box<Self>, outcome: Result<()>);
}

pub(super) type Job = Box<dyn Unit>;

struct Typed<F, T, E> {
    work: F,
    options: JobOptions,
    /// Counts the statements of all units.
    meter: Arc<AtomicU64>,
    /// The changes of the last run.
    changes: Changes,
    answer: Option<Result<T, Failure<E>>>,
    reply: oneshot::Sender<Result<T, Failure<E>>>,
}

/// A callback that runs once a unit's changes are stored.
pub(super) type After = Box<dyn FnOnce(&Changes) + Send>;

/// How a unit runs.
#[derive(Default)]
pub(super) struct JobOptions {
    /// Discards the changes if this caller is gone.
    pub(super) waiter: Option<Waiter>,
    /// Runs once the changes are stored.
    pub(super) after: Option<After>,
    /// Makes all reads see the same snapshot.
    pub(super) snapshot: bool,
}

impl JobOptions {
    /// Options for reads that must be consistent with each other.
    pub(super) fn snapshot() -> Self {
        Self { snapshot: true, ..Self::default() }
    }
}

/// The unit's own error, or the driver's.
pub(super) enum Failure<E> {
    Unit(E),
    Driver(Error),
}

pub(super) type Answer<T, E> = oneshot::Receiver<Result<T, Failure<E>>>;

/// Returns a job and the channel that will receive its answer.
pub(super) fn unit<T, E, F>(
    work: F,
    options: JobOptions,
    meter: Arc<AtomicU64>,
) -> (Job, Answer<T, E>)
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let changes = Changes::default();
    (Box::new(Typed { work, options, meter, changes, answer: None, reply }), answer)
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

fn caller_gone() -> Error {
    Error::Unavailable("the caller is gone".to_owned())
}

impl<F, T, E> Unit for Typed<F, T, E>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        // A unit that runs again had already started, so it counts even if its caller hung up
        // meanwhile.
        let left = || self.options.waiter.as_ref().is_some_and(Waiter::has_left);
        if !self.has_run() && (self.reply.is_closed() || left()) {
            self.answer = Some(Err(Failure::Driver(caller_gone())));
            return false;
        }
        // A panic in one unit must not kill the thread, and with it every later unit.
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(tx)));
        self.answer = Some(match outcome {
            Ok(Ok(_)) if tx.has_failed() => Err(Failure::Driver(Error::Fault(
                "a unit of work continued after a failed statement".to_owned(),
            ))),
            Ok(Ok(_)) if self.options.waiter.as_ref().is_some_and(|it| !it.settle()) => {
                Err(Failure::Driver(caller_gone()))
            }
            Ok(answer) => answer.map_err(Failure::Unit),
            Err(_) => Err(Failure::Driver(Error::Fault("a unit of work panicked".to_owned()))),
        });
        self.changes = tx.take_changes();
        self.meter.fetch_add(tx.statements(), Ordering::Relaxed);
        self.has_succeeded()
    }

    fn needs_snapshot(&self) -> bool {
        self.options.snapshot
    }

    fn has_run(&self) -> bool {
        self.answer.is_some()
    }

    fn has_succeeded(&self) -> bool {
        matches!(self.answer, Some(Ok(_)))
    }

    fn finish(mut self: Box<Self>, outcome: Result<()>) {
        // Also if the commit failed: the changes may be stored although the confirmation was lost.
        if self.has_succeeded()
            && let Some(after) = self.options.after.take()
        {
            after(&self.changes);
        }
        let answer = match (outcome, self.answer) {
            (Ok(()), Some(answer)) => answer,
            // A unit that failed by itself keeps its own error, whatever happened to its group.
            (Err(_), Some(Err(failure))) => Err(failure),
            (Err(error), _) => Err(Failure::Driver(error)),
            (Ok(()), None) => Err(Failure::Driver(Error::Fault("a unit did not run".to_owned()))),
        };
        // Sending fails if the caller hung up after the unit started; without a waiter the change
        // is kept anyway.
        let _ = self.reply.send(answer);
    }
}
