//! Receivers that fail, come back or are gone: what their owner sees and is told.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_service::Context;
use grantor_service::operations::retention::{Retention, sweep};
use grantor_service::webhooks::webhook::{Reason, disable};
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use serde_json::{Value, json};

use super::{Room, START, each, path, queue_age};
use crate::license::text;

const DAYS: Duration = Duration::from_hours(5 * 24);

impl Room {
    /// How many letters say that a webhook was switched off.
    async fn letters(&self) -> usize {
        let app = &self.world.app;
        app.send_mails().await;
        let mails = std::fs::read_dir(app.mail_folder()).unwrap().map(|it| it.unwrap().path());
        let texts = mails.map(|it| std::fs::read_to_string(it).unwrap());
        let told = |it: &String| it.contains("Subject: The webhook to ");
        texts.filter(|it| told(it) && it.contains(" was disabled\r\n")).count()
    }

    async fn health(&self, webhook: &Value) -> [Value; 3] {
        let shown = self.shown(webhook).await;
        ["status", "last_success_at", "failing_since"].map(|name| shown[name].clone())
    }
}

#[db_test]
async fn health_is_shown_and_clears(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    let [first, second] = ["2026-01-01T00:00:01.000000Z", "2026-01-01T00:00:11.000000Z"];
    let active = json!("active");
    room.answers(Script::answer(500, b""));
    room.world.license(json!({})).await;
    room.send().await;
    assert_eq!(room.health(&webhook).await, [active.clone(), json!(null), json!(first)]);
    room.world.app.clock.advance(Duration::from_secs(10));
    room.answers(Script::ok(b""));
    room.send().await;
    assert_eq!(room.health(&webhook).await, [active.clone(), json!(second), json!(null)]);
    room.answers(Script::Close);
    room.world.license(json!({})).await;
    room.send().await;
    let third = json!("2026-01-01T00:00:12.000000Z");
    assert_eq!(room.health(&webhook).await, [active.clone(), json!(second), third.clone()]);
    room.change(&webhook, json!({ "description": "still the same place" })).await;
    assert_eq!(room.health(&webhook).await[2], third);
    room.change(&webhook, json!({ "url": room.receiver.url("/moved") })).await;
    assert_eq!(room.health(&webhook).await, [active, json!(second), json!(null)]);
}

#[db_test]
async fn after_five_days_of_failures_it_is_off_and_its_owner_knows(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.answers(Script::answer(500, b""));
    for _ in 0..3 {
        room.world.create(json!({})).await;
    }
    room.send().await;
    room.world.app.clock.advance(DAYS.saturating_sub(Duration::from_micros(1)));
    room.send().await;
    assert_eq!(room.health(&webhook).await, [json!("active"), json!(null), json!(START)]);
    assert_eq!(room.letters().await, 0);
    room.world.app.clock.advance(Duration::from_mins(6));
    room.send().await;
    assert_eq!(room.health(&webhook).await, [json!("disabled"), json!(null), json!(START)]);
    room.world.app.clock.advance(Duration::from_mins(1));
    let letter = room.world.app.newest_mail("ada@example.com").await;
    let calls = room.calls().len();
    room.world.app.clock.advance(DAYS);
    room.send().await;
    assert_eq!((room.calls().len(), room.letters().await), (calls, 1), "nothing more, told once");
    assert!(
        letter.contains("failed for five days") && letter.contains(&room.receiver.url("/hook"))
    );
    let logged = ["INFO webhook.create", "WARN webhook.warn", "WARN webhook.disable"];
    assert_eq!(room.logged().await, logged);

    room.answers(Script::ok(b""));
    room.change(&webhook, json!({ "status": "active" })).await;
    assert_eq!(room.health(&webhook).await[2], json!(null), "it begins afresh");
    room.send().await;
    let deliveries = room.deliveries(&webhook).await;
    assert_eq!(each(&deliveries, "status"), ["delivered"; 3], "what waited goes on");
}

