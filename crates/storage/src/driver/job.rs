//! Units of work sent to a thread, and their answers sent back.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::oneshot;

use super::Tx;
use super::wait::Wait;
use crate::changes::Changes;
use crate::error::{Error, Result};
use grantor_domain::id::NodeId;
use grantor_domain::waiter::Waiter;

/// What a unit returns, of any type.
pub(super) type Erased = Box<dyn Any + Send>;

/// The function of a unit. It returns its own value or error.
pub(super) type Work = Box<dyn Fn(&mut Tx<'_>) -> Result<Erased, Erased> + Send>;

/// A unit of work. Its types are erased, so that one queue carries all units, and what runs them is
/// compiled once.
pub(super) struct Job {
    work: Work,
    options: JobOptions,
    wait: Wait,
    process: Arc<Process>,
    /// The changes of the last run.
    changes: Changes,
    answer: Option<Result<Erased, Failure>>,
    reply: oneshot::Sender<Result<Erased, Failure>>,
}

/// What all units of a process share.
#[derive(Debug, Default)]
pub(super) struct Process {
    /// Counts the statements of all units.
    pub(super) statements: AtomicU64,
    /// The node that holds what units claim, once the process has joined the others.
    pub(super) node: OnceLock<NodeId>,
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
pub(super) enum Failure {
    Unit(Erased),
    Driver(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

pub(super) type Answer = oneshot::Receiver<Result<Erased, Failure>>;

/// Erases the types of a unit.
pub(super) fn erased<T, E, F>(work: F) -> Work
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    Box::new(move |tx| match work(tx) {
        Ok(value) => Ok(Box::new(value)),
        Err(error) => Err(Box::new(error)),
    })
}

/// Returns the types to an answer whose unit had these.
pub(super) fn typed<T, E>(answer: Result<Erased, Failure>) -> Result<T, E>
where
    T: 'static,
    E: From<Error> + 'static,
{
    let failure = match answer {
        Ok(value) => match value.downcast() {
            Ok(value) => return Ok(*value),
            Err(_) => Failure::Driver(mistyped()),
        },
        Err(failure) => failure,
    };
    Err(match failure {
        Failure::Unit(error) => error.downcast().map_or_else(|_| mistyped().into(), |it| *it),
        Failure::Driver(error) => error.into(),
    })
}

fn mistyped() -> Error {
    Error::Fault("an answer has the type of another unit".to_owned())
}

/// Returns a job and the channel that will receive its answer.
pub(super) fn unit(
    work: Work,
    options: JobOptions,
    wait: Wait,
    process: Arc<Process>,
) -> (Job, Answer) {
    let (reply, answer) = oneshot::channel();
    let changes = Changes::default();
    (Job { work, options, wait, process, changes, answer: None, reply }, answer)
}

/// Waits for a unit's answer. A unit that no thread takes in time never starts.
pub(super) async fn answer(mut answer: Answer, wait: &Wait) -> Result<Erased, Failure> {
    let in_time = tokio::time::timeout(wait.limit(), &mut answer).await;
    let answered = match in_time {
        Ok(answered) => answered,
        Err(_) if wait.give_up() => {
            let why = "the unit waited too long for a connection";
            return Err(Error::Unavailable(why.to_owned()).into());
        }
        Err(_) => answer.await,
    };
    answered
        .unwrap_or_else(|_| Err(Error::Unavailable("the database is closing".to_owned()).into()))
}

fn caller_gone() -> Error {
    Error::Unavailable("the caller is gone".to_owned())
}

impl Job {
    /// Runs the unit and keeps its answer. Returns whether its changes should be committed.
    pub(super) fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        // A unit that runs again had already started, so it counts even if its caller hung up
        // meanwhile.
        let left = || self.options.waiter.as_ref().is_some_and(Waiter::has_left);
        if !self.has_run() && (self.reply.is_closed() || left() || !self.wait.start()) {
            self.answer = Some(Err(Failure::Driver(caller_gone())));
            return false;
        }
        tx.set_node(self.process.node.get().copied());
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
        self.process.statements.fetch_add(tx.statements(), Ordering::Relaxed);
        self.has_succeeded()
    }

    /// Whether all its reads must see the same snapshot.
    pub(super) fn needs_snapshot(&self) -> bool {
        self.options.snapshot
    }

    /// Whether the unit ran at least once.
    pub(super) fn has_run(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether its last run succeeded.
    pub(super) fn has_succeeded(&self) -> bool {
        matches!(self.answer, Some(Ok(_)))
    }

    /// Sends the answer, or the error because of which its changes were lost.
    pub(super) fn finish(mut self, outcome: Result<()>) {
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
