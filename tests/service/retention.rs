//! What is forgotten, and when.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource, Scheme};
use grantor_service::Context;
use grantor_service::operations::key_ring;
use grantor_service::operations::retention::{Retention, sweep};
use grantor_storage::audit;
use grantor_testkit::app::TestApp;
use grantor_testkit::clock::MockClock;
use grantor_testkit::{db_test, seed};
use serde_json::json;

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

/// In 2040: after every part of the log that a migration makes.
const LATER: Timestamp = Timestamp::from_secs(2_208_988_800);

fn retention() -> Retention {
    Retention { events: DAY, access: DAY * 30, audit: DAY * 730, evidence: DAY }
}

/// An entry of a class that is written now.
async fn log(app: &TestApp, class: Class) {
    let entry = Entry {
        id: class.id(app.app.ids.next()),
        tenant: None,
        at: app.app.clock.now(),
        class,
        level: Level::Info,
        action: "license.read".into(),
        message: format!("An entry of the {} log", class.name()),
        actor: Actor::Anonymous,
        resource: Resource { kind: "license", id: None, name: None },
        license: None,
        origin: Origin {
            scheme: Scheme::External,
            address: None,
            user_agent: None,
            request_id: None,
            trace: None,
            started: Duration::ZERO,
        },
        duration: Duration::ZERO,
        details: json!({}),
    };
    let written: grantor_storage::Result<()> =
        app.app.store.write(move |tx| audit::insert(tx, &entry)).await;
    written.unwrap();
}

/// On PostgreSQL by dropping parts of the log, which outlive their retention by a tenth at most.
#[db_test]
async fn each_class_of_the_log_has_its_own_retention(app: TestApp) {
    let classes = async || {
        let query = "SELECT class FROM log_entries ORDER BY class";
        seed::rows(&app.database.options, query).await.concat()
    };
    app.clock.set_wall(LATER);
    sweep(&app.app, retention()).await.unwrap();
    log(&app, Class::Access).await;
    log(&app, Class::Audit).await;
    for (days, left) in [(29, vec!["access", "audit"]), (5, vec!["audit"]), (680, vec!["audit"])] {
        app.clock.advance(DAY * days);
        sweep(&app.app, retention()).await.unwrap();
        assert_eq!(classes().await, left, "after {days} more days");
    }
    app.clock.advance(DAY * 90);
    assert_eq!(sweep(&app.app, retention()).await, Ok(1));
    assert_eq!(classes().await, Vec::<String>::new());
}

/// On PostgreSQL a node whose clock was wrong made a part that is not dropped for years.
#[db_test]
async fn an_entry_in_a_part_that_is_too_long_is_forgotten_as_well(app: TestApp) {
    let count = async || {
        let query = "SELECT CAST(count(*) AS text) FROM log_entries";
        seed::rows(&app.database.options, query).await.concat()
    };
    app.clock.set_wall(LATER);
    sweep(&app.app, retention()).await.unwrap();
    app.clock.set_wall(LATER.minus(DAY * 400));
    log(&app, Class::Access).await;
    app.clock.advance(DAY * 30);
    sweep(&app.app, retention()).await.unwrap();
    assert_eq!(count().await, ["1"], "not before its time");
    app.clock.advance(DAY * 7);
    assert_eq!(sweep(&app.app, retention()).await, Ok(1));
    assert_eq!(count().await, ["0"]);
}

#[db_test]
async fn a_deleted_platform_is_purged_unless_a_mention_shows_it(app: TestApp) {
    let options = &app.database.options;
    seed::public_licenses(options, 1).await;
    let deleted_at = MockClock::START.as_micros();
    for number in [1, 2] {
        let id = seed::id(options, &format!("40000000-0000-0000-0000-00000000000{number}"));
        let script = format!(
            "INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at, deleted_at)
             SELECT {id}, tenant_id, 'Site {number}', 'site{number}.example', {number}, {deleted_at}
             FROM licenses"
        );
        seed::run(options, script).await;
    }
    seed::mentions(options, "30000000-0000-0000-0000-000000000001", 5, 1).await;
    let names =
        async || seed::rows(options, "SELECT name FROM platforms ORDER BY name").await.concat();
    app.clock.advance(DAY * 730);
    sweep(&app.app, retention()).await.unwrap();
    assert_eq!(names().await, ["Site 1", "Site 2"], "not before its time");
    app.clock.advance(DAY);
    sweep(&app.app, retention()).await.unwrap();
    assert_eq!(names().await, ["Site 1"], "mentions show its name");
}
