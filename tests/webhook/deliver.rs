//! From a change to the receiver.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use grantor_domain::{Clock as _, Timestamp};
use grantor_service::operations::retention::{Retention, sweep};
use grantor_testkit::listener::{Call, Script};
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{Room, each, path, payload};
use crate::external::invalid;
use crate::license::text;

#[db_test]
async fn a_change_arrives_once_and_signed(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    let license = room.world.license(json!({ "name": "Spring" })).await;
    room.send().await;
    room.send().await;
    let [call] = &room.calls()[..] else { panic!("{:?}", room.calls()) };
    let told = payload(call);
    let now = room.world.app.clock.now();
    assert_eq!((call.method.as_str(), call.path.as_str()), ("POST", "/hook"));
    assert_eq!(call.header("content-type"), Some("application/json"));
    assert_eq!(told["type"], "license.created");
    assert_eq!(told["data"]["license_id"], json!(license));
    assert_eq!(told["data"]["license"]["title"], "Spring");
    assert_eq!((&told["sequence"], &told["resource_version"]), (&json!(1), &json!(1)));
    let secret = Secret::parse(&[SecretKind::Webhook], &text(&webhook["secret"])).unwrap();
    let id = call.header("webhook-id").unwrap();
    let signature = sign(&[secret], id.parse().unwrap(), now, &call.body);
    assert_eq!(call.header("webhook-timestamp"), Some(now.as_secs().to_string().as_str()));
    assert_eq!(call.header("webhook-signature"), Some(signature.as_str()));
    let [delivery] = &room.deliveries(&webhook).await[..] else { panic!("one delivery") };
    assert_eq!((&delivery["status"], &delivery["event_id"]), (&json!("delivered"), &json!(id)));
    assert_eq!(delivery["attempts"][0]["status_code"], 200);
}

#[db_test]
async fn what_fails_is_tried_by_the_schedule_and_then_given_up(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.answers(Script::answer(500, b"not today"));
    room.world.license(json!({ "name": "Spring" })).await;
    let hours = |hours: u64| Duration::from_hours(hours);
    let waits = [
        Duration::from_secs(5),
        Duration::from_mins(5),
        Duration::from_mins(30),
        hours(2),
        hours(5),
        hours(10),
        hours(14),
        hours(20),
        hours(24),
    ];
    for (attempts, wait) in (1..).zip(waits) {
        room.send().await;
        assert_eq!(room.calls().len(), attempts, "not before its time");
        // A tenth more by chance.
        room.world.app.clock.advance(wait.mul_f64(1.11));
        room.send().await;
        assert_eq!(room.calls().len(), attempts + 1, "after {wait:?}");
    }
    room.world.app.clock.advance(hours(48));
    room.send().await;
    assert_eq!(room.calls().len(), 10);
    let [delivery] = &room.deliveries(&webhook).await[..] else { panic!("one delivery") };
    assert_eq!(delivery["status"], "failed");
    assert_eq!(delivery["attempts"].as_array().unwrap().len(), 10);
    assert_eq!(delivery["attempts"][9]["error"], "the receiver returned status 500");
    assert_eq!(delivery["attempts"][9]["response_body"], "not today");
    let ids: Vec<_> =
        room.calls().iter().map(|it| it.header("webhook-id").map(str::to_owned)).collect();
    assert!(ids.iter().all(|it| *it == ids[0]), "the same id at every attempt");
}

#[db_test]
async fn only_what_was_asked_for_is_told(room: Room) {
    let made = room.webhook_of(room.agency(), "/made", &["license.created"]).await;
    let changed = ["license.updated", "license.published"];
    room.webhook_of(room.agency(), "/changed", &changed).await;
    room.webhook_of(room.agency(), "/all", &[]).await;
    room.webhook_of(room.brand(), "/stranger", &[]).await;
    let id = room.world.license(json!({})).await;
    room.world.patch(&id, json!({ "title": "Spring" })).await;
    room.world.patch(&id, json!({ "status": "public" })).await;
    room.send().await;
    assert_eq!(room.told("/made"), ["license.created"]);
    let mut told = room.told("/changed");
    told.sort();
    assert_eq!(told, ["license.published", "license.updated", "license.updated"]);
    assert_eq!(room.told("/all").len(), 4);
    assert_eq!(room.told("/stranger"), Vec::<String>::new());
    assert_eq!(room.deliveries(&made).await.len(), 1);
}

