//! Image files stay until no node of an older version can need them.

use std::time::Duration;

use grantor_domain::id::NodeId;
use grantor_service::operations::object_move::{KEPT, may_delete};
use grantor_storage::migrate;
use grantor_storage::node::{Node, beat, remove};
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture as _};
use uuid::Uuid;

#[tokio::test]
async fn files_stay_while_an_older_node_may_read_them() {
    let app = TestApp::on(Engine::Postgres).await;
    let (store, now) = (&app.app.store, app.app.clock.now());
    let may = async || may_delete(&app.app).await.unwrap();
    app.clock.advance(KEPT.saturating_sub(Duration::from_secs(1)));
    assert!(!may().await, "nodes of the last release do not register");
    app.clock.advance(Duration::from_secs(1));
    assert!(may().await);
    let id = NodeId::from(Uuid::from_u128(1));
    let older = Node {
        id,
        beats: 0,
        schema_version: migrate::latest() - 1,
        key_ring: String::new(),
        program: "0.1.0".to_owned(),
        started_at: now,
    };
    store.write(move |tx| beat(tx, &older)).await.unwrap();
    assert!(!may().await, "an older node lives");
    assert_eq!(store.write(move |tx| remove(tx, id, 1, now)).await, Ok(true));
    assert!(may().await);
}

#[tokio::test]
async fn one_node_alone_on_its_database_need_not_keep_files() {
    let app = TestApp::on(Engine::Sqlite).await;
    assert_eq!(may_delete(&app.app).await, Ok(true));
}
