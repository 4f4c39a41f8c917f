//! What becomes of a key whose request died with its process.

use std::time::Duration;

use grantor_domain::ErrorKind;
use grantor_domain::idempotency::{CLAIM_LEASE, IdempotencyKey};
use grantor_service::App;
use grantor_service::operations::idempotency::{BeginOutcome, KeyedRequest, begin};
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
async fn a_key_left_by_a_dead_process_is_free_soon(app: TestApp) {
    assert!(may_begin(&app.app).await);
    assert!(!may_begin(&app.app).await);
    app.clock.advance(Duration::from_secs(1));
    let next_life = app.another_node(8).await;
    if next_life.store.is_shared() {
        // The other node may be alive: its lease has to run out.
        assert!(!may_begin(&next_life).await);
        app.clock.advance(CLAIM_LEASE);
    }
    assert!(may_begin(&next_life).await);
    assert!(!may_begin(&next_life).await, "what this life began holds");
}