#[db_test]
async fn a_disabled_one_hears_nothing_and_goes_on_when_enabled(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.world.license(json!({ "name": "Before" })).await;
    room.change(&webhook, json!({ "status": "disabled" })).await;
    room.world.license(json!({ "name": "Meanwhile" })).await;
    room.send().await;
    assert_eq!(room.calls().len(), 0);
    room.change(&webhook, json!({ "status": "active" })).await;
    room.world.license(json!({ "name": "After" })).await;
    room.send().await;
    let title = |it: &Call| text(&payload(it)["data"]["license"]["title"]);
    let mut titles: Vec<_> = room.calls().iter().map(title).collect();
    titles.sort();
    assert_eq!(titles, ["After", "Before"], "what was meanwhile can be replayed");
}

#[db_test]
async fn a_deleted_one_hears_nothing_and_is_swept(room: Room) {
    let (gone, stays) = (room.webhook(&[]).await, room.webhook(&[]).await);
    room.world.license(json!({})).await;
    room.ask(&format!("DELETE {}", path(&gone, "")), Value::Null).await;
    room.world.license(json!({})).await;
    room.send().await;
    assert_eq!((room.calls().len(), room.count("webhooks").await), (2, 2));
    let day = Duration::from_hours(24);
    let retention = Retention { events: day, access: day, audit: day, evidence: day };
    sweep(&room.world.app.app, retention).await.unwrap();
    assert_eq!(room.count("webhooks").await, 2, "the deletion can still be taken back");
    room.world.app.clock.advance(Duration::from_mins(2));
    sweep(&room.world.app.app, retention).await.unwrap();
    assert_eq!((room.count("webhooks").await, room.count("deliveries").await), (1, 2));
    assert_eq!(room.deliveries(&stays).await.len(), 2);
}

#[db_test]
async fn an_event_stays_while_it_is_on_its_way(room: Room) {
    room.webhook(&[]).await;
    room.answers(Script::answer(500, b""));
    room.world.license(json!({})).await;
    room.send().await;
    let day = Duration::from_hours(24);
    room.world.app.clock.advance(day * 2);
    let retention = Retention { events: day, access: day, audit: day, evidence: day };
    sweep(&room.world.app.app, retention).await.unwrap();
    assert_eq!((room.count("events").await, room.count("deliveries").await), (1, 1));
    room.answers(Script::ok(b""));
    room.send().await;
    sweep(&room.world.app.app, retention).await.unwrap();
    assert_eq!(room.count("events").await, 1, "it arrived just now: somebody may look");
    room.world.app.clock.advance(day);
    sweep(&room.world.app.app, retention).await.unwrap();
    assert_eq!((room.count("events").await, room.count("deliveries").await), (0, 0));
}

#[db_test]
async fn any_2xx_is_a_success_and_nothing_else_is(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    let statuses = [200, 201, 204, 206, 299, 301, 302, 303, 304, 307, 308, 400, 404, 429, 500, 503];
    for status in statuses {
        let script = match status {
            301..=308 => Script::redirect(status, &room.receiver.url("/elsewhere")),
            _ => Script::answer(status, b""),
        };
        room.answers(script);
        room.world.license(json!({})).await;
        room.send().await;
        let newest = room.deliveries(&webhook).await.swap_remove(0);
        let expected = if status < 300 { "delivered" } else { "pending" };
        let seen = (text(&newest["status"]), &newest["attempts"][0]["status_code"]);
        assert_eq!(seen, (expected.to_owned(), &json!(status)));
        room.change(&webhook, json!({ "status": "disabled" })).await;
        let script = "DELETE FROM deliveries".to_owned();
        seed::run(&room.world.app.database.options, script).await;
        room.change(&webhook, json!({ "status": "active" })).await;
    }
    let calls = room.calls();
    assert_eq!(calls.len(), statuses.len(), "one call each");
    assert!(calls.iter().all(|it| it.path == "/hook"), "no redirect was followed");
}

/// An answer of a receiver that asks for time.
fn busy(retry_after: &str) -> Script {
    let head = format!(
        "HTTP/1.1 503 Busy\r\nretry-after: {retry_after}\r\ncontent-length: 0\r\n\
         connection: close\r\n\r\n"
    );
    Script::Raw(head.into_bytes())
}

#[db_test]
async fn a_receiver_that_asks_for_time_gets_it(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    for (asked, least, most) in [
        ("600", 600, 600),
        ("Thu, 01 Jan 2026 01:00:00 GMT", 3_590, 3_600),
        ("0", 5, 6),
        ("soon", 5, 6),
        ("99999999", 86_400, 86_400),
    ] {
        room.answers(busy(asked));
        room.world.license(json!({})).await;
        let now = room.world.app.clock.now();
        room.send().await;
        let newest = room.deliveries(&webhook).await.swap_remove(0);
        let next = Timestamp::parse(&text(&newest["next_attempt_at"])).unwrap();
        let wait = next.since(now).as_secs();
        assert!((least..=most).contains(&wait), "{asked}: {wait}");
        let script = "DELETE FROM deliveries".to_owned();
        seed::run(&room.world.app.database.options, script).await;
    }
}

