//! The key ring and the database belong together.

use grantor_service::{Context, ring};
use grantor_testkit::app::TestApp;
use grantor_testkit::{db_test, seed};

#[db_test]
async fn a_database_knows_its_ring(app: TestApp) {
    let store = &app.app.store;
    let own = app.app.keys.root_ids();
    assert_eq!(ring::bind(store, own.clone()).await, Ok(()));
    assert_eq!(ring::bind(store, own.clone()).await, Ok(()), "again");
    let foreign = ring::bind(store, vec!["0badcafe".into()]).await.unwrap_err();
    assert_eq!(
        foreign,
        format!(
            "the database belongs to another key ring (root {}): put that installation's \
             keys.json into the data directory",
            own[0]
        )
    );
    assert_eq!(ring::check(store, vec!["0badcafe".into()]).await, Err(foreign));
}

#[db_test]
async fn a_rotation_is_logged_and_binds_the_new_root(app: TestApp) {
    let context = Context::operator(app.app.clock.monotonic());
    ring::bind(&app.app.store, app.app.keys.root_ids()).await.unwrap();
    let rotated = ring::rotate(&app.app, &context, true).await.unwrap();
    let rows = seed::rows(
        &app.database.options,
        "SELECT action, actor_kind, resource_type, resource_id FROM log_entries",
    );
    assert_eq!(rows.await, [["keys.rotate", "operator", "keys", rotated.kid.as_str()]]);
    let newest = vec![rotated.root.unwrap()];
    assert_eq!(ring::check(&app.app.store, newest).await, Ok(()));
}
