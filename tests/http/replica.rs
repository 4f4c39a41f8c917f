//! What is private leaves the catalog within two seconds, however far the replica is behind.

use std::time::{Duration, Instant};

use grantor_domain::limit::Limits;
use grantor_storage::{Store, StoreUrl};
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::print_figure;
use grantor_testkit::server::eventually;
use grantor_testkit::store::TestStore;
use serde_json::{Value, json};

use crate::license::World;

#[expect(clippy::disallowed_methods, reason = "how soon the catalog changes is what is tested")]
fn now() -> Instant {
    Instant::now()
}

/// The users in an app whose catalog is read from the replica.
async fn world(primary: &PostgresServer, replica: &PostgresServer) -> World {
    let server = primary.url();
    let mut database = TestStore::on_server(server.strip_suffix("/postgres").unwrap()).await;
    let StoreUrl::Postgres(url) = &database.options.url else { panic!("another engine") };
    database.options.replica = Some(url.replace(&primary.address(), &replica.address()));
    database.store = Store::open(&database.options).await.unwrap();
    let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
    World::in_app(TestApp::in_database(database, config)).await
}

/// Once the catalog has this many licenses.
async fn catalog_of(world: &World, count: usize) {
    let look = async || {
        let answer = world.app.get("/metadata").await;
        assert_eq!(answer.status, 200);
        let data: Value = answer.json()["data"].clone();
        (data.as_array().unwrap().len() == count).then_some(())
    };
    eventually("another catalog", look).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_license_made_private_leaves_the_catalog_within_two_seconds() {
    let primary = PostgresServer::start();
    let replica = primary.start_standby();
    let world = world(&primary, &replica).await;
    let license = world.license(json!({ "status": "public" })).await;
    catalog_of(&world, 1).await;
    replica.pause_replay(true).await;
    let changed = world.patch(&license, json!({ "status": "private" })).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
    let stored = now();
    catalog_of(&world, 0).await;
    let taken = stored.elapsed();
    print_figure(&format!("the license left the catalog after {} ms", taken.as_millis()));
    assert!(taken < Duration::from_millis(2_500), "{taken:?}");
}
