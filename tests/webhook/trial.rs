//! `/webhooks/{id}/test`: sent now, once, to this one alone.

use std::time::Duration;

use grantor_testkit::app::TestConfig;
use grantor_testkit::listener::Script;
use grantor_testkit::server::eventually;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use serde_json::{Value, json};

use super::{Room, START, each, path, payload};
use crate::license::text;
use crate::outbound::HASTY;

/// A room whose app has no patience with receivers.
struct Hasty(Room);

impl Fixture for Hasty {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().expect("a network");
        Self(
            Room::with_config(
                engine,
                TestConfig { allowed, times: HASTY, ..TestConfig::default() },
            )
            .await,
        )
    }
}

impl Room {
    async fn test(&self, webhook: &Value) -> (u16, Value) {
        self.ask(&format!("POST {}", path(webhook, "/test")), Value::Null).await.whole()
    }
}

#[db_test]
async fn what_came_of_it_is_answered(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    let good = json!({ "delivered": true, "status_code": 204, "duration_ms": 0 });
    room.answers(Script::answer(204, b""));
    assert_eq!(room.test(&webhook).await, (200, good));
    let bad = |status: u16| {
        let error = format!("the receiver returned status {status}");
        json!({ "delivered": false, "status_code": status, "duration_ms": 0, "error": error })
    };
    for status in [500, 404] {
        room.answers(Script::answer(status, b"no"));
        assert_eq!(room.test(&webhook).await, (200, bad(status)));
    }
    room.answers(Script::redirect(302, &room.receiver.url("/elsewhere")));
    assert_eq!(room.test(&webhook).await, (200, bad(302)));
    for (script, error) in [
        (Script::Close, "the response is not valid HTTP"),
        (Script::Raw(b"not HTTP at all\r\n\r\n".to_vec()), "the response is not valid HTTP"),
    ] {
        room.answers(script);
        let none =
            json!({ "delivered": false, "status_code": null, "duration_ms": 0, "error": error });
        assert_eq!(room.test(&webhook).await, (200, none));
    }
    assert_eq!(room.calls().len(), 6, "one call each");
    assert_eq!(room.shown(&webhook).await["status"], "active", "none of these switches it off");
}

#[db_test]
async fn one_that_is_gone_is_switched_off(room: Room) {
    let webhook = room.webhook(&[]).await;
    room.answers(Script::answer(410, b""));
    let gone = |error: &str| {
        let body =
            json!({ "delivered": false, "status_code": 410, "duration_ms": 0, "error": error });
        (200, body)
    };
    let first = "the receiver returned status 410: the webhook was disabled";
    assert_eq!(room.test(&webhook).await, gone(first));
    assert_eq!(room.shown(&webhook).await["status"], "disabled");
    assert_eq!(room.test(&webhook).await, gone("the receiver returned status 410"), "it was off");
    let mut logged = room.logged().await;
    logged.sort();
    let acts = ["INFO webhook.create", "INFO webhook.test", "INFO webhook.test"];
    assert_eq!(logged, [&acts[..], &["WARN webhook.disable"]].concat());
}

#[db_test]
async fn it_is_an_event_for_this_one_alone_and_never_tried_again(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.webhook_of(room.agency(), "/other", &["webhook.test"]).await;
    room.answers(Script::answer(500, b""));
    room.test(&webhook).await;
    room.answers(Script::ok(b""));
    room.world.app.clock.advance(Duration::from_hours(24));
    room.send().await;
    let [call] = &room.calls()[..] else { panic!("{:?}", room.calls()) };
    let told = json!({
        "type": "webhook.test", "timestamp": START, "data": { "webhook_id": webhook["id"] },
        "sequence": 1, "resource_version": 1,
    });
    assert_eq!((call.path.as_str(), payload(call)), ("/hook", told.clone()));
    let [delivery] = &room.deliveries(&webhook).await[..] else { panic!("one delivery") };
    assert_eq!(
        (&delivery["status"], &delivery["event_type"]),
        (&json!("failed"), &json!("webhook.test"))
    );
    let mut event = told;
    event["id"] = json!(call.header("webhook-id").unwrap());
    assert_eq!(room.get("/events").await["data"], json!([event]));
    let acts = ["create", "create", "test"].map(|it| format!("INFO webhook.{it}"));
    assert_eq!(room.logged().await, acts);
}

