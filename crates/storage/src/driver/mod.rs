//! The one door to both databases. Only this folder knows which engine runs a unit of work.

mod engine;
mod job;
mod options;
mod pool;
mod postgres;
mod row;
mod sqlite;
mod tx;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use self::engine::Engine;
pub(crate) use self::engine::SchemaQueries;
use self::job::Terms;
pub use self::options::{Options, StoreUrl};
use self::pool::{Pool, Threads};
pub use self::row::Row;
use self::row::RowOf;
pub use self::tx::Tx;
use crate::changes::Changes;
use crate::error::{Error, Result};
use crate::waiter::Waiter;

/// An open database. Cheap to clone; the last clone's drop closes it.
#[derive(Clone, Debug)]
pub struct Store {
    engine: Engine,
    pool: Arc<Pool>,
    meter: Arc<AtomicU64>,
}

impl Store {
    /// Opens the database without looking at its schema: see [`crate::migrate`].
    pub async fn open(options: &Options) -> Result<Self> {
        let options = options.clone();
        tokio::task::spawn_blocking(move || {
            let (engine, pool) = match &options.url {
                StoreUrl::Sqlite(path) => (Engine::Sqlite, sqlite::open(path, &options)?),
                StoreUrl::Postgres(url) => (Engine::Postgres, postgres::open(url, &options)?),
            };
            Ok(Self { engine, pool: Arc::new(pool), meter: Arc::default() })
        })
        .await
        .map_err(|error| Error::Fault(error.to_string()))?
    }

    /// Whether other nodes may work on the same database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// Bytes that are left on the disk that holds the database, where it is this machine's.
    #[must_use]
    pub fn room(&self) -> Option<u64> {
        self.pool.folder.as_deref().and_then(sqlite::room)
    }

    /// Which engine this is: for reports, never for deciding what to run.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// How many statements all units have run: for measuring what something costs.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.meter.load(Ordering::Relaxed)
    }

    /// Runs a unit that only reads. All of its statements see the same moment.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run(&self.pool.reads, work, Terms::of_one_moment()).await
    }

    /// Runs a unit that looks up a few rows by key. Where that is over sooner than another thread
    /// would wake up, it runs in the caller's own: never for what may take longer. Nothing frames it
    /// on PostgreSQL: each statement is one way to the server and back, and sees its own moment,
    /// unless the unit begins with `Tx::hold_still`.
    pub async fn glance<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (unit, answer) = job::unit(work, Terms::default(), Arc::clone(&self.meter));
        let left = match &self.pool.glances {
            Some(glances) => glances.run(unit).err(),
            None => Some(unit),
        };
        if let Some(unit) = left {
            self.pool.reads.send(unit)?;
        }
        job::answer(answer).await
    }

    /// Runs a unit that only reads and may see a moment ago: on the replica, where there is one.
    pub async fn read_lagging<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let threads = self.pool.lagging.as_ref().unwrap_or(&self.pool.reads);
        self.run(threads, work, Terms::of_one_moment()).await
    }

    /// Runs a unit that changes: all of it or nothing, durable when this returns. It may run more
    /// than once, so it must hold no effect but its statements.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run(&self.pool.writes, work, Terms::default()).await
    }

    /// The same for somebody at work in the background, who must not wait for all the changes that
    /// wait for each other: on a connection of its own, where there are several.
    pub async fn write_aside<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let threads = self.pool.aside.as_ref().unwrap_or(&self.pool.writes);
        self.run(threads, work, Terms::default()).await
    }

    /// Like [`Self::write`], for somebody who may leave: what they left before it was stored is undone.
    /// What was changed is handed to `after` once it is stored, before anybody hears of it and also
    /// where nobody listens any more. `after` runs on the thread that writes, so it must be short.
    pub async fn write_for<T, E, F, A>(&self, waiter: &Waiter, work: F, after: A) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        A: FnOnce(&Changes) + Send + 'static,
    {
        let (waiter, after) = (Some(waiter.clone()), Some(Box::new(after) as _));
        self.run(&self.pool.writes, work, Terms { waiter, after, snapshot: false }).await
    }

    async fn run<T, E, F>(&self, threads: &Threads, work: F, terms: Terms) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (unit, answer) = job::unit(work, terms, Arc::clone(&self.meter));
        threads.send(unit)?;
        job::answer(answer).await
    }
}
