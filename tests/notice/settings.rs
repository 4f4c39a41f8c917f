//! `/user/notifications`.

use grantor_domain::notice::NoticeKind;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::SETTINGS;
use crate::license::World;

/// The channel of each kind, as the API shows it.
fn channels(data: &Value) -> Value {
    let kinds = data["kinds"].as_array().unwrap().iter();
    let pair = |it: &Value| (it["kind"].as_str().unwrap().to_owned(), it["channel"].clone());
    Value::Object(kinds.map(pair).collect())
}

#[db_test]
async fn a_person_without_settings_has_the_defaults(world: World) {
    let answer = world.agency.console(&world.app, Method::GET, SETTINGS, None).await.json();
    let mut data = answer["data"].clone();
    let kinds = data["kinds"].take();
    let rest = json!({
        "kinds": null, "digestHour": 8, "timeZone": "UTC", "language": null,
        "email": "ada@example.com", "emailRefused": false,
    });
    assert_eq!(data, rest);
    let expected: Vec<_> = NoticeKind::of_members()
        .map(|kind| {
            let channel = kind.default_channel().name();
            json!({
                "kind": kind.name(), "description": kind.label(), "channel": channel,
                "default": channel,
            })
        })
        .collect();
    assert_eq!(kinds, json!(expected));
}

#[db_test]
async fn settings_are_changed_and_the_rest_stays(world: World) {
    let body = json!({
        "channels": { "request": "digest", "offer": "off" }, "timeZone": "Europe/Berlin",
    });
    let answer = world.set(&world.agency, body).await;
    assert_eq!(answer.json()["message"], "Notification settings updated");
    let data = &answer.json()["data"];
    assert_eq!((&data["digestHour"], &data["timeZone"]), (&json!(8), &json!("Europe/Berlin")));
    let chosen = channels(data);
    assert_eq!(
        (&chosen["request"], &chosen["offer"], &chosen["message"]),
        (&json!("digest"), &json!("off"), &json!("now"))
    );
    let answer = world.set(&world.agency, json!({ "digestHour": 0 })).await;
    let data = &answer.json()["data"];
    assert_eq!((&data["digestHour"], &data["timeZone"]), (&json!(0), &json!("Europe/Berlin")));
    assert_eq!(channels(data), chosen);
    let other = world.brand.console(&world.app, Method::GET, SETTINGS, None).await.json();
    assert_eq!(channels(&other["data"])["request"], "now", "everybody has their own");
}

#[db_test]
async fn a_change_of_nothing_is_not_logged(world: World) {
    let entries = async || {
        let query = "SELECT action FROM log_entries WHERE action = 'notification.update'";
        seed::rows(&world.app.database.options, query).await
    };
    let before = entries().await;
    assert_eq!(world.set(&world.agency, json!({ "another": 1 })).await.status, 200);
    assert_eq!(entries().await, before);
    assert_eq!(world.set(&world.agency, json!({ "digestHour": 9.0 })).await.status, 200);
    assert_eq!(entries().await.len(), before.len() + 1, "the control");
}

#[db_test]
async fn a_language_stays_until_it_is_cleared(world: World) {
    let language = async |body: Value| {
        let answer = world.set(&world.agency, body).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["data"]["language"].clone()
    };
    assert_eq!(language(json!({ "language": "de" })).await, "de");
    assert_eq!(language(json!({ "timeZone": "Europe/Berlin" })).await, "de");
    assert_eq!(language(json!({ "language": null })).await, Value::Null);
}

#[db_test]
async fn what_is_not_valid_is_named_and_changes_nothing(world: World) {
    let body = json!({
        "channels": { "request": "maybe", "offer": "off" }, "digestHour": 24,
        "timeZone": "Berlin", "language": "Deutsch",
    });
    let answer = world.set(&world.agency, body).await;
    let details = json!({
        "channels.request": "must be one of now, digest, off",
        "digestHour": "must be a whole number from 0 to 23",
        "timeZone": "must be an IANA time zone such as Europe/Berlin",
        "language": "must be one of de, en",
    });
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]["details"]), (400, &details));
    let body = json!({ "channels": { "platform_waiting": "now" } });
    let answer = world.set(&world.agency, body).await;
    let said = answer.json()["error"]["details"]["channels"].clone();
    assert!(said.as_str().unwrap().starts_with("must be one of mention_unlicensed"), "{said}");
    let data = world.agency.console(&world.app, Method::GET, SETTINGS, None).await.json();
    assert_eq!(channels(&data["data"])["offer"], "now");
}
