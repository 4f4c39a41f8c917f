//! PostgreSQL goes away and comes back: callers hear that it is not available, never anything
//! wrong, and nobody has to open the store again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grantor_storage::{Error, Options, Result, Store, StoreUrl, migrate};
use grantor_testkit::postgres::PostgresServer;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{NOW, is_there, put};

async fn migrated(server: &PostgresServer) -> Store {
    let mut options = Options::new(StoreUrl::Postgres(server.url()), 2);
    (options.readers, options.writers) = (4, 4);
    let store = Store::open(&options).await.unwrap();
    migrate::run(&store, NOW).await.unwrap();
    store
}

/// What a worker tells of one write and the read after it.
#[derive(Debug)]
enum Told {
    Written(String),
    /// The write or the read was refused; the write may have happened all the same.
    Refused,
}

async fn write_and_read(store: &Store, name: &str) -> Result<()> {
    put(store, name).await?;
    assert!(is_there(store, name).await?, "{name} was acknowledged and is not there");
    Ok(())
}

async fn work(store: Store, worker: usize, stop: Arc<AtomicBool>, tell: mpsc::Sender<Told>) {
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let name = format!("{worker}-{number}");
        let told = match write_and_read(&store, &name).await {
            Ok(()) => Told::Written(name),
            Err(Error::Unavailable(_)) => Told::Refused,
            Err(other) => panic!("{other:?}"),
        };
        if tell.send(told).await.is_err() {
            return;
        }
    }
}

/// Listens until so many writes or refusals were told of; keeps the names of what was written.
async fn listen(from: &mut mpsc::Receiver<Told>, written: &mut Vec<String>, until: (usize, usize)) {
    let (mut done, mut refused) = (0, 0);
    while done < until.0 || refused < until.1 {
        match from.recv().await.expect("a worker failed") {
            Told::Written(name) => {
                written.push(name);
                done += 1;
            }
            Told::Refused => refused += 1,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_under_load_loses_nothing_and_heals() {
    let mut server = PostgresServer::start();
    let store = migrated(&server).await;
    let stop = Arc::new(AtomicBool::new(false));
    let (tell, mut told) = mpsc::channel(8);
    let mut workers = JoinSet::new();
    for worker in 0..8 {
        workers.spawn(work(store.clone(), worker, Arc::clone(&stop), tell.clone()));
    }
    drop(tell);
    let mut written = Vec::new();
    for _ in 0..3 {
        listen(&mut told, &mut written, (100, 0)).await;
        server.crash();
        listen(&mut told, &mut written, (0, 50)).await;
        server.resume();
    }
    listen(&mut told, &mut written, (100, 0)).await;
    stop.store(true, Ordering::Relaxed);
    drop(told);
    workers.join_all().await;
    for name in written {
        assert_eq!(is_there(&store, &name).await, Ok(true), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_while_idle_is_not_noticed() {
    let mut server = PostgresServer::start();
    let store = migrated(&server).await;
    for round in 0..3 {
        let mut callers = JoinSet::new();
        for caller in 0..32 {
            let store = store.clone();
            callers.spawn(async move {
                write_and_read(&store, &format!("{round}-{caller}")).await.unwrap();
            });
        }
        callers.join_all().await;
        server.crash();
        server.resume();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_down_is_said_to_be() {
    let mut server = PostgresServer::start();
    let store = migrated(&server).await;
    server.crash();
    let write = put(&store, "row").await;
    assert!(matches!(write, Err(Error::Unavailable(_))), "{write:?}");
    let read = is_there(&store, "row").await;
    assert!(matches!(read, Err(Error::Unavailable(_))), "{read:?}");
    let url = StoreUrl::Postgres(server.url());
    let opened = Store::open(&Options::new(url, 1)).await.map(drop);
    assert!(matches!(opened, Err(Error::Unavailable(_))), "{opened:?}");
}