#[db_test]
async fn a_success_in_between_begins_the_five_days_anew(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.answers(Script::answer(500, b""));
    for _ in 0..2 {
        room.world.create(json!({})).await;
    }
    room.send().await;
    room.world.app.clock.advance(DAYS / 2);
    room.answers(Script::ok(b""));
    room.send().await;
    let id = text(&room.deliveries(&webhook).await[0]["id"]);
    room.answers(Script::answer(500, b""));
    room.world.app.clock.advance(DAYS / 2);
    let retry = path(&webhook, &format!("/deliveries/{id}/retry"));
    assert_eq!(room.ask(&format!("POST {retry}"), Value::Null).await.status, 202);
    room.send().await;
    assert_eq!(
        (room.health(&webhook).await[0].clone(), room.letters().await),
        (json!("active"), 0)
    );
}

#[db_test]
async fn a_receiver_that_is_gone_is_left_alone(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.answers(Script::answer(410, b"gone"));
    room.world.license(json!({})).await;
    room.send().await;
    let deliveries = room.deliveries(&webhook).await;
    assert_eq!((deliveries[0]["status"].clone(), room.letters().await), (json!("failed"), 1));
    assert_eq!(room.health(&webhook).await[0], json!("disabled"));
    let letter = room.world.app.newest_mail("ada@example.com").await;
    assert!(letter.contains("410 Gone"));
    room.world.license(json!({})).await;
    room.world.app.clock.advance(Duration::from_hours(24));
    room.send().await;
    assert_eq!(room.calls().len(), 1);
    assert_eq!(room.logged().await, ["INFO webhook.create", "WARN webhook.disable"]);
}

#[db_test]
async fn of_many_who_find_it_failing_one_switches_it_off(room: Room) {
    let webhook = room.webhook(&[]).await;
    let (app, id) = (&room.world.app.app, text(&webhook["id"]).parse().unwrap());
    let context = Context::system(app.clock.monotonic());
    let all = join_all((0..8).map(|_| disable(app, &context, id, Reason::Failing))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    assert_eq!(room.letters().await, 1);
    assert_eq!(room.logged().await, ["INFO webhook.create", "WARN webhook.disable"]);
}

/// What waits for a receiver that nobody switches on again keeps its event no longer than others
/// are kept, and its owner sees that.
#[db_test]
async fn what_waits_too_long_is_dropped_and_then_forgotten(room: Room) {
    let (off, on) =
        (room.webhook(&["license.created"]).await, room.webhook(&["license.created"]).await);
    room.world.license(json!({})).await;
    room.change(&off, json!({ "status": "disabled" })).await;
    let days = |days: u64| Duration::from_hours(24 * days);
    let kept =
        Retention { events: days(30), access: days(30), audit: days(730), evidence: days(730) };
    let (app, clock) = (&room.world.app.app, &room.world.app.clock);
    clock.advance(days(30));
    sweep(app, kept).await.unwrap();
    assert_eq!(each(&room.deliveries(&off).await, "status"), ["pending"], "to the day");
    clock.advance(Duration::from_secs(2));
    sweep(app, kept).await.unwrap();
    let shown = room.deliveries(&off).await;
    assert_eq!(
        (&shown[0]["status"], &shown[0]["drop_reason"]),
        (&json!("dropped"), &json!("expired"))
    );
    assert_eq!(each(&room.deliveries(&on).await, "status"), ["pending"], "the control: not here");
    let age = queue_age(app).await;
    assert!(age > days(30), "{age:?}: what is due at the other");
    room.send().await;
    assert_eq!(queue_age(app).await, Duration::ZERO);
    clock.advance(days(1));
    sweep(app, kept).await.unwrap();
    assert_eq!((room.count("deliveries").await, room.count("events").await), (0, 0));
}

#[db_test]
async fn what_waits_for_one_that_is_off_is_not_due(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.world.license(json!({})).await;
    room.world.app.clock.advance(Duration::from_mins(10));
    let age = async || queue_age(&room.world.app.app).await.as_secs();
    assert_eq!(age().await, 600);
    room.change(&webhook, json!({ "status": "disabled" })).await;
    assert_eq!(age().await, 0);
    room.change(&webhook, json!({ "status": "active" })).await;
    assert_eq!(age().await, 600);
}
