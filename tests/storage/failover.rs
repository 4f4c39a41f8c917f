//! A store with several PostgreSQL servers uses the one that accepts writes, and leaves one that no
//! longer does.

use grantor_storage::{Error, Options, Result, Store, StoreUrl, migrate};
use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::server::eventually;

use super::{NOW, is_there, put};

/// The URL of several servers, in this order.
fn url(servers: &[&PostgresServer]) -> String {
    let places: Vec<_> = servers.iter().map(|it| it.address()).collect();
    format!("postgres://grantor@{}/postgres", places.join(","))
}

async fn open(url: String) -> Result<Store> {
    let mut options = Options::new(StoreUrl::Postgres(url), 1);
    (options.readers, options.writers) = (2, 2);
    Store::open(&options).await
}

/// A store on these servers, with its schema.
async fn migrated(servers: &[&PostgresServer]) -> Store {
    let store = open(url(servers)).await.unwrap();
    migrate::run(&store, NOW).await.unwrap();
    store
}

/// Waits until the row is on this server.
async fn arrives(server: &PostgresServer, name: &'static str) {
    let store = open(server.url()).await.unwrap();
    let look = async || is_there(&store, name).await.is_ok_and(|it| it).then_some(());
    eventually("the row on the other server", look).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_that_accepts_writes_is_found_wherever_it_is_listed() {
    let primary = PostgresServer::start();
    let standby = primary.start_standby();
    let store = migrated(&[&standby, &primary]).await;
    put(&store, "row").await.unwrap();
    assert_eq!(is_there(&store, "row").await, Ok(true), "reads see what was written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_primary_the_store_says_what_the_servers_are() {
    let mut primary = PostgresServer::start();
    let standby = primary.start_standby();
    drop(migrated(&[&primary]).await);
    primary.crash();
    let refused = open(url(&[&primary, &standby])).await.map(drop);
    let Err(Error::ReadOnly(why)) = refused else { panic!("{refused:?}") };
    let (first, second) = (primary.address(), standby.address());
    assert!(why.starts_with(&format!("PostgreSQL at {first} does not respond: ")), "{why}");
    assert!(why.ends_with(&format!("; PostgreSQL at {second} is a standby")), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_takes_over_with_everything_that_it_had() {
    let mut primary = PostgresServer::start();
    let standby = primary.start_standby();
    let store = migrated(&[&primary, &standby]).await;
    put(&store, "before").await.unwrap();
    arrives(&standby, "before").await;
    primary.crash();
    assert!(put(&store, "between").await.is_err(), "there is no primary");
    standby.promote().await;
    eventually("a write", async || put(&store, "after").await.ok()).await;
    assert_eq!(is_there(&store, "before").await, Ok(true));
    assert_eq!(is_there(&store, "after").await, Ok(true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_write_that_a_server_refuses_goes_to_the_next_one() {
    let first = PostgresServer::start();
    let second = first.start_standby();
    let store = migrated(&[&first, &second]).await;
    put(&store, "before").await.unwrap();
    arrives(&second, "before").await;
    second.promote().await;
    let other = open(second.url()).await.unwrap();
    first.refuse_writes(true).await;
    // No write fails on the way.
    let moved = async || {
        assert_eq!(put(&store, "after").await, Ok(()));
        is_there(&other, "after").await.unwrap().then_some(())
    };
    eventually("a write on the second server", moved).await;
    // The control: a store that knows no other server is refused.
    let alone = open(first.url()).await.unwrap();
    let refused = put(&alone, "four").await;
    assert!(matches!(refused, Err(Error::ReadOnly(_))), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_refuses_writes_can_be_read_and_heals() {
    let server = PostgresServer::start();
    let store = migrated(&[&server]).await;
    put(&store, "before").await.unwrap();
    server.refuse_writes(true).await;
    eventually("a refusal", async || put(&store, "early").await.err()).await;
    for _ in 0..10 {
        let refused = put(&store, "refused").await;
        assert!(matches!(refused, Err(Error::ReadOnly(_))), "{refused:?}");
        assert_eq!(is_there(&store, "before").await, Ok(true));
    }
    server.refuse_writes(false).await;
    eventually("a write", async || put(&store, "after").await.ok()).await;
    assert_eq!(is_there(&store, "refused").await, Ok(false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stands_still_does_not_hold_a_unit_forever() {
    let server = PostgresServer::start();
    let store = migrated(&[&server]).await;
    put(&store, "before").await.unwrap();
    server.freeze();
    let (write, read) = tokio::join!(put(&store, "lost"), is_there(&store, "before"));
    assert!(matches!(write, Err(Error::Unavailable(_))), "{write:?}");
    assert!(matches!(read, Err(Error::Unavailable(_))), "{read:?}");
    server.thaw();
    eventually("a write", async || put(&store, "after").await.ok()).await;
}
