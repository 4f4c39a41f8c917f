//! The key ring and the database belong together.

use grantor_service::Context;
use grantor_service::operations::key_ring;
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
async fn a_rotation_is_logged_and_binds_the_new_root(app: TestApp) {
    let context = Context::operator(app.app.clock.monotonic());
    key_ring::bind(&app.app.store, app.app.keys.root_ids()).await.unwrap();
    let rotated = key_ring::rotate(&app.app, &context, true).await.unwrap();
    let rows = seed::rows(
        &app.database.options,
        "SELECT action, actor_kind, resource_type, resource_id FROM log_entries",
    );
    assert_eq!(rows.await, [["keys.rotate", "operator", "keys", rotated.kid.as_str()]]);
    let newest = vec![rotated.root.unwrap()];
    assert_eq!(key_ring::check(&app.app.store, newest).await, Ok(()));
}
