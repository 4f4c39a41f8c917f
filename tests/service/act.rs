//! The frame of a change: its log entry and its events are written with it, or nothing is.

use grantor_domain::access::Actor;
use grantor_domain::audit::{Origin, Resource, Scheme};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{LicenseId, TenantId, UserId};
use grantor_domain::{Clock as _, Error, ErrorKind, Result};
use grantor_service::Context;
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::context::{RateLimitReport, RequestFlags, UndoOffer, Waiter};
use grantor_storage::{event, meta};
use grantor_testkit::app::TestApp;
use grantor_testkit::{db_test, seed};
use serde_json::json;
use uuid::Uuid;

/// Stores a fact and tells two tenants of it; can be made to fail at each step.
struct Publish {
    fail: &'static str,
}

fn tenant(number: u128) -> TenantId {
    TenantId::from(Uuid::from_u128(number))
}

impl Act for Publish {
    type Permit = &'static str;
    type Output = u8;
    const ACTION: &'static str = "license.publish";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<&'static str> {
        match (self.fail, unit.actor) {
            ("authorize", _) | (_, Actor::Anonymous) => {
                Err(Error::new(ErrorKind::AccessDenied, "No"))
            }
            _ => Ok("granted"),
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, permit: &'static str) -> Result<Done<u8>> {
        meta::put(unit.tx, "probe", permit)?;
        if self.fail == "decide" {
            return Err(Error::conflict("Not from this state"));
        }
        let license = LicenseId::from(Uuid::from_u128(9));
        let resource = Resource {
            kind: "license",
            id: Some(license.to_string()),
            name: Some("Spring".into()),
        };
        let done = Done::new(7, resource, "The license was published").with_event(NewEvent {
            kind: EventType::LicensePublished,
            owner: tenant(1),
            license: Some(license),
            resource_version: 3,
            data: json!({ "license_id": license }),
            recipients: vec![tenant(2), tenant(1), tenant(2)],
            receiver: None,
        });
        Ok(done)
    }
}

fn context(app: &TestApp) -> Context {
    Context {
        actor: Actor::User {
            id: UserId::from(Uuid::from_u128(5)),
            tenant: tenant(1),
            name: "Ada".into(),
        },
        origin: Origin {
            scheme: Scheme::Console,
            address: Some("203.0.113.7".parse().unwrap()),
            user_agent: Some("curl".into()),
            request_id: Some("r-1".into()),
            started: app.clock.monotonic(),
            trace: None,
        },
        idempotency: None,
        rate_limit: RateLimitReport::default(),
        waiter: Waiter::default(),
        flags: RequestFlags::default(),
        device: None,
        read_only: false,
        undo: UndoOffer::default(),
        batch: None,
        language: None,
    }
}

async fn written(app: &TestApp) -> (usize, usize, usize, usize) {
    let count = async |table: &str| {
        let query = format!("SELECT CAST(count(*) AS text) FROM {table}");
        seed::rows(&app.database.options, &query).await[0][0].parse::<usize>().unwrap()
    };
    let facts = "meta WHERE name = 'probe'";
    (
        count(facts).await,
        count("log_entries").await,
        count("events").await,
        count("feed_entries").await,
    )
}

#[db_test]
async fn a_change_is_written_whole(app: TestApp) {
    let output = app.app.act(&context(&app), Publish { fail: "" }).await;
    assert_eq!((output, written(&app).await), (Ok(7), (1, 1, 1, 2)));
    let query = "SELECT class, scheme, level, action, message, actor_kind, actor_name,
        resource_type, resource_id, resource_name, address, user_agent, request_id, details
        FROM log_entries";
    let rows = seed::rows(&app.database.options, query).await;
    let expected = [
        "audit",
        "console",
        "INFO",
        "license.publish",
        "The license was published",
        "user",
        "Ada",
        "license",
        "00000000-0000-0000-0000-000000000009",
        "Spring",
        "203.0.113.7",
        "curl",
        "r-1",
        "{}",
    ];
    assert_eq!(rows, [expected]);
    for feed in [tenant(1), tenant(2)] {
        let entries: grantor_storage::Result<_> =
            app.app.store.read(move |tx| event::list_feed(tx, feed, 0, 10)).await;
        let entries = entries.unwrap();
        assert_eq!((entries.len(), entries[0].sequence), (1, 1));
        assert_eq!((entries[0].kind.name(), entries[0].at), ("license.published", app.clock.now()));
    }
}

#[db_test]
async fn a_change_that_fails_leaves_nothing(app: TestApp) {
    for fail in ["authorize", "decide"] {
        assert!(app.app.act(&context(&app), Publish { fail }).await.is_err());
        assert_eq!(written(&app).await, (0, 0, 0, 0), "{fail}");
    }
    let nobody = Context { actor: Actor::Anonymous, ..context(&app) };
    assert!(app.app.act(&nobody, Publish { fail: "" }).await.is_err());
    assert_eq!(written(&app).await, (0, 0, 0, 0));
}

/// Staff who view an organization have such a context, whoever the actor is.
#[db_test]
async fn a_read_only_context_changes_nothing(app: TestApp) {
    let looking = Context { read_only: true, ..context(&app) };
    let refused = app.app.act(&looking, Publish { fail: "" }).await.unwrap_err();
    assert_eq!(*refused.kind(), ErrorKind::Forbidden);
    assert_eq!(written(&app).await, (0, 0, 0, 0));
}
