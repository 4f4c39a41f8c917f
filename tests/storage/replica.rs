//! A replica is read while it is at most two seconds behind and responds. Otherwise the primary is
//! read instead, and nobody is told.

use std::time::{Duration, Instant};

use grantor_storage::{Options, Result, Store, StoreUrl, meta, migrate};
use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::server::eventually;
use grantor_testkit::{print_figure, seed};

use super::{NOW, is_there, put};

#[expect(clippy::disallowed_methods, reason = "how long a replica is read is what is tested")]
fn now() -> Instant {
    Instant::now()
}

struct Pair {
    // Closed before its servers.
    store: Store,
    replica: PostgresServer,
    _primary: PostgresServer,
}

impl Pair {
    async fn start() -> Self {
        let primary = PostgresServer::start();
        let replica = primary.start_standby();
        let mut options = Options::new(StoreUrl::Postgres(primary.url()), 1);
        (options.readers, options.writers) = (2, 2);
        options.replica = Some(replica.url());
        let store = Store::open(&options).await.unwrap();
        migrate::run(&store, NOW).await.unwrap();
        Self { store, replica, _primary: primary }
    }

    async fn sees(&self, name: &str) -> Result<bool> {
        let name = name.to_owned();
        self.store.read_replica(move |tx| Ok(meta::find(tx, &name)?.is_some())).await
    }

    /// Stops the replica from following, as soon as it is read at all. Returns a row that it does
    /// not have, and when the row was written.
    async fn fall_behind(&self) -> (String, Instant) {
        for number in 0..1_000 {
            self.replica.pause_replay(true).await;
            let (name, written) = (format!("row {number}"), now());
            put(&self.store, &name).await.unwrap();
            if self.sees(&name).await == Ok(false) {
                return (name, written);
            }
            self.replica.pause_replay(false).await;
        }
        panic!("the replica is never read");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_is_two_seconds_behind_is_no_longer_read() {
    let pair = Pair::start().await;
    let (name, written) = pair.fall_behind().await;
    eventually("the row", async || (pair.sees(&name).await == Ok(true)).then_some(())).await;
    let taken = written.elapsed();
    print_figure(&format!("a row appeared {} ms after it was written", taken.as_millis()));
    assert!(taken < Duration::from_millis(2_500), "{taken:?}");
    assert_eq!(is_there(&pair.store, &name).await, Ok(true), "it was there all the time");
    // It is read again once it has caught up.
    pair.replica.pause_replay(false).await;
    pair.fall_behind().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_go_on_when_the_replica_dies() {
    let mut pair = Pair::start().await;
    put(&pair.store, "row").await.unwrap();
    let look = async || (pair.sees("row").await == Ok(true)).then_some(());
    eventually("the row", look).await;
    pair.replica.crash();
    for number in 0..100 {
        assert_eq!(pair.sees("row").await, Ok(true), "read {number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_go_on_when_the_replica_stands_still() {
    let pair = Pair::start().await;
    put(&pair.store, "row").await.unwrap();
    let look = async || (pair.sees("row").await == Ok(true)).then_some(());
    eventually("the row", look).await;
    pair.replica.freeze();
    let started = now();
    let (one, two, three) = tokio::join!(pair.sees("row"), pair.sees("row"), pair.sees("row"));
    assert_eq!([one, two, three], [Ok(true), Ok(true), Ok(true)]);
    let taken = started.elapsed();
    print_figure(&format!("the primary answered after {} ms", taken.as_millis()));
    assert!(taken < Duration::from_secs(15), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_was_promoted_is_no_longer_read() {
    let pair = Pair::start().await;
    pair.fall_behind().await;
    pair.replica.pause_replay(false).await;
    pair.replica.promote().await;
    put(&pair.store, "of the primary").await.unwrap();
    let look = async || (pair.sees("of the primary").await == Ok(true)).then_some(());
    eventually("the row", look).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_of_the_old_primary_is_not_read_however_long_its_log_is() {
    let old = PostgresServer::start();
    let of_old = Store::open(&Options::new(StoreUrl::Postgres(old.url()), 1)).await.unwrap();
    migrate::run(&of_old, NOW).await.unwrap();
    let (new, stray) = (old.start_standby(), old.start_standby());
    new.promote().await;
    put(&of_old, "row").await.unwrap();
    old.run("CREATE TABLE filler AS SELECT generate_series(1, 50000)").await;
    let of_stray = Options::new(StoreUrl::Postgres(stray.url()), 1);
    let filler = "SELECT relname::text FROM pg_class WHERE relname = 'filler'";
    let look = async || (seed::rows(&of_stray, filler).await.len() == 1).then_some(());
    eventually("what the old primary has", look).await;

    let mut options = Options::new(StoreUrl::Postgres(new.url()), 1);
    options.replica = Some(stray.url());
    let store = Store::open(&options).await.unwrap();
    let started = now();
    while started.elapsed() < Duration::from_secs(1) {
        let seen: Result<bool> =
            store.read_replica(|tx| Ok(meta::find(tx, "row")?.is_some())).await;
        assert_eq!(seen, Ok(false), "the new primary does not have it");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_opens_without_its_replica() {
    let server = PostgresServer::start();
    let mut options = Options::new(StoreUrl::Postgres(server.url()), 1);
    options.replica = Some("postgres://grantor@127.0.0.1:1/postgres".to_owned());
    let store = Store::open(&options).await.unwrap();
    migrate::run(&store, NOW).await.unwrap();
    let read: Result<bool> =
        store.read_replica(|tx| Ok(meta::find(tx, "nothing")?.is_some())).await;
    assert_eq!(read, Ok(false));
}
