//! `/webhooks/{id}/test`: sent now, once, to this one alone.

use std::time::Duration;

use grantor_testkit::app::Plan;
use grantor_testkit::listener::Script;
use grantor_testkit::server::eventually;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use serde_json::{Value, json};

use super::{Room, START, each, path, payload};
use crate::license::text;
use crate::outbound::HASTY;

/// A room whose house has no patience with receivers.
struct Hasty(Room);

impl Fixture for Hasty {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().expect("a network");
        Self(Room::planned(engine, Plan { allowed, times: HASTY, ..Plan::default() }).await)
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
        let error = format!("the receiver answered with {status}");
        json!({ "delivered": false, "status_code": status, "duration_ms": 0, "error": error })
    };
    for status in [500, 404, 410] {
        room.answers(Script::answer(status, b"no"));
        assert_eq!(room.test(&webhook).await, (200, bad(status)));
    }
    room.answers(Script::redirect(302, &room.receiver.url("/elsewhere")));
    assert_eq!(room.test(&webhook).await, (200, bad(302)));
    for (script, error) in [
        (Script::Close, "the answer could not be read as HTTP"),
        (Script::Raw(b"not HTTP at all\r\n\r\n".to_vec()), "the answer could not be read as HTTP"),
    ] {
        room.answers(script);
        let none =
            json!({ "delivered": false, "status_code": null, "duration_ms": 0, "error": error });
        assert_eq!(room.test(&webhook).await, (200, none));
    }
    assert_eq!(room.calls().len(), 7, "one call each");
    assert_eq!(room.shown(&webhook).await["status"], "active", "a test switches nothing off");
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
async fn one_that_never_answers_is_not_waited_for(room: Hasty) {
    let Hasty(room) = room;
    let webhook = room.webhook(&[]).await;
    let error = "no complete answer came in time";
    let none = json!({ "delivered": false, "status_code": null, "duration_ms": 0, "error": error });
    for script in [Script::Hang, Script::Drip(Duration::from_millis(10))] {
        room.answers(script);
        assert_eq!(room.test(&webhook).await, (200, none.clone()));
    }
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
    let error = "the URL must lead to a public address";
    let none = json!({ "delivered": false, "status_code": null, "duration_ms": 0, "error": error });
    assert_eq!(room.test(&webhook).await, (200, none));
    assert_eq!(text(&room.deliveries(&webhook).await[0]["attempts"][0]["error"]), error);
}
