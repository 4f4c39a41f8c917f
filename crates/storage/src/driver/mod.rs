//! The entry point to both databases. Only this module knows which engine runs a unit of work.

mod engine;
mod freshness;
mod job;
mod options;
mod pool;
mod postgres;
mod queue;
mod row;
mod sqlite;
mod tx;
mod wait;

use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use self::engine::Engine;
pub(crate) use self::engine::SchemaQueries;
pub use self::freshness::ReplicaLag;
use self::job::{Erased, Failure, JobOptions, Process, Work};
pub use self::options::{DatabaseRole, Options, StoreUrl};
use self::pool::{Pool, Threads};
pub use self::row::Row;
use self::row::RowOf;
pub(crate) use self::row::only_column;
pub use self::tx::Tx;
use crate::changes::Changes;
use crate::error::{Error, Result};
use grantor_domain::id::NodeId;
use grantor_domain::waiter::Waiter;

/// An open database. Cheap to clone; the last clone's drop closes it.
#[derive(Clone, Debug)]
pub struct Store {
    engine: Engine,
    pool: Arc<Pool>,
    process: Arc<Process>,
}

impl Store {
    /// Opens the database without checking its schema; see [`crate::migrate`].
    pub async fn open(options: &Options) -> Result<Self> {
        let options = options.clone();
        tokio::task::spawn_blocking(move || {
            let (engine, pool) = match &options.url {
                StoreUrl::Sqlite(path) => (Engine::Sqlite, sqlite::open(path, &options)?),
                StoreUrl::Postgres(url) => (Engine::Postgres, postgres::open(url, &options)?),
            };
            Ok(Self { engine, pool: Arc::new(pool), process: Arc::default() })
        })
        .await
        .map_err(|error| Error::Fault(error.to_string()))?
    }

    /// Measures how far the replica of these options is behind. `None` if they have none.
    pub async fn measure_replica(options: &Options) -> Result<Option<ReplicaLag>> {
        let options = options.clone();
        tokio::task::spawn_blocking(move || match (&options.url, &options.replica) {
            (StoreUrl::Postgres(url), Some(replica)) => {
                postgres::measure_replica(url, replica, &options).map(Some)
            }
            _ => Ok(None),
        })
        .await
        .map_err(|error| Error::Fault(error.to_string()))?
    }

    /// Whether other nodes may use the same database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// Makes this node hold what units of this process claim from now on. Only the first call
    /// counts.
    pub fn join_as(&self, node: NodeId) {
        let _ = self.process.node.set(node);
    }

    /// Free bytes on the database's disk, if the database is a local file.
    #[must_use]
    pub fn free_space(&self) -> Option<u64> {
        self.pool.folder.as_deref().and_then(sqlite::free_space)
    }

    /// The engine, for reports; never use it to decide what to run.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// How many statements all units have run, for measuring costs.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.process.statements.load(Ordering::Relaxed)
    }

    /// Runs a read-only unit. All of its statements see the same snapshot.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run(&self.pool.reads, work, JobOptions::snapshot()).await
    }

    /// Runs a unit that looks up a few rows by key. On SQLite it runs on the caller's thread, which
    /// is faster than waking another one, so it must not be used for longer reads. On PostgreSQL it
    /// runs without a transaction, to save round trips: each statement sees its own snapshot unless
    /// the unit starts with `Tx::begin_snapshot`.
    pub async fn lookup<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        job::typed(self.run_lookup(job::erased(work)).await)
    }

    async fn run_lookup(&self, work: Work) -> Result<Erased, Failure> {
        let wait = self.pool.reads.wait();
        let process = Arc::clone(&self.process);
        let (unit, answer) = job::unit(work, JobOptions::default(), wait.clone(), process);
        let left = match &self.pool.inline {
            Some(inline) => inline.run(unit),
            None => Some(unit),
        };
        if let Some(unit) = left {
            self.pool.reads.send(unit)?;
        }
        job::answer(answer, &wait).await
    }

    /// Runs a read-only unit that may see data of two seconds ago, on the replica if there is one.
    /// If it is further behind or does not respond, the unit runs on the primary.
    pub async fn read_replica<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let threads = match &self.pool.replica {
            Some(replica) if replica.freshness.is_fresh() => &replica.threads,
            Some(_) => {
                metrics::counter!("grantor_replica_fallbacks_total").increment(1);
                &self.pool.reads
            }
            None => &self.pool.reads,
        };
        self.run(threads, work, JobOptions::snapshot()).await
    }

    /// Runs a unit that writes: atomic, and durable when this returns. It may run more than once,
    /// so it must have no side effects other than its statements.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run(&self.pool.writes, work, JobOptions::default()).await
    }

    /// Like [`Self::write`], for background work: on PostgreSQL it uses a separate connection, so
    /// that it does not queue behind the changes of callers.
    pub async fn write_background<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let threads = self.pool.background.as_ref().unwrap_or(&self.pool.writes);
        self.run(threads, work, JobOptions::default()).await
    }

    /// Like [`Self::write`], for the heartbeat of this node: on PostgreSQL it has a connection of
    /// its own, because a node that is busy must not be taken for dead.
    pub async fn write_heartbeat<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let threads = self.pool.heartbeat.as_ref().unwrap_or(&self.pool.writes);
        self.run(threads, work, JobOptions::default()).await
    }

    /// Like [`Self::write`], for a caller who may leave: the changes are undone if the caller
    /// leaves before they are stored. Once they are stored, `after` receives them, before the
    /// caller gets the answer and even if the caller is gone. `after` runs on the writer thread, so
    /// it must be quick.
    pub async fn write_for<T, E, F, A>(&self, waiter: &Waiter, work: F, after: A) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        A: FnOnce(&Changes) + Send + 'static,
    {
        let (waiter, after) = (Some(waiter.clone()), Some(Box::new(after) as _));
        self.run(&self.pool.writes, work, JobOptions { waiter, after, snapshot: false }).await
    }

    async fn run<T, E, F>(&self, threads: &Threads, work: F, options: JobOptions) -> Result<T, E>
    where
        F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        job::typed(self.run_erased(threads, job::erased(work), options).await)
    }

    async fn run_erased(
        &self,
        threads: &Threads,
        work: Work,
        options: JobOptions,
    ) -> Result<Erased, Failure> {
        let wait = threads.wait();
        let (unit, answer) = job::unit(work, options, wait.clone(), Arc::clone(&self.process));
        threads.send(unit)?;
        job::answer(answer, &wait).await
    }
}
