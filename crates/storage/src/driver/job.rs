//! Units of work on their way to a thread and their answers on the way back.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::Tx;
use crate::Waiter;
use crate::error::{Error, Result};

/// A unit of work whose answer type is forgotten, so that one queue carries all of them.
pub(super) trait Unit: Send {
    /// Runs it and keeps the answer. True when its changes may stay.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Whether it was run at least once.
    fn has_run(&self) -> bool;
    /// Hands the answer over, or the reason why what it did was lost.
    fn finish(self: Box<Self>, outcome: Result<()>);
}

pub(super) type Job = Box<dyn Unit>;

struct Typed<F, T, E> {
    work: F,
    waiter: Option<Waiter>,
    answer: Option<Result<T, Failure<E>>>,
    reply: oneshot::Sender<Result<T, Failure<E>>>,
}

/// A unit's own error, or the driver's.
pub(super) enum Failure<E> {
    Unit(E),
    Driver(Error),
}

pub(super) type Answer<T, E> = oneshot::Receiver<Result<T, Failure<E>>>;

/// A job and the place where its answer will come. With a waiter, its changes stay only while that
/// one waits.
pub(super) fn unit<T, E, F>(work: F, waiter: Option<Waiter>) -> (Job, Answer<T, E>)
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    (Box::new(Typed { work, waiter, answer: None, reply }), answer)
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
        if self.reply.is_closed() || self.waiter.as_ref().is_some_and(Waiter::has_left) {
            self.answer = Some(Err(Failure::Driver(nobody_waits())));
            return false;
        }
        // A panic in one unit must not take the thread, and with it every later unit.
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(tx)));
        self.answer = Some(match outcome {
            Ok(Ok(_)) if tx.met_refusal() => Err(Failure::Driver(Error::Fault(
                "a unit of work went on after a statement had failed".to_owned(),
            ))),
            Ok(Ok(_)) if self.waiter.as_ref().is_some_and(|it| !it.settle()) => {
                Err(Failure::Driver(nobody_waits()))
            }
            Ok(answer) => answer.map_err(Failure::Unit),
            Err(_) => Err(Failure::Driver(Error::Fault("a unit of work panicked".to_owned()))),
        });
        matches!(self.answer, Some(Ok(_)))
    }

    fn has_run(&self) -> bool {
        self.answer.is_some()
    }

    fn finish(self: Box<Self>, outcome: Result<()>) {
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
