//! Threads that run units of work, for either engine.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use metrics::{Counter, Histogram, counter, histogram};

use super::freshness::Freshness;
use super::job::Job;
use super::queue::{Receiver, Sender, queue};
use super::sqlite::InlineReaders;
use super::wait::{Wait, now};
use crate::error::{Error, Result};

/// How long closing a store waits for its threads.
const CLOSE: Duration = Duration::from_secs(4);

/// The threads and connections that an engine opens.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) reads: Threads,
    pub(super) inline: Option<InlineReaders>,
    pub(super) replica: Option<Replica>,
    pub(super) writes: Threads,
    pub(super) background: Option<Threads>,
    pub(super) heartbeat: Option<Threads>,
    /// The database's directory, if it is a file.
    pub(super) folder: Option<PathBuf>,
}

/// The threads of a replica.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) threads: Threads,
    /// One thread that compares the replica with the primary.
    pub(super) monitor: Threads,
    /// Whether the replica may be read.
    pub(super) freshness: Arc<Freshness>,
}

/// Threads that share one queue.
#[derive(Debug)]
pub(super) struct Threads {
    queue: Option<Sender<Job>>,
    /// How long a unit may wait for one of them.
    wait_limit: Duration,
    waits: Histogram,
    timeouts: Counter,
    workers: Vec<JoinHandle<()>>,
    /// Disconnects when the last thread has ended.
    running: crossbeam_channel::Receiver<Infallible>,
}

impl Threads {
    /// Starts a thread for each body; all take their units from the same queue.
    pub(super) fn start<B>(
        name: &'static str,
        wait_limit: Duration,
        bodies: impl IntoIterator<Item = B>,
    ) -> Result<Self>
    where
        B: FnOnce(&Receiver<Job>) + Send + 'static,
    {
        let (queue, incoming) = queue();
        let (runs, running) = crossbeam_channel::bounded(0);
        let mut threads = Vec::new();
        for body in bodies {
            let (incoming, runs) = (incoming.clone(), runs.clone());
            let thread = std::thread::Builder::new().name(name.to_owned());
            let thread = thread.spawn(move || {
                body(&incoming);
                drop(runs);
            });
            threads.push(thread.map_err(|error| {
                Error::Unavailable(format!("cannot start thread {name}: {error}"))
            })?);
        }
        let waits = histogram!("grantor_database_wait_seconds", "pool" => name);
        let timeouts = counter!("grantor_database_wait_timeouts_total", "pool" => name);
        Ok(Self { queue: Some(queue), wait_limit, waits, timeouts, workers: threads, running })
    }

    /// The wait of a unit that is about to be queued.
    pub(super) fn wait(&self) -> Wait {
        Wait::new(self.wait_limit, self.waits.clone(), self.timeouts.clone())
    }

    /// The queue, for threads that hand their units over to these.
    pub(super) fn sender(&self) -> Result<Sender<Job>> {
        let closing = || Error::Unavailable("the database is closing".to_owned());
        self.queue.clone().ok_or_else(closing)
    }

    /// Queues a unit, or returns why it cannot run.
    pub(super) fn send(&self, job: Job) -> Result<()> {
        let refused = match &self.queue {
            Some(queue) if queue.try_send(job).is_ok() => return Ok(()),
            Some(_) => "too many units of work are waiting",
            None => "the database is closing",
        };
        Err(Error::Unavailable(refused.to_owned()))
    }
}

impl Threads {
    /// Waits until the threads have finished the queued units, or until the deadline.
    fn finish(&self, deadline: Instant) -> bool {
        // The last handle may be dropped on one of these threads, which cannot wait for itself.
        let own = std::thread::current().id();
        self.workers.iter().any(|it| it.thread().id() == own)
            || self.running.recv_deadline(deadline) == Err(RecvTimeoutError::Disconnected)
    }
}

impl Drop for Pool {
    /// Lets the threads finish the queued units, so that closing loses nothing. The wait is limited
    /// in case the database does not answer; no caller was told that its unit succeeded.
    fn drop(&mut self) {
        let mut all = vec![&mut self.reads, &mut self.writes];
        all.extend(self.background.as_mut());
        all.extend(self.heartbeat.as_mut());
        if let Some(Replica { threads, monitor, .. }) = &mut self.replica {
            all.extend([threads, monitor]);
        }
        for threads in &mut all {
            threads.queue = None;
        }
        let deadline = now() + CLOSE;
        let unfinished = all.iter().filter(|it| !it.finish(deadline)).count();
        if unfinished > 0 {
            tracing::warn!("the database does not respond: unfinished units of work are dropped");
        }
    }
}
