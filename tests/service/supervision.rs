//! Jobs that panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use grantor_testkit::app::TestApp;
use grantor_testkit::server::eventually;
use grantor_testkit::{Engine, Fixture as _};
use grantor_workers::supervise;
use serde_json::json;

#[tokio::test]
async fn a_job_that_panicked_begins_again_and_is_named() {
    let app = TestApp::on(Engine::Sqlite).await;
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let job = tokio::spawn(supervise(app.app.clone(), "probe", move || {
        let run = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            assert!(run > 0, "as asked");
            std::future::pending::<()>().await;
        }
    }));
    let restarted = async || (runs.load(Ordering::SeqCst) == 2).then_some(());
    eventually("the second run", restarted).await;
    assert!(!job.is_finished());
    let ready = app.get("/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json()["status"]), (200, &"degraded".into()));
    assert_eq!(ready.json()["checks"]["jobs"], json!({ "ok": false, "failing": ["probe"] }));
}