#[db_test]
async fn an_answer_is_shown_up_to_a_kibibyte_whatever_it_holds(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    let wide = "\u{e9}".repeat(4_000).into_bytes();
    let bodies: [(Vec<u8>, Option<String>); 6] = [
        (b"".to_vec(), None),
        (b"fine".to_vec(), Some("fine".to_owned())),
        (vec![b'x'; 100_000], Some("x".repeat(1_024))),
        (wide, Some("\u{e9}".repeat(512))),
        (b"a\0b\xff\xfec".to_vec(), Some("a\0b\u{fffd}\u{fffd}c".to_owned())),
        (vec![0xff; 2_000], Some("\u{fffd}".repeat(341))),
    ];
    for (body, shown) in bodies {
        room.answers(Script::ok(&body));
        room.world.license(json!({})).await;
        room.send().await;
        let newest = room.deliveries(&webhook).await.swap_remove(0);
        let attempt = &newest["attempts"][0];
        assert_eq!(
            (attempt["response_body"].clone(), &newest["status"]),
            (json!(shown), &json!("delivered"))
        );
    }
}

#[db_test]
async fn a_delivery_is_shown_whole_and_to_its_owner_alone(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.answers(Script::answer(500, b"a secret of the receiver"));
    room.world.license(json!({})).await;
    room.send().await;
    let list = format!("GET {}", path(&webhook, "/deliveries"));
    let listed = room.ask(&list, Value::Null).await.json();
    let delivery = &listed["data"][0];
    let at = "2026-01-01T00:00:01.000000Z";
    let attempt = json!({
        "at": at, "duration_ms": 0, "status_code": 500,
        "error": "the receiver returned status 500", "response_body": "a secret of the receiver",
    });
    let whole = json!({
        "id": delivery["id"], "webhook_id": webhook["id"], "event_id": delivery["event_id"],
        "event_type": "license.created", "sequence": 1, "status": "pending",
        "drop_reason": null, "next_attempt_at": delivery["next_attempt_at"], "attempts": [attempt],
        "created_at": at, "finished_at": null,
    });
    let pagination = json!({
        "page": 1, "per_page": 20, "total": 1, "total_pages": 1, "has_next": false,
        "has_prev": false,
    });
    assert_eq!(listed, json!({ "data": [whole], "pagination": pagination }));
    assert_eq!(room.ask_as(room.brand(), &list, Value::Null).await.status, 404);
    for (status, found) in [("pending", 1), ("delivered", 0), ("failed", 0), ("dropped", 0)] {
        let some = room.get(&path(&webhook, &format!("/deliveries?status={status}"))).await;
        assert_eq!(each(some["data"].as_array().unwrap(), "id").len(), found, "{status}");
    }
    let wrong = room.ask(&format!("{list}?status=lost"), Value::Null).await;
    let reason = "must be one of pending, delivered, failed, dropped";
    assert_eq!(wrong.whole(), (400, invalid(&json!({ "status": reason }))));
}

#[db_test]
async fn of_changes_that_were_rolled_back_nothing_is_told(room: Room) {
    room.webhook(&[]).await;
    let one = || room.world.create(json!({ "externalId": "ONE" }));
    let made = join_all((0..16).map(|_| one())).await;
    assert_eq!(made.iter().filter(|it| it.status == 201).count(), 1);
    room.send().await;
    assert_eq!(room.told("/hook"), ["license.created"]);
    assert_eq!((room.count("events").await, room.count("deliveries").await), (1, 1));
    let feed = room.get("/events").await;
    assert_eq!((&feed["data"][0]["sequence"], &feed["next_cursor"]), (&json!(1), &json!("1")));
}

#[db_test]
async fn a_long_queue_is_sent_whole(room: Room) {
    room.webhook(&[]).await;
    let app = &room.world.app;
    let tenant = room.agency().organization.parse().unwrap();
    let told = crate::webhook::kill::write(app.app.store.clone(), tenant, 400).await;
    // The planner then knows how many there are, and may choose another way to them.
    seed::run(&app.database.options, "ANALYZE".to_owned()).await;
    room.send().await;
    let seen: Vec<_> =
        room.calls().iter().map(|it| it.header("webhook-id").map(str::to_owned)).collect();
    let once: std::collections::HashSet<_> = seen.iter().flatten().cloned().collect();
    assert_eq!((seen.len(), once), (400, told));
}
