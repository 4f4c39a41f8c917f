//! Threads that wait for units of work. Which engine they run them on is their own business.

use std::convert::Infallible;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError};

use super::job::Job;
use super::sqlite::Glances;
use crate::error::{Error, Result};

/// Units that may wait before new ones are turned away.
const QUEUE: usize = 1_024;
/// How long a store waits for its threads when it is closed.
const CLOSE: Duration = Duration::from_secs(4);

/// What an engine opens: who reads, who reads at once, who may read a moment ago, who writes, and who
/// writes beside them.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) reads: Threads,
    pub(super) glances: Option<Glances>,
    pub(super) lagging: Option<Threads>,
    pub(super) writes: Threads,
    pub(super) aside: Option<Threads>,
    /// Where the database is, if it is a file.
    pub(super) folder: Option<PathBuf>,
}

/// Some threads with one queue.
#[derive(Debug)]
pub(super) struct Threads {
    queue: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
    /// Says when the last of them has ended.
    running: Receiver<Infallible>,
}

impl Threads {
    /// Starts a thread for each body; all take their units from the same queue.
    pub(super) fn start<B>(name: &str, bodies: impl IntoIterator<Item = B>) -> Result<Self>
    where
        B: FnOnce(&Receiver<Job>) + Send + 'static,
    {
        let (queue, incoming) = crossbeam_channel::bounded(QUEUE);
        let (runs, running) = crossbeam_channel::bounded(0);
        let mut threads = Vec::new();
        for body in bodies {
            let (incoming, runs) = (incoming.clone(), runs.clone());
            let thread = std::thread::Builder::new().name(name.to_owned());
            let thread = thread.spawn(move || {
                body(&incoming);
                drop(runs);
            });
            threads.push(
                thread.map_err(|error| {
                    Error::Unavailable(format!("no thread for {name}: {error}"))
                })?,
            );
        }
        Ok(Self { queue: Some(queue), workers: threads, running })
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

impl Threads {
    /// Waits until the threads have finished what waits, but no longer than this.
    fn finish(&self, deadline: Instant) -> bool {
        // The last handle may be held by work on one of them, which cannot wait for itself.
        let own = std::thread::current().id();
        self.workers.iter().any(|it| it.thread().id() == own)
            || self.running.recv_deadline(deadline) == Err(RecvTimeoutError::Disconnected)
    }
}

impl Drop for Pool {
    /// Lets the threads finish what waits, so that closing loses nothing. A database that does not
    /// answer is not waited for: nobody was told that its units were done.
    #[expect(clippy::disallowed_methods, reason = "how long a database may take to close")]
    fn drop(&mut self) {
        let threads = [Some(&mut self.reads), Some(&mut self.writes)];
        let others = [self.lagging.as_mut(), self.aside.as_mut()];
        let mut all: Vec<&mut Threads> = threads.into_iter().chain(others).flatten().collect();
        for threads in &mut all {
            threads.queue = None;
        }
        let deadline = Instant::now() + CLOSE;
        let unfinished = all.iter().filter(|it| !it.finish(deadline)).count();
        if unfinished > 0 {
            tracing::warn!("the database does not answer: work that was under way is given up");
        }
    }
}
