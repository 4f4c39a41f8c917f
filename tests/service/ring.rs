//! The key ring and the database belong together.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_keys::{Keys, Purpose};
use grantor_service::Context;
use grantor_service::operations::key_ring;
use grantor_storage::node::{self, Node};
use grantor_testkit::app::TestApp;
use grantor_testkit::store::TestStore;
use grantor_testkit::{db_test, seed};

#[db_test]
async fn a_database_knows_its_ring(app: TestApp) {
    let store = &app.app.store;
    let own = app.app.keys.root_ids();
    assert_eq!(key_ring::bind(store, own.clone()).await, Ok(()));
    assert_eq!(key_ring::bind(store, own.clone()).await, Ok(()), "again");
    let foreign = key_ring::bind(store, vec!["0badcafe".into()]).await.unwrap_err();
    assert_eq!(
        foreign,
        format!(
            "the database belongs to another key ring (root {}): copy that installation's \
             keys.json to the data directory",
            own[0]
        )
    );
    assert_eq!(key_ring::check(store, vec!["0badcafe".into()]).await, Err(foreign));
}

#[db_test]
async fn only_a_database_without_a_schema_belongs_to_nobody(app: TestApp) {
    let strangers = || vec!["0badcafe".to_owned()];
    let empty = TestStore::empty(app.app.store.engine()).await;
    assert_eq!(key_ring::check(&empty.store, strangers()).await, Ok(()));
    let broken = "ALTER TABLE meta RENAME COLUMN value TO worth".to_owned();
    seed::run(&app.database.options, broken).await;
    let refused = key_ring::check(&app.app.store, strangers()).await.unwrap_err();
    assert!(refused.starts_with("database fault: "), "{refused}");
}

#[db_test]
async fn a_rotation_is_logged_and_used_after_all_nodes_had_time_to_follow(app: TestApp) {
    let context = Context::operator(app.app.clock.monotonic());
    key_ring::bind(&app.app.store, app.app.keys.root_ids()).await.unwrap();
    let old_ring = std::fs::read(app.mail_folder().with_file_name("keys.json")).unwrap();
    let rotated = key_ring::rotate(&app.app, &context, true).await.unwrap();
    let rows = seed::rows(
        &app.database.options,
        "SELECT action, actor_kind, resource_type, resource_id FROM log_entries",
    );
    assert_eq!(rows.await, [["keys.rotate", "operator", "keys", rotated.kid.as_str()]]);

    // A node with the old ring opens all that the rotated one seals until the keys are used.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.json");
    std::fs::write(&file, &old_ring).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let (clock, entropy) = (Arc::clone(&app.app.clock), Arc::clone(&app.app.entropy));
    let behind = Arc::new(Keys::read(folder.path(), clock, entropy).unwrap());
    let seals = || app.app.keys.seal(Purpose::Field, "x", b"value");
    let opens = |sealed: &[u8]| behind.open_sealed(Purpose::Field, "x", sealed).is_some();
    let fault = async || {
        let (keys, now) = (Arc::clone(&behind), app.clock.now());
        let found = app.app.store.read(move |tx| key_ring::find_fault(tx, &keys, now)).await;
        found.unwrap()
    };
    assert_eq!((opens(&seals()), fault().await), (true, None));
    app.clock.advance(Duration::from_secs(599));
    assert_eq!((opens(&seals()), fault().await), (true, None));
    assert_eq!(app.get("/readyz").await.status, 200);
    app.clock.advance(Duration::from_secs(1));
    assert!(!opens(&seals()), "the new root is used");
    let stale = fault().await.unwrap();
    assert!(stale.starts_with("the key ring is stale: it lacks the keys "), "{stale}");
    assert_eq!(app.get("/readyz").await.status, 200, "this node has the new keys");
}

#[db_test]
async fn a_node_with_a_stale_ring_is_not_ready(app: TestApp) {
    let future = "INSERT INTO meta (name, value) VALUES ('key_ring_rotation', '0 0badcafe:kid')";
    seed::run(&app.database.options, future.to_owned()).await;
    let answer = app.get("/readyz").await;
    let check = &answer.json()["checks"]["key_ring"];
    assert_eq!((answer.status.as_u16(), &check["ok"]), (503, &false.into()));
    let reason = check["reason"].as_str().unwrap();
    assert!(reason.contains("it lacks the keys 0badcafe:kid"), "{reason}");
}

#[db_test]
async fn a_rotation_is_withdrawn_unless_a_node_has_its_keys(app: TestApp) {
    let context = Context::operator(app.app.clock.monotonic());
    let (store, folder) = (&app.app.store, tempfile::tempdir().unwrap());
    let rotated = app.app.keys.rotate_to(&folder.path().join("new.json"), true).unwrap();
    let version = rotated.version.clone();
    key_ring::announce(&app.app, &context, rotated).await.unwrap();
    app.clock.advance(Duration::from_mins(10));
    assert_eq!(app.get("/readyz").await.status, 503);

    let (id, now) = (app.app.ids.next(), app.clock.now());
    let (key_ring, program) = (version.clone(), "0.1.0".to_owned());
    let holder = Node { id, beats: 0, schema_version: 1, key_ring, program, started_at: now };
    let joined: grantor_storage::Result<()> = store.write(move |tx| node::beat(tx, &holder)).await;
    joined.unwrap();
    let refused = key_ring::withdraw(&app.app, &context).await.unwrap_err().to_string();
    assert_eq!(
        refused,
        format!(
            "The rotation cannot be withdrawn, because nodes have loaded its keys ({version}): \
             {id}; copy their key ring to the other nodes"
        )
    );
    let left: grantor_storage::Result<bool> =
        store.write(move |tx| node::remove(tx, id, 1, now)).await;
    assert_eq!(left, Ok(true));
    assert_eq!(key_ring::withdraw(&app.app, &context).await.unwrap(), version);
    assert_eq!(app.get("/readyz").await.status, 200);
}
