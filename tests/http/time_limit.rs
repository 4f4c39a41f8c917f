//! A read that takes longer than the database allows is refused, and the next one is answered.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_storage::{Options, Store};
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::json;

use crate::license::World;

/// An app whose reads have a second.
struct Hurried(World);

impl Fixture for Hurried {
    async fn on(engine: Engine) -> Self {
        let mut database = TestStore::on(engine).await;
        database.options.time_limit = Duration::from_secs(1);
        database.store = Store::open(&database.options).await.unwrap();
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        let world = World::in_app(TestApp::in_database(database, config)).await;
        world.license(json!({ "status": "public" })).await;
        Self(world)
    }
}

impl Hurried {
    async fn external(&self) -> Answer {
        self.0.app.request(Method::GET, "/metadata").header("x-request-id", "r-1").send().await
    }

    async fn console(&self) -> Answer {
        let request = self.0.app.request(Method::GET, "/v1.0.1/org/licenses");
        request.console(&self.0.agency.console).send().await
    }
}

/// Puts a view that counts for minutes in the place of a table that lists are read from.
async fn slow_down(options: &Options) {
    let script = "ALTER TABLE license_readers RENAME TO kept_readers;
        CREATE VIEW license_readers AS
        WITH RECURSIVE n(v) AS (
          SELECT CAST(1 AS bigint) UNION ALL SELECT v + 1 FROM n WHERE v < 1000000000)
        SELECT k.* FROM kept_readers k WHERE (SELECT count(*) FROM n) > 0;";
    seed::run(options, script.to_owned()).await;
}

async fn speed_up(options: &Options) {
    let script = "DROP VIEW license_readers; ALTER TABLE kept_readers RENAME TO license_readers;";
    seed::run(options, script.to_owned()).await;
}

#[db_test]
async fn a_read_that_takes_too_long_is_a_503_that_says_when_to_try_again(fixture: Hurried) {
    let options = &fixture.0.app.database.options;
    let statuses = async || [fixture.external().await.status, fixture.console().await.status];
    assert_eq!(statuses().await, [200, 200]);
    slow_down(options).await;
    let (external, console) = tokio::join!(fixture.external(), fixture.console());
    let message = "The service is temporarily unavailable; try again shortly";
    let error = json!({ "code": "UNAVAILABLE", "message": message, "request_id": "r-1" });
    assert_eq!(external.whole(), (503, json!({ "success": false, "error": error })));
    let error = json!({ "code": "UNAVAILABLE", "message": message, "details": {} });
    assert_eq!(console.whole(), (503, json!({ "error": error, "status": "error" })));
    for answer in [&external, &console] {
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    speed_up(options).await;
    assert_eq!(statuses().await, [200, 200], "whoever reads goes on");
}
