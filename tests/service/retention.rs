//! What is forgotten, and when.

use std::time::Duration;

use grantor_service::Context;
use grantor_service::operations::key_ring;
use grantor_service::operations::retention::{Retention, sweep};
use grantor_testkit::app::TestApp;
use grantor_testkit::{db_test, seed};

const DAY: Duration = Duration::from_hours(24);

#[db_test]
async fn an_entry_is_forgotten_after_its_retention_and_not_before(app: TestApp) {
    let retention = Retention { events: DAY, access: DAY, audit: DAY * 2, evidence: DAY };
    key_ring::rotate(&app.app, &Context::system(Duration::ZERO), false).await.unwrap();
    let entries =
        async || seed::rows(&app.database.options, "SELECT action FROM log_entries").await;
    app.clock.advance(DAY * 2);
    assert_eq!(sweep(&app.app, retention).await, Ok(0));
    assert_eq!(entries().await, [["keys.rotate"]]);
    app.clock.advance(Duration::from_micros(1));
    assert_eq!(sweep(&app.app, retention).await, Ok(1));
    assert_eq!(entries().await, Vec::<Vec<String>>::new());
}
