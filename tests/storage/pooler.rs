//! `PgBouncer` in transaction mode: every transaction may run on another connection, so that
//! nothing may be kept on one.

use std::time::{Duration, Instant};

use grantor_storage::{Error, Options, Result, Store, StoreUrl, meta, migrate};
use grantor_testkit::postgres::{PgBouncer, PostgresServer};
use postgres::{Client, NoTls};
use tokio::task::JoinSet;

use super::{NOW, is_there, put};

#[expect(clippy::disallowed_methods, reason = "how long a lock is waited for is what is tested")]
fn now() -> Instant {
    Instant::now()
}

struct Pooled {
    // Closed before its servers.
    store: Store,
    _pooler: PgBouncer,
    server: PostgresServer,
}

impl Pooled {
    /// A store whose eight connections share two of the pooler.
    async fn start(ignores: bool) -> Self {
        let server = PostgresServer::start();
        let pooler = PgBouncer::start(&server, ignores);
        let mut options = Options::new(StoreUrl::Postgres(pooler.url()), 1);
        (options.readers, options.writers) = (4, 4);
        let store = Store::open(&options).await.unwrap();
        migrate::run(&store, NOW).await.unwrap();
        Self { store, _pooler: pooler, server }
    }
}

async fn work(store: Store, worker: usize) {
    for number in 0..25 {
        let name = format!("{worker}-{number}");
        put(&store, &name).await.unwrap();
        assert_eq!(is_there(&store, &name).await, Ok(true), "{name}");
        let looked: Result<Option<String>> = store.lookup(move |tx| meta::find(tx, &name)).await;
        assert_eq!(looked, Ok(Some("there".to_owned())));
    }
}

async fn many_callers_share_few_connections(ignores: bool) {
    let pooled = Pooled::start(ignores).await;
    let mut workers = JoinSet::new();
    for worker in 0..16 {
        workers.spawn(work(pooled.store.clone(), worker));
    }
    workers.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_share_few_connections_of_a_pooler() {
    many_callers_share_few_connections(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_share_few_connections_of_a_pooler_that_ignores_settings() {
    many_callers_share_few_connections(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_limits_apply_behind_a_pooler() {
    let pooled = Pooled::start(false).await;
    let url = pooled.server.url();
    let mut holder = tokio::task::spawn_blocking(move || {
        let mut client = Client::connect(&url, NoTls).unwrap();
        client.batch_execute("BEGIN; LOCK TABLE meta").unwrap();
        client
    })
    .await
    .unwrap();
    let started = now();
    let refused = put(&pooled.store, "row").await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    let taken = started.elapsed();
    assert!((4..12).contains(&taken.as_secs()), "{taken:?}");
    tokio::task::spawn_blocking(move || holder.batch_execute("ROLLBACK").unwrap()).await.unwrap();
    assert_eq!(put(&pooled.store, "row").await, Ok(()));
    assert!(now().duration_since(started) < Duration::from_secs(30));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_cannot_write_behind_a_pooler() {
    let pooled = Pooled::start(true).await;
    let read: Result<()> = pooled.store.read(|tx| meta::put(tx, "row", "there")).await;
    assert!(matches!(read, Err(Error::ReadOnly(_))), "{read:?}");
    let looked: Result<()> = pooled.store.lookup(|tx| meta::put(tx, "row", "there")).await;
    assert!(matches!(looked, Err(Error::ReadOnly(_))), "{looked:?}");
    assert_eq!(is_there(&pooled.store, "row").await, Ok(false));
}
