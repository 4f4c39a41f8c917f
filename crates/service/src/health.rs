//! Whether this node can do its work.
//!
//! A probe is answered within a second whatever the database does: one look at it is under way at
//! a time, all probes wait for that one, and none of them long. Whether the database takes writes
//! is tried in the background and remembered.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use grantor_storage::{Error, meta, migrate};
use tokio::time::timeout;

use crate::App;

/// A mail that waits longer than this means that nobody sends.
const QUEUE_TOO_OLD: Duration = Duration::from_mins(5);
/// How long a probe waits for the database.
pub const PROBE: Duration = Duration::from_millis(700);
/// How long a write that is tried in the background may take.
const TRIED: Duration = Duration::from_secs(6);
/// With less than this the disk counts as full: a journal grows by as much in one go.
const LEAST_ROOM: u64 = 16 * 1024 * 1024;
/// The name under which a write is tried.
const TRIAL: &str = "write_trial";

const SILENT: &str = "the database does not answer";
const FULL: &str = "the disk of the database is full";

/// What was looked at, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// The database answers.
    pub database: Result<(), String>,
    /// It takes writes, as far as was tried.
    pub writes: Result<(), String>,
    /// Its schema is the one we know.
    pub migrations: Result<(), String>,
    /// How long the oldest due mail waits.
    pub mail_queue: Result<Duration, String>,
    /// Jobs that panicked and have not succeeded since.
    pub failing_jobs: Vec<&'static str>,
}

impl Readiness {
    /// Whether requests should be sent here. An old queue or a failing job is a worker's fault, not
    /// this node's: it is shown, and alarms watch it, but it takes no node out of service.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.database.is_ok() && self.writes.is_ok() && self.migrations.is_ok()
    }

    /// Whether this node serves, but something that belongs to it does not work.
    #[must_use]
    pub fn degraded(&self) -> bool {
        self.queue_is_old() || !self.failing_jobs.is_empty()
    }

    /// Whether mails wait longer than they should.
    #[must_use]
    pub fn queue_is_old(&self) -> bool {
        self.mail_queue.as_ref().is_ok_and(|age| *age > QUEUE_TOO_OLD)
    }
}

/// What the database said when it was asked.
#[derive(Clone)]
struct Looked {
    database: Result<(), String>,
    migrations: Result<(), String>,
    mail_queue: Result<Duration, String>,
}

type Looking = Shared<BoxFuture<'static, Looked>>;

/// What is known of this node's health.
#[derive(Default)]
pub struct Health {
    looking: Mutex<Option<Looking>>,
    refused_writes: Mutex<Option<String>>,
    /// Panics in a row, by job.
    panics: Mutex<BTreeMap<&'static str, u32>>,
}

impl Health {
    /// A job panicked; gives how many times in a row.
    pub fn panicked(&self, job: &'static str) -> u32 {
        let mut panics = lock(&self.panics);
        let count = panics.entry(job).or_default();
        *count = count.saturating_add(1);
        *count
    }

    /// A job did its work.
    pub fn succeeded(&self, job: &'static str) {
        lock(&self.panics).remove(job);
    }

    /// The look that is under way, or another.
    fn look(&self, app: &App) -> Looking {
        let mut looking = lock(&self.looking);
        match &*looking {
            Some(running) if running.peek().is_none() => running.clone(),
            _ => {
                let app = app.clone();
                // A task of its own: it goes on when whoever asked has left.
                let task = tokio::spawn(async move { look(&app).await });
                let begun = task.map(|it| it.unwrap_or_else(|_| Looked::silent())).boxed().shared();
                looking.insert(begun).clone()
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

impl Looked {
    fn silent() -> Self {
        let silent = || SILENT.to_owned();
        Self { database: Err(silent()), migrations: Err(silent()), mail_queue: Err(silent()) }
    }
}

/// Looks at everything this node needs. The texts are for operators and say nothing secret.
pub async fn check(app: &App) -> Readiness {
    let looked = timeout(PROBE, app.health.look(app)).await;
    let Looked { database, migrations, mail_queue } = looked.unwrap_or_else(|_| Looked::silent());
    let writes = lock(&app.health.refused_writes).clone().map_or(Ok(()), Err);
    let failing_jobs = lock(&app.health.panics).keys().copied().collect();
    Readiness { database, writes, migrations, mail_queue, failing_jobs }
}

async fn look(app: &App) -> Looked {
    let database = app.store.read(|tx| meta::find(tx, "key_ring")).await;
    let database = database.map(drop).map_err(|error| short(&error));
    let migrations = match migrate::pending(&app.store).await {
        Ok(0) => Ok(()),
        Ok(count) => Err(format!("migrations not applied: {count}")),
        Err(error) => Err(short(&error)),
    };
    let mail_queue = app.mailer.queue_age().await.map_err(|error| error.message().to_owned());
    Looked { database, migrations, mail_queue }
}

/// Tries whether the database takes a write, and remembers it for whoever asks. Gives whether it
/// does.
pub async fn try_write(app: &App) -> bool {
    let writing = app.store.write(|tx| meta::put(tx, TRIAL, ""));
    let written = match timeout(TRIED, writing).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(short(&error)),
        Err(_) => Err(SILENT.to_owned()),
    };
    // A journal that has grown before takes small writes on a full disk.
    let room = app.store.room();
    let refused = match (written, room) {
        (Err(reason), _) => Some(reason),
        (Ok(()), Some(room)) if room < LEAST_ROOM => Some(FULL.to_owned()),
        (Ok(()), _) => None,
    };
    let mut remembered = lock(&app.health.refused_writes);
    if *remembered != refused {
        if let Some(reason) = &refused {
            tracing::error!(reason, "the database takes no writes");
        } else {
            tracing::info!("the database takes writes again");
        }
    }
    let takes = refused.is_none();
    *remembered = refused;
    takes
}

/// The kind of fault without the driver's own words, which may name hosts and accounts.
fn short(error: &Error) -> String {
    match error {
        Error::Unavailable(_) => "the database cannot be reached".to_owned(),
        Error::Full(_) => FULL.to_owned(),
        Error::ReadOnly(_) => "the database is read-only".to_owned(),
        Error::Lost(_) => "the database file was deleted or replaced".to_owned(),
        Error::Migration(text) => text.clone(),
        _ => "the database refuses the question".to_owned(),
    }
}