#[db_test]
async fn one_that_is_switched_off_can_be_tried(room: Room) {
    let webhook = room.webhook(&[]).await;
    room.change(&webhook, json!({ "status": "disabled" })).await;
    assert_eq!(room.test(&webhook).await.1["delivered"], true);
    assert_eq!(room.told("/hook"), ["webhook.test"]);
}

#[db_test]
async fn a_test_that_arrived_is_the_last_success_and_one_that_did_not_is_none(room: Room) {
    let webhook = room.webhook(&[]).await;
    room.answers(Script::answer(500, b""));
    room.test(&webhook).await;
    assert_eq!(room.shown(&webhook).await["last_success_at"], Value::Null);
    room.world.app.clock.advance(Duration::from_mins(1));
    room.answers(Script::answer(204, b""));
    room.test(&webhook).await;
    let shown = room.shown(&webhook).await;
    assert_eq!(shown["last_success_at"], json!("2026-01-01T00:01:00.000000Z"));
    assert_eq!(shown["failing_since"], Value::Null);
}

#[db_test]
async fn one_that_never_answers_is_not_waited_for(room: Hasty) {
    let Hasty(room) = room;
    let webhook = room.webhook(&[]).await;
    let error = "the request timed out";
    let none = json!({ "delivered": false, "status_code": null, "duration_ms": 0, "error": error });
    room.answers(Script::Hang);
    assert_eq!(room.test(&webhook).await, (200, none));
}

/// The head has said what counts: what becomes of the body is the receiver's own affair.
#[db_test]
async fn the_status_decides_whatever_becomes_of_the_body(room: Hasty) {
    let Hasty(room) = room;
    let webhook = room.webhook(&[]).await;
    let head = |status: u16| format!("HTTP/1.1 {status} X\r\ncontent-length: 100\r\n\r\nhalf");
    let long = vec![b'x'; 200 * 1024];
    let broken = b"HTTP/1.1 202 X\r\ntransfer-encoding: chunked\r\n\r\nno chunk".to_vec();
    for (script, status) in [
        (Script::Raw(head(200).into_bytes()), 200),
        (Script::Raw(head(500).into_bytes()), 500),
        (Script::Raw(broken), 202),
        (Script::answer(201, &long), 201),
        (Script::Endless, 200),
        (Script::Drip(Duration::from_millis(10)), 200),
    ] {
        room.answers(script.clone());
        let (_, told) = room.test(&webhook).await;
        let delivered = status < 300;
        assert_eq!(
            (&told["delivered"], &told["status_code"]),
            (&json!(delivered), &json!(status)),
            "{script:?}"
        );
    }
    let shown = room.deliveries(&webhook).await;
    let cut = json!("half");
    assert_eq!(shown[5]["attempts"][0]["response_body"], cut, "what came of it is kept");
    let longest = shown.iter().filter_map(|it| it["attempts"][0]["response_body"].as_str());
    assert_eq!(longest.map(str::len).max(), Some(1_024));
}

/// Whoever asked may hang up: what came of it is written all the same, and nobody tries again.
#[db_test]
async fn a_test_whose_caller_hung_up_is_still_only_one(room: Hasty) {
    let Hasty(room) = room;
    let webhook = room.webhook(&[]).await;
    room.answers(Script::Hang);
    let arrived = async {
        eventually("the call", async || (!room.calls().is_empty()).then_some(())).await;
    };
    tokio::select! {
        () = arrived => {}
        answer = room.test(&webhook) => panic!("{answer:?}"),
    }
    let settled = async || {
        let shown = room.deliveries(&webhook).await;
        (each(&shown, "status") == ["failed"]).then_some(())
    };
    eventually("what came of it", settled).await;
    room.world.app.clock.advance(Duration::from_hours(1));
    room.send().await;
    assert_eq!(room.calls().len(), 1);
}

#[db_test]
async fn an_address_that_is_refused_is_not_connected_to(room: Room) {
    let webhook = room.webhook(&[]).await;
    let script = "UPDATE webhooks SET url = 'https://10.1.2.3/'".to_owned();
    seed::run(&room.world.app.database.options, script).await;
    let error = "the URL must resolve to a public address";
    let none = json!({ "delivered": false, "status_code": null, "duration_ms": 0, "error": error });
    assert_eq!(room.test(&webhook).await, (200, none));
    assert_eq!(text(&room.deliveries(&webhook).await[0]["attempts"][0]["error"]), error);
}
