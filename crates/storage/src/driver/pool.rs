//! Threads that wait for units of work. Which engine they run them on is their own business.

use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, TrySendError};

use super::job::Job;
use super::sqlite::Glances;
use crate::error::{Error, Result};

/// Units that may wait before new ones are turned away.
const QUEUE: usize = 1_024;

/// What an engine opens: who reads, who reads at once, who may read a moment ago, who writes, and who
/// writes beside them.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) reads: Threads,
    pub(super) glances: Option<Glances>,
    pub(super) lagging: Option<Threads>,
    pub(super) writes: Threads,
    pub(super) aside: Option<Threads>,
}

/// Some threads with one queue.
#[derive(Debug)]
pub(super) struct Threads {
    queue: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts a thread for each body; all take their units from the same queue.
    pub(super) fn start<B>(name: &str, bodies: impl IntoIterator<Item = B>) -> Result<Self>
    where
        B: FnOnce(&Receiver<Job>) + Send + 'static,
    {
        let (queue, incoming) = crossbeam_channel::bounded(QUEUE);
        let mut threads = Vec::new();
        for body in bodies {
            let incoming = incoming.clone();
            let thread = std::thread::Builder::new().name(name.to_owned());
            let thread = thread.spawn(move || body(&incoming));
            threads.push(
                thread.map_err(|error| {
                    Error::Unavailable(format!("no thread for {name}: {error}"))
                })?,
            );
        }
        Ok(Self { queue: Some(queue), threads })
    }

    /// Hands a unit over, or says why it cannot be run.
    pub(super) fn send(&self, job: Job) -> Result<()> {
        let refused = match self.queue.as_ref().map(|queue| queue.try_send(job)) {
            Some(Ok(())) => return Ok(()),
            Some(Err(TrySendError::Full(_))) => "too many units of work are waiting",
            Some(Err(TrySendError::Disconnected(_))) | None => "the database is closing",
        };
        Err(Error::Unavailable(refused.to_owned()))
    }
}

impl Drop for Threads {
    /// Lets the threads finish what waits, so that closing loses nothing.
    fn drop(&mut self) {
        self.queue = None;
        // The last handle may be held by work on one of them, which cannot wait for itself.
        let own = std::thread::current().id();
        for thread in self.threads.drain(..).filter(|it| it.thread().id() != own) {
            let _ = thread.join();
        }
    }
}
