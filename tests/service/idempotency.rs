//! What becomes of a key whose request died with its process.

use std::time::Duration;

use grantor_domain::ErrorKind;
use grantor_domain::idempotency::{CLAIM_LEASE, IdempotencyKey};
use grantor_service::App;
use grantor_service::operations::idempotency::{BeginOutcome, KeyedRequest, begin};
use grantor_service::operations::node;
use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;

/// Begins the same request on a node; says whether it may go ahead.
async fn may_begin(app: &App) -> bool {
    let request = KeyedRequest {
        caller: "client 1".to_owned(),
        method: "POST".to_owned(),
        path: "/licenses".to_owned(),
        key: IdempotencyKey::parse("key").unwrap(),
        body_hash: KeyedRequest::hash(None, b"body"),
    };
    match begin(app, request, Duration::ZERO).await {
        Ok(begun) => matches!(begun, BeginOutcome::First(_)),
        Err(error) => {
            let retry_after = Duration::from_secs(1);
            assert_eq!(error.kind(), &ErrorKind::InProgress { retry_after });
            false
        }
    }
}

#[db_test]
async fn a_key_of_a_dead_node_is_free_within_seconds(app: TestApp) {
    node::join(&app.app).await.unwrap();
    assert!(may_begin(&app.app).await);
    assert!(!may_begin(&app.app).await);
    let other = app.another_node(8).await;
    node::join(&other).await.unwrap();
    if other.store.is_shared() {
        assert!(!may_begin(&other).await, "the first node may live");
        node::beat(&app.app).await.unwrap();
        for beat in 0..3 {
            node::beat(&other).await.unwrap();
            assert!(!may_begin(&other).await, "after {beat} beats");
        }
        node::beat(&other).await.unwrap();
    }
    assert!(may_begin(&other).await);
    assert!(!may_begin(&other).await, "what this node began holds");
}

#[db_test]
async fn a_key_of_a_process_that_is_no_node_is_free_when_its_time_is_over(app: TestApp) {
    assert!(may_begin(&app.app).await);
    let other = app.another_node(8).await;
    assert!(!may_begin(&other).await);
    app.clock.advance(CLAIM_LEASE);
    assert!(may_begin(&other).await);
}
