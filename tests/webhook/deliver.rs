//! From a change to the receiver.

use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use serde_json::json;

use super::{Room, payload};
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
    assert_eq!(delivery["attempts"][9]["error"], "the receiver answered with 500");
    assert_eq!(delivery["attempts"][9]["response_body"], "not today");
    let ids: Vec<_> =
        room.calls().iter().map(|it| it.header("webhook-id").map(str::to_owned)).collect();
    assert!(ids.iter().all(|it| *it == ids[0]), "the same id at every attempt");
}
