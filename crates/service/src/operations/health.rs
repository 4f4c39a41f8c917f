//! Health of this node.
//!
//! A probe is answered within a second whatever the database does: one check runs at a time, and
//! all probes wait for it up to a timeout. Whether the database accepts writes is tested in the
//! background and remembered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use grantor_storage::{Error, meta, migrate};
use tokio::time::timeout;

use crate::App;
use crate::operations::key_ring;

/// If a mail waits longer than this, no worker is sending mail.
const QUEUE_TOO_OLD: Duration = Duration::from_mins(5);
/// How long a probe waits for the database.
pub const PROBE_TIMEOUT: Duration = Duration::from_millis(700);
/// How long the background write test may take.
const WRITE_TIMEOUT: Duration = Duration::from_secs(6);
/// With less free space than this the disk counts as full: a journal may grow by as much at once.
const MIN_FREE_SPACE: u64 = 16 * 1024 * 1024;
/// The key that the write test writes.
const WRITE_TEST: &str = "write_trial";

const NO_RESPONSE: &str = "the database does not respond";
const FULL: &str = "the database's disk is full";

/// The result of a readiness check. Errors are reasons for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// Whether the database responds.
    pub database: Result<(), String>,
    /// Whether the database accepted the last test write.
    pub writes: Result<(), String>,
    /// Whether the migrations that this program needs are applied.
    pub migrations: Result<(), String>,
    /// Whether this node has the keys that other nodes use.
    pub key_ring: Result<(), String>,
    /// How long the oldest due mail has been waiting.
    pub mail_queue: Result<Duration, String>,
    /// Jobs that panicked and have not succeeded since.
    pub failing_jobs: Vec<&'static str>,
    /// Whether this node was told to stop.
    pub stopping: bool,
}

impl Readiness {
    /// Whether requests should be sent to this node. An old mail queue or a failing job is
    /// reported, but does not take a node out of service.
    #[must_use]
    pub fn ready(&self) -> bool {
        !self.stopping
            && self.database.is_ok()
            && self.writes.is_ok()
            && self.migrations.is_ok()
            && self.key_ring.is_ok()
    }

    /// Whether a background job does not work.
    #[must_use]
    pub fn degraded(&self) -> bool {
        self.queue_is_old() || !self.failing_jobs.is_empty()
    }

    /// Whether mails wait too long.
    #[must_use]
    pub fn queue_is_old(&self) -> bool {
        self.mail_queue.as_ref().is_ok_and(|age| *age > QUEUE_TOO_OLD)
    }
}

/// The result of a database check.
#[derive(Clone)]
struct DatabaseState {
    database: Result<(), String>,
    migrations: Result<(), String>,
    key_ring: Result<(), String>,
    mail_queue: Result<Duration, String>,
}

type RunningCheck = Shared<BoxFuture<'static, DatabaseState>>;

/// The health state of this node.
#[derive(Default)]
pub struct Health {
    running: Mutex<Option<RunningCheck>>,
    refused_writes: Mutex<Option<String>>,
    /// Consecutive panics, by job.
    panics: Mutex<BTreeMap<&'static str, u32>>,
    stopping: AtomicBool,
}

impl Health {
    /// Records that this node stops soon, so that no more requests are sent to it.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Records that a job panicked and returns the number of consecutive panics.
    pub fn panicked(&self, job: &'static str) -> u32 {
        let mut panics = lock(&self.panics);
        let count = panics.entry(job).or_default();
        *count = count.saturating_add(1);
        *count
    }

    /// Records that a job succeeded.
    pub fn succeeded(&self, job: &'static str) {
        lock(&self.panics).remove(job);
    }

    /// The running database check, or a new one.
    fn database_state(&self, app: &App) -> RunningCheck {
        let mut running = lock(&self.running);
        match &*running {
            Some(check) if check.peek().is_none() => check.clone(),
            _ => {
                let app = app.clone();
                // A separate task, so that it continues if the probe disconnects.
                let task = tokio::spawn(async move { check_database(&app).await });
                let started =
                    task.map(|it| it.unwrap_or_else(|_| DatabaseState::unknown())).boxed().shared();
                running.insert(started).clone()
            }
        }
    }
}

impl std::fmt::Debug for Health {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Health")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DatabaseState {
    fn unknown() -> Self {
        let reason = || NO_RESPONSE.to_owned();
        let (database, migrations) = (Err(reason()), Err(reason()));
        Self { database, migrations, key_ring: Err(reason()), mail_queue: Err(reason()) }
    }
}

/// Checks everything this node needs. The messages are for operators and contain no secrets.
pub async fn check(app: &App) -> Readiness {
    let state = timeout(PROBE_TIMEOUT, app.health.database_state(app)).await;
    let DatabaseState { database, migrations, key_ring, mail_queue } =
        state.unwrap_or_else(|_| DatabaseState::unknown());
    let writes = lock(&app.health.refused_writes).clone().map_or(Ok(()), Err);
    let failing_jobs = lock(&app.health.panics).keys().copied().collect();
    let stopping = app.health.stopping.load(Ordering::Relaxed);
    Readiness { database, writes, migrations, key_ring, mail_queue, failing_jobs, stopping }
}

async fn check_database(app: &App) -> DatabaseState {
    let (keys, now) = (Arc::clone(&app.keys), app.clock.now());
    let fault = app.store.read(move |tx| key_ring::find_fault(tx, &keys, now)).await;
    let database = fault.as_ref().map(|_| ()).map_err(short);
    let key_ring = fault.map_err(|error| short(&error)).and_then(|it| it.map_or(Ok(()), Err));
    let migrations = match migrate::pending(&app.store).await {
        Ok(0) => Ok(()),
        Ok(count) => Err(format!("migrations not applied: {count}")),
        Err(error) => Err(short(&error)),
    };
    let mail_queue = app.mailer.queue_age().await.map_err(|error| error.message().to_owned());
    DatabaseState { database, migrations, key_ring, mail_queue }
}

/// Tests whether the database accepts writes, and remembers and returns the result.
pub async fn try_write(app: &App) -> bool {
    let writing = app.store.write(|tx| meta::put(tx, WRITE_TEST, ""));
    let written = match timeout(WRITE_TIMEOUT, writing).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(short(&error)),
        Err(_) => Err(NO_RESPONSE.to_owned()),
    };
    // A journal that was larger before accepts small writes even on a full disk.
    let free = app.store.free_space();
    let refused = match (written, free) {
        (Err(reason), _) => Some(reason),
        (Ok(()), Some(free)) if free < MIN_FREE_SPACE => Some(FULL.to_owned()),
        (Ok(()), _) => None,
    };
    let mut remembered = lock(&app.health.refused_writes);
    if *remembered != refused {
        if let Some(reason) = &refused {
            tracing::error!(reason, "the database does not accept writes");
        } else {
            tracing::info!("the database accepts writes again");
        }
    }
    let accepted = refused.is_none();
    *remembered = refused;
    accepted
}

/// The kind of error without the driver's message, which may contain hosts and accounts.
fn short(error: &Error) -> String {
    match error {
        Error::Unavailable(_) => "the database cannot be reached".to_owned(),
        Error::Full(_) => FULL.to_owned(),
        Error::ReadOnly(_) => "the database is read-only".to_owned(),
        Error::Lost(_) => "the database file was deleted or replaced".to_owned(),
        Error::Migration(text) => text.clone(),
        _ => "the database rejects the query".to_owned(),
    }
}
